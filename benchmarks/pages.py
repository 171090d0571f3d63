"""What pages cost that people open, alone and all at once, and what lists and files cost.

    make bench ONLY=pages

The program is started as ``make run`` starts it, with a hall of 100 tables in the middle of a
Serie. Public pages are opened without a session, nothing being new, and compared with the same
pages that are open and ask, in processor time of the server; those that do not ask, and lists of
twelve games typed by the Spielleitung, and rows of a file of registrations, with the smallest view
that inserts one row. Then something happens, and 400 phones open the ranking in the same moment,
while a table sends games and the desk books money: what the longest takes is compared with the same
while nobody else asks.
"""

# Models can be imported only after the database was chosen and Django set up.
# ruff: noqa: PLC0415

from __future__ import annotations

import asyncio
import resource
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from statistics import median
from time import process_time
from urllib.parse import urlencode

from benchmarks.entries import SETTINGS, Line, Table, Times, enter_a_game, make
from benchmarks.polls import AT_ONCE, SMALLEST_VIEW, Hall, Page, ask_all
from benchmarks.results import Place, Row

TABLES, PHONES = 100, 400
FEWEST, FEWEST_QUICK = 500, 100  # answers that are measured together
TIMES, GAMES = 5, 12  # games entered alone, and of a list
FORM = "application/x-www-form-urlencoded"
ASKING = {"ranking", "seats", "wall", "own page"}


def addresses() -> dict[str, str]:
    """Return the public pages, by name."""
    from django.urls import reverse

    from tournaments.common.access_keys import player_token
    from tournaments.models import Tournament
    from tournaments.results.services import player_access

    tournament = Tournament.objects.get()
    player_access.store_tokens(tournament)
    slug, player = tournament.slug, tournament.registrations.order_by("number")[0]
    return {
        "ranking": reverse("results_public:overall", args=[slug]),
        "seats": reverse("seating:serie", args=[slug, 1]),
        "wall": reverse("screen:screen", args=[slug]),
        "own page": reverse("player:page", args=[player_token(player)]),
        "start page": reverse("public:start"),
        "Ausschreibung": reverse("public:tournament", args=[slug]),
        "statistics": reverse("results_public:statistics", args=[slug]),
        "rules": reverse("public:rules", args=[slug]),
        "ranking for programs": reverse("feed:overall", args=[slug]),
    }


