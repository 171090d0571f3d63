"""What open pages cost that ask whether there is something new, in processor time of the server.

    python -m benchmarks polls

The program is started as ``make run`` starts it, with a hall of 250 tables in the middle of a
Serie. Pages are open at its tables, 50 to 3,000 of them, and ask twice: nothing has happened, and
something has that concerns them all, which the Spielleitung says. Then so do other pages: the
ranking and own pages on phones, walls, the control room. There it happens at one table, since on
a wall the words of the Spielleitung stand before its lists. All ratios are to the smallest view
that inserts one row, asked as often. What makes backups beside the server is left out of both.
"""

# Models can be imported only after the database was chosen and Django set up.
# ruff: noqa: PLC0415

from __future__ import annotations

import asyncio
import json
import resource
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from benchmarks.entries import SETTINGS, SMALLEST, Line, Times, make
from benchmarks.processes import processor_seconds
from benchmarks.results import Place, Row

TABLES = 250
SEATS = 4  # each with a phone, as long as there are tables
PAGES = (50, 250, 1000, 3000)
OTHERS = 200  # pages of each other kind
AT_ONCE = 32  # requests on their way
FEWEST, FEWEST_QUICK = 1000, 100  # answers that are measured together
NOTHING_NEW, NEW = 1.0, 4.0  # of the smallest view, at most
SMALLEST_VIEW = "smallest view that inserts one row"


@dataclass
class Page:
    """An open page, and what it shows."""

    line: Line
    path: str
    shows: str = ""
    statuses: list[int] = field(default_factory=list)

    async def ask(self, times: Times) -> None:
        """Ask, and show what came."""
        mark = "&" if "?" in self.path else "?"
        status, answer, took = await self.line.ask("GET", f"{self.path}{mark}since={self.shows}")
        times.each.append(took)
        self.statuses.append(status)
        if status == 200:
            self.shows = shown_in(answer.decode())


def shown_in(answer: str) -> str:
    """Return what a page hands in that shows *answer*: JSON, or a part of a page."""
    if answer.startswith("{"):
        return str(json.loads(answer)["since"])
    return answer.partition("since=")[2].partition('"')[0].partition("&")[0]


async def ask_all(pages: Sequence[Page], times: Times) -> None:
    """Let all pages ask once, some at a time."""

    async def some(mine: Sequence[Page]) -> None:
        for page in mine:
            await page.ask(times)

    await asyncio.gather(*(some(pages[at::AT_ONCE]) for at in range(AT_ONCE)))


