"""The cost of open pages that poll, in processor time of the server.

Pages are open in a hall of 250 tables in the middle of a Serie: 50 to 3,000 at its tables, then the
ranking and own pages on phones, walls, the control room. They poll twice: without a change,
and with one that concerns them all. For tables the Spielleitung says something; for the others one
list changes, because a wall shows the words of the Spielleitung before its lists. All ratios
are to the smallest view that inserts one row. Backups that run beside the server do not count.
"""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence

from django.urls import reverse

from benchmarks.client import JSON, Client, Page
from benchmarks.entries import SMALLEST, SMALLEST_VIEW
from benchmarks.hall import make_hall, open_devices, session_of_member
from benchmarks.processes import processor_seconds
from benchmarks.results import Row
from benchmarks.servers import Place
from tests.factories import COMMAND
from tests.factories_lists import FOUR, write_games
from tests.server import Server
from tournaments.common.access_keys import player_path
from tournaments.lists.services import spiellisten
from tournaments.models import Screen, Spielliste, Tournament
from tournaments.notices.services import words
from tournaments.results.services import player_access

PAGES = (50, 250, 1000, 3000)
SEATS = 4  # each with a phone, as long as there are tables
AT_ONCE = 32  # requests on their way

Cookies = Mapping[str, str]


async def in_parallel(acts: Sequence[Callable[[], Awaitable[object]]]) -> None:
    """Do all acts, some at a time."""

    async def some(mine: Sequence[Callable[[], Awaitable[object]]]) -> None:
        for act in mine:
            await act()

    await asyncio.gather(*(some(acts[at::AT_ONCE]) for at in range(AT_ONCE)))


class Load:
    """The processor time that requests cost a server; *fewest* are measured together."""

    def __init__(self, server: Server, fewest: int) -> None:
        assert server.process is not None  # noqa: S101 - it runs
        self.server, self.fewest, self.leader = server, fewest, server.process.pid
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        self.smallest = self.of_requests(SMALLEST, JSON)

    def seconds(self) -> float:
        """Return the processor time so far of what answers."""
        return processor_seconds(self.leader, is_nice=False)

    def of_requests(self, path: str, kind: str = "") -> float:
        """Return the milliseconds of a request that browsers send; the first are slow."""

        async def measured() -> float:
            clients = [Client(self.server) for _client in range(AT_ONCE)]
            acts = []
            for client in clients:
                client.headers["Accept-Encoding"] = "gzip"
                acts.append(lambda client=client: client.send(path, "", kind))
            acts *= max(1, self.fewest // AT_ONCE)
            await in_parallel(acts)
            begun = self.seconds()
            await in_parallel(acts)
            milliseconds = 1000 * (self.seconds() - begun) / len(acts)
            for client in clients:
                client.close()
            return milliseconds

        return asyncio.run(measured())

    async def of_polls(
        self, addresses: Sequence[tuple[str, Cookies]], happen: Callable[[], None]
    ) -> tuple[float, float]:
        """Return the milliseconds of a poll with nothing new, and after something has happened."""
        pages = [Page(Client(self.server, cookies), path) for path, cookies in addresses]
        polls = [page.poll for page in pages]
        spent = {204: 0.0, 200: 0.0}
        rounds = max(1, self.fewest // len(pages))
        for _round in range(rounds):
            await in_parallel(polls)  # until all show the newest
            for status in spent:
                begun = self.seconds()
                await in_parallel(polls)
                spent[status] += self.seconds() - begun
                if wrong := [page.path for page in pages if page.status != status]:
                    raise RuntimeError(f"{wrong[0]} was not answered with {status}")
                if status == 204:
                    await asyncio.to_thread(happen)
        for page in pages:
            page.client.close()
        return 1000 * spent[204] / rounds / len(pages), 1000 * spent[200] / rounds / len(pages)

    def rows(
        self, name: str, addresses: Sequence[tuple[str, Cookies]], happen: Callable[[], None]
    ) -> Iterator[Row]:
        """Yield the rows of pages that poll."""
        nothing, new = asyncio.run(self.of_polls(addresses, happen))
        for what, milliseconds, most in (("nothing new", nothing, 1), ("something new", new, 4)):
            ratio = milliseconds / self.smallest
            row = Row(
                f"{name} ask, {what}", milliseconds, "ms", ratio, SMALLEST_VIEW, most_ratio=most
            )
            yield row


def say_something() -> None:
    """Let the Spielleitung say something to everybody, from another process."""
    words.say(COMMAND, Tournament.objects.get().pk, words="Pause")


def change_a_list() -> None:
    """Let a list go on on paper, or on a device again."""
    spielliste = Spielliste.objects.order_by("last_entry_at", "pk")[0]
    spiellisten.keep_on_paper(COMMAND, spielliste.pk, on_paper=not spielliste.on_paper)


def other_pages(tournament: Tournament, number: int) -> dict[str, list[tuple[str, Cookies]]]:
    """Return the addresses and cookies of the pages that are not at tables, by name."""
    player_access.store_tokens(tournament)
    people = tournament.registrations.order_by("number")[:number]
    slug = tournament.slug
    few, control = number // 10, session_of_member(tournament)
    return {
        f"{number} pages of the public ranking": [
            (reverse("results_public:overall", args=[slug]), {})
        ]
        * number,
        f"{len(people)} own pages": [(player_path(registration), {}) for registration in people],
        f"{few} walls": [(reverse("screen:screen", args=[slug]), {})] * few,
        f"{few} control rooms": [(reverse("hall:since", args=[slug, 1]), control)] * few,
    }


def rows(place: Place) -> Iterator[Row]:
    """Measure pages of tables in all numbers, and the other pages."""
    tournament, paths = make_hall(10 if place.is_quick else 250)
    Screen.objects.create(tournament=tournament, shows=Screen.Shows.RANKING)
    for spielliste in Spielliste.objects.select_related("table"):
        write_games(spielliste, FOUR[:6])
    others = other_pages(tournament, 20 if place.is_quick else 200)
    with place.server() as server:
        load = Load(server, 100 if place.is_quick else 1000)
        devices = asyncio.run(open_devices(server, paths))
        tables = [(f"{device.path}stand/", device.client.cookies) for device in devices]
        for number in PAGES[:1] if place.is_quick else PAGES:
            shown = tables[: max(1, number // SEATS)]
            addresses_shown = [shown[at % len(shown)] for at in range(number)]
            yield from load.rows(f"{number:,} pages of tables", addresses_shown, say_something)
        words.take_back(COMMAND, tournament.pk)
        for name, addresses in others.items():
            yield from load.rows(name, addresses, change_a_list)