def opened(hall: Hall, path: str) -> float:
    """Return the processor milliseconds of a page that is opened, nothing being new."""

    async def measured() -> float:
        lines = [Line(hall.port) for _phone in range(AT_ONCE)]
        for line in lines:
            line.head += "Accept-Encoding: gzip\r\n"

        async def some(line: Line) -> None:
            for _time in range(hall.fewest // AT_ONCE):
                status, _answer, _took = await line.ask("GET", path)
                expect(path, status, 200)

        await asyncio.gather(*map(some, lines))  # the first answers are slow
        begun = hall.spent()
        await asyncio.gather(*map(some, lines))
        return 1000 * (hall.spent() - begun) / (hall.fewest // AT_ONCE * AT_ONCE)

    return asyncio.run(measured())


def polled(hall: Hall, path: str) -> float:
    """Return the processor milliseconds of the same page that is open and asks."""

    async def measured() -> float:
        pages = [Page(Line(hall.port), path) for _phone in range(AT_ONCE)]
        for page in pages:
            page.line.head += "HX-Request: true\r\n"
        await ask_all(pages, Times())
        begun, times = hall.spent(), Times()
        for _round in range(hall.fewest // AT_ONCE):
            await ask_all(pages, times)
        expect(path, pages[-1].statuses[-1], 204)
        return 1000 * (hall.spent() - begun) / len(times.each)

    return asyncio.run(measured())


def expect(path: str, status: int, wanted: int) -> None:
    """See that an answer was what is measured."""
    if status != wanted:
        raise RuntimeError(f"{path} was answered with {status}")


class Office:
    """Somebody of the Spielleitung who types lists and books money."""

    def __init__(self, port: int) -> None:
        from tests.clients import logged_in
        from tests.factories import make_member
        from tournaments.models import Role, Tournament

        self.slug = (tournament := Tournament.objects.get()).slug
        cookies = logged_in(make_member(tournament, Role.SPIELLEITUNG)).cookies
        self.line = Line(port, f"sessionid={cookies['sessionid'].value}")
        self.line.head = self.line.head.replace("application/json", FORM)

    async def send(self, name: str, keys: Sequence[int] = (), **typed: str) -> float:
        """Send a form, and return the milliseconds it took."""
        from django.urls import reverse

        from tournaments.common.submissions import new_form_key

        path = reverse(name, args=[self.slug, *keys])
        form = urlencode({"form_key": new_form_key(), **typed})
        status, _answer, took = await self.line.ask("POST", path, form)
        expect(path, status, 302)
        return took

    async def book(self) -> float:
        """Book some change for the till."""
        return await self.send(
            "cash:book_free", kind="opening", amount_cents="50", text="Wechselgeld", method_="cash"
        )

    async def type_list(self, table: int) -> float:
        """Type a whole list."""
        from tests.tournaments.hall.helpers import SOUND

        cells = {
            f"c{game}_{seat}": "0" if seat == line["finisher"] else str(points)
            for game, line in enumerate(SOUND, start=1)
            for seat, points in enumerate(line["minus"], start=1)
        }
        return await self.send("hall:grid", [1, table], version="0", **cells)


def registered_from_file(rows: int) -> float:
    """Return the processor milliseconds of a row of a file of registrations, beside the server."""
    from tests.factories import COMMAND, make_user
    from tournaments.desk.services.file_plan import COLUMNS, plan_of
    from tournaments.desk.services.files import register_from_file
    from tournaments.machine import sheets
    from tournaments.models import Tournament
    from tournaments.people.services.importing import store_rows

    tournament = Tournament.objects.get()
    lines = [f"Neu{row};Vor{row};Verein {row % 20}" for row in range(rows)]
    content = "\n".join(["Nachname;Vorname;Verein", *lines]).encode()
    draft = store_rows(
        rows=sheets.read(content),
        file_name="meldungen.csv",
        user=make_user(),
        within=tournament,
        columns=COLUMNS,
    )
    mark = plan_of(draft, tournament).fingerprint
    begun = process_time()
    registered = register_from_file(
        COMMAND, tournament.pk, draft_id=draft.pk, fingerprint=mark, late_reason="zu messen"
    )
    return 1000 * (process_time() - begun) / len(registered)


@dataclass(slots=True, kw_only=True)
class Meanwhile:
    """Milliseconds of games and bookings, alone and while the phones wait, and of the last page."""

    last_page: float = 0
    alone: list[tuple[float, float]] = field(default_factory=list)
    then: list[tuple[float, float]] = field(default_factory=list)

    def ratios(self) -> Iterator[tuple[str, float, float]]:
        """Yield the longest game and booking while the phones wait, and their ratios."""
        for at, name in enumerate(("game", "booking")):
            longest = max(pair[at] for pair in self.then)
            yield name, longest, longest / median(pair[at] for pair in self.alone)


def open_at_once(there: Connection, port: int, path: str, phones: int) -> None:
    """Open a page with so many phones when told so, and send what the last one took.

    In a process of its own, so that whom the page is sent to does not wait for this client.
    """

    async def last() -> float:
        lines = [Line(port) for _phone in range(phones)]
        for line in lines:
            line.head += "Accept-Encoding: gzip\r\n"
            await line.open()
        there.send("open")
        there.recv()
        answers = await asyncio.gather(*(line.ask("GET", path) for line in lines))
        for status, _answer, _took in answers:
            expect(path, status, 200)
        for line in lines:
            line.close()
        return max(took for _status, _answer, took in answers)

    there.send(asyncio.run(last()))


async def all_at_once(port: int, path: str, phones: int, office: Office, table: Table) -> Meanwhile:
    """Enter games and book while nobody else asks, and while phones open a page."""
    keeper, took = Line(port, table.cookie), Meanwhile()

    async def game(number: int) -> float:
        status, _answer, milliseconds = await enter_a_game(keeper, table, number)
        expect(table.path, status, 200)
        return milliseconds

    for number in range(1, TIMES + 1):
        took.alone.append((await game(number), await office.book()))
    spawn = get_context("spawn")
    here, there = spawn.Pipe()
    crowd = spawn.Process(target=open_at_once, args=(there, port, path, phones))
    crowd.start()
    here.recv()
    here.send("now")
    number = TIMES + 1
    while number <= GAMES and not here.poll():
        took.then.append((await game(number), await office.book()))
        number += 1
    took.last_page = here.recv()
    crowd.join()
    keeper.close()
    return took


def rows(place: Place) -> Iterator[Row]:
    """Measure pages one by one, lists, and the crowd."""
    place.set_up(SETTINGS)
    from django.db import connections

    from tests.factories_lists import FOUR, write_games
    from tests.server import Server
    from tournaments.models import Spielliste, Tournament

    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    number, phones = (12, 40) if place.is_quick else (TABLES, PHONES)
    tables = make(number)
    Tournament.objects.update(status=Tournament.Status.RUNNING)
    typed = range(2, number // 4 + 2)  # the first table sends its games
    lists = Spielliste.objects.select_related("table").filter(table__number__gt=typed[-1])
    for spielliste in lists:
        write_games(spielliste, FOUR[:6])
    Spielliste.objects.filter(table__number__in=typed).update(on_paper=True)
    paths = addresses()
    connections.close_all()
    with Server(place.folder, database=place.database_url) as server:
        assert server.process is not None  # noqa: S101 - it has just started
        fewest = FEWEST_QUICK if place.is_quick else FEWEST
        hall, office = Hall(server.port, server.process.pid, fewest), Office(server.port)
        for name, path in paths.items():
            value, asks = opened(hall, path), name in ASKING
            yield Row(
                name=f"{name} opened",
                value=value,
                unit="ms",
                ratio=value / (polled(hall, path) if asks else hall.smallest),
                beside="the same page asks, nothing new" if asks else SMALLEST_VIEW,
                wanted=None if name in {"wall", "own page"} else 2,  # made for one screen, or one
            )
        begun = hall.spent()
        asyncio.run(_all_lists(office, typed))
        each = 1000 * (hall.spent() - begun) / len(typed)
        ratio = each / hall.smallest
        yield Row(name="list typed", value=each, unit="ms", ratio=ratio, beside=SMALLEST_VIEW)
        each = registered_from_file(phones)
        about = f"row of a file of {phones} registrations"
        yield Row(
            name=about, value=each, unit="ms", ratio=each / hall.smallest, beside=SMALLEST_VIEW
        )
        connections.close_all()
        hall.happens("Die Rangliste ist da")
        crowd = all_at_once(server.port, paths["ranking"], phones, Office(server.port), tables[0])
        took = asyncio.run(crowd)
        at_once = f"{phones} phones open the ranking at once"
        yield Row(
            name=f"{at_once}: last",
            value=took.last_page / 1000,
            unit="s",
            wanted=3,
            wanted_of="value",
        )
        for name, value, ratio in took.ratios():
            yield Row(
                name=f"{at_once}: longest {name} meanwhile",
                value=value,
                unit="ms",
                ratio=ratio,
                beside="the same alone",
                wanted=2,
            )
    connections.close_all()


async def _all_lists(office: Office, tables: Sequence[int]) -> None:
    for table in tables:
        await office.type_list(table)
    office.line.close()