async def insert_rows(lines: Sequence[Line], number: int) -> None:
    """Ask for the smallest view."""

    async def some(line: Line) -> None:
        for _one in range(number // AT_ONCE):
            await line.ask("POST", SMALLEST)

    await asyncio.gather(*(some(line) for line in lines[:AT_ONCE]))


class Hall:
    """A server with a tournament in it."""

    def __init__(self, port: int, leader: int, fewest: int) -> None:
        from tournaments.models import Tournament

        self.port, self.leader, self.fewest = port, leader, fewest
        self.tournament_id = Tournament.objects.get().pk
        self.smallest = self._smallest()

    def _smallest(self) -> float:
        """Return the processor milliseconds of the smallest view; its first answers are slow."""

        async def measured() -> float:
            lines = [Line(self.port) for _one in range(AT_ONCE)]
            await insert_rows(lines, self.fewest)
            begun = self.spent()
            await insert_rows(lines, self.fewest)
            spent = self.spent() - begun
            for line in lines:
                line.close()
            return 1000 * spent / (self.fewest // AT_ONCE * AT_ONCE)

        return asyncio.run(measured())

    def spent(self) -> float:
        """Return the processor seconds of what answers; backups are made whoever asks."""
        return processor_seconds(self.leader, in_front=True)

    def happens(self, what: str) -> None:
        """Let the Spielleitung say something to everybody, as another process would."""
        from tests.factories import COMMAND
        from tournaments.notices.services import words

        words.say(COMMAND, self.tournament_id, words=what)

    def happens_at_a_table(self, _what: str) -> None:
        """Let a list go on on paper, or on a device again."""
        from tests.factories import COMMAND
        from tournaments.lists.services import spiellisten
        from tournaments.models import Spielliste

        one = Spielliste.objects.order_by("last_entry_at", "pk")[0]
        spiellisten.keep_on_paper(COMMAND, one.pk, on_paper=not one.on_paper)

    def is_silent_again(self) -> None:
        """Take the words of the Spielleitung back."""
        from tests.factories import COMMAND
        from tournaments.notices.services import words

        words.take_back(COMMAND, self.tournament_id)

    def rows(
        self, name: str, paths: Sequence[tuple[str, str]], happens: Callable[[str], None]
    ) -> Iterator[Row]:
        """Open pages by their addresses and cookies, and let them ask."""
        pages = []
        for path, cookie in paths:
            page = Page(Line(self.port, cookie), path)
            page.line.head += "HX-Request: true\r\n"
            pages.append(page)
        rounds = max(1, self.fewest // len(pages))
        nothing, new = asyncio.run(self._both(pages, rounds, happens))
        for what, (spent, times), wanted in (
            ("nothing new", nothing, NOTHING_NEW),
            ("something new", new, NEW),
        ):
            each = 1000 * spent / len(times.each)
            yield Row(
                name=f"{name} ask, {what}",
                value=each,
                unit="ms",
                ratio=each / self.smallest,
                beside=SMALLEST_VIEW,
                wanted=wanted,
            )

    async def _both(
        self, pages: Sequence[Page], rounds: int, happens: Callable[[str], None]
    ) -> tuple[tuple[float, Times], tuple[float, Times]]:
        nothing, new = Times(), Times()
        quiet = busy = 0.0
        for number in range(rounds):
            await ask_all(pages, Times())  # until all show the newest
            begun = self.spent()
            await ask_all(pages, nothing)
            quiet += self.spent() - begun
            expect(pages, 204)
            await asyncio.to_thread(happens, f"Pause {number}")
            begun = self.spent()
            await ask_all(pages, new)
            busy += self.spent() - begun
            expect(pages, 200)
        for page in pages:
            page.line.close()
        return (quiet, nothing), (busy, new)


def expect(pages: Sequence[Page], status: int) -> None:
    """See that the last answers were what is measured."""
    wrong = [page for page in pages if page.statuses[-1] != status]
    if wrong:
        raise RuntimeError(f"{wrong[0].path} was answered with {wrong[0].statuses[-1]}")


def other_pages(number: int) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield the other pages that ask, with their addresses and cookies."""
    from django.test import Client
    from django.urls import reverse

    from tests.factories import make_member
    from tournaments.common.access_keys import player_token
    from tournaments.models import Role, Tournament
    from tournaments.results.services import player_access

    tournament = Tournament.objects.get()
    player_access.store_tokens(tournament)
    client = Client()
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    session = f"sessionid={client.cookies['sessionid'].value}"
    people = tournament.registrations.order_by("number")[:number]
    slug = [tournament.slug]
    ranking = reverse("results_public:overall", args=slug)
    yield "pages of the public ranking", [(ranking, "")] * number
    own = [reverse("player:page", args=[player_token(one)]) for one in people]
    yield "own pages", [(path, "") for path in own]
    yield "walls", [(reverse("screen:screen", args=slug), "")] * (number // 10)
    yield "control rooms", [(reverse("hall:since", args=[*slug, 1]), session)] * (number // 10)


def rows(place: Place) -> Iterator[Row]:
    """Measure pages of tables in all numbers, and the other pages."""
    place.set_up(SETTINGS)
    from django.db import connections

    from tests.factories_lists import FOUR, write_games
    from tests.server import Server
    from tournaments.models import Screen, Spielliste, Tournament

    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    tables = make(10 if place.is_quick else TABLES)
    Tournament.objects.update(status=Tournament.Status.RUNNING)
    Screen.objects.create(tournament=Tournament.objects.get(), shows=Screen.Shows.RANKING)
    for spielliste in Spielliste.objects.select_related("table"):
        write_games(spielliste, FOUR[:6])
    others = list(other_pages(20 if place.is_quick else OTHERS))
    connections.close_all()
    with Server(place.folder, database=place.database_url) as server:
        assert server.process is not None  # noqa: S101 - it has just started
        fewest = FEWEST_QUICK if place.is_quick else FEWEST
        hall = Hall(server.port, server.process.pid, fewest)
        for number in PAGES[:1] if place.is_quick else PAGES:
            paths = [(f"{one.path}stand/", one.cookie) for one in tables]
            shown = paths[: max(1, number // SEATS)]
            spread = [shown[at % len(shown)] for at in range(number)]
            yield from hall.rows(f"{number:,} pages of tables", spread, hall.happens)
        hall.is_silent_again()
        for name, addresses in others:
            yield from hall.rows(f"{len(addresses)} {name}", addresses, hall.happens_at_a_table)
    connections.close_all()
