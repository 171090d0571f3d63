"""How quickly the games of a whole hall are stored while everybody looks on.

    python -m benchmarks.entries [--full] [--tables N] [--pages N] [--rounds N]
    python -m scripts.throwaway_postgres python -m benchmarks.entries --given

The program is started as ``make run`` starts it. In each round every table sends a game in
the same moment, and the next round begins when the last of them was answered. Meanwhile
the pages of the tables are open and ask every four seconds what is new. Measured by the
same clients against the same server just before: the smallest view that inserts one row,
with the same pages open.

Printed are the answers per second and the milliseconds that 50, 95 and 99 of a hundred
answers took at most, of both, and their ratios; whatever is not stored is an error.
``--full`` is the hall of 250 tables and 1,000 pages. SQLite in a folder of its own is
used, with ``--given`` the empty database of ``DATABASE_URL``.
"""

# Models can be imported only after the database was chosen and Django set up.
# ruff: noqa: PLC0415

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.results import Place, Row

HOST = "127.0.0.1"
SETTINGS = "benchmarks.smallest_view.settings"
SMALLEST = "/kleinste-ansicht/"
POLL_SECONDS = 4  # as static/js/table/outbox.js has it
FORM_TOKEN = "t" * 32
SHARES = (50, 95, 99)
WANTED = {"sqlite": 0.20, "postgresql": 0.12}  # of the answers of the smallest view


@dataclass
class Table:
    """A table with the device that keeps its list."""

    spielliste_id: int
    path: str
    cookie: str


@dataclass
class Times:
    """What some answers took, in milliseconds, and how long all together."""

    each: list[float] = field(default_factory=list)
    seconds: float = 0.0

    def percentile(self, share: int) -> float:
        """Return what *share* of a hundred answers took at most."""
        in_order = sorted(self.each)
        return in_order[min(len(in_order) - 1, len(in_order) * share // 100)]

    @property
    def per_second(self) -> float:
        """Return how many were answered in a second."""
        return len(self.each) / self.seconds


class Line:
    """One kept connection of a device; asks, waits, and takes the time."""

    def __init__(self, port: int, cookie: str = "") -> None:
        self.port = port
        self.head = (
            f"Host: {HOST}:{port}\r\nContent-Type: application/json\r\n"
            f"Cookie: csrftoken={FORM_TOKEN}; {cookie}\r\nX-CSRFToken: {FORM_TOKEN}\r\n"
        )
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def open(self) -> None:
        """Connect before anything is measured."""
        self.streams = await asyncio.open_connection(HOST, self.port)

    async def ask(self, method: str, path: str, body: str = "") -> tuple[int, bytes, float]:
        """Return status, body and milliseconds; a page asks again if its line was ended as idle."""
        try:
            return await self._ask(method, path, body)
        except (asyncio.IncompleteReadError, ConnectionError):
            if method != "GET":
                raise
        self.streams = None
        return await self._ask(method, path, body)

    async def _ask(self, method: str, path: str, body: str) -> tuple[int, bytes, float]:
        if self.streams is None:
            await self.open()
        assert self.streams is not None  # noqa: S101 - just opened
        reader, writer = self.streams
        data = body.encode()
        length = f"Content-Length: {len(data)}\r\n"
        begun = time.perf_counter()
        writer.write(f"{method} {path} HTTP/1.1\r\n{self.head}{length}\r\n".encode() + data)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        status = int(head.split(" ", 2)[1])
        length_sent = head.partition("content-length:")[2].split("\r\n", 1)[0].strip()
        answer = await reader.readexactly(int(length_sent or 0))
        return status, answer, 1000 * (time.perf_counter() - begun)

    def close(self) -> None:
        """Hang up."""
        if self.streams is not None:
            self.streams[1].close()


@contextmanager
def hall(tables: int, *, given: bool) -> Iterator[tuple[int, list[Table]]]:
    """Give a running server's port and the tables of a Serie that may begin."""
    with tempfile.TemporaryDirectory() as folder:
        if not given:
            os.environ["DATABASE_URL"] = f"sqlite:///{folder}/benchmark.sqlite3"
        os.environ["DATA_DIR"] = folder
        os.environ["DJANGO_SETTINGS_MODULE"] = SETTINGS
        import django
        from django.core.management import call_command
        from django.db import connections

        django.setup()
        from tests.server import Server
        from tournaments.models import Tournament

        call_command("migrate", verbosity=0)
        if Tournament.objects.exists():
            sys.exit("DATABASE_URL names a database that is in use; an empty one is wanted.")
        made = make(tables)
        connections.close_all()
        with Server(Path(folder), database=os.environ["DATABASE_URL"]) as server:
            yield server.port, made


def make(tables: int) -> list[Table]:
    """Store a Serie with *tables* tables of four, each with a device that keeps the list."""
    from tests.factories import make_players, make_tournament
    from tests.factories_lists import make_seated_serie
    from tournaments.common.access_keys import table_path
    from tournaments.common.actors import Actor
    from tournaments.models import TableAccess
    from tournaments.table.services.devices import open_device, take_over
    from tournaments.table.views.table_access import COOKIE

    tournament = make_tournament()
    people = make_players(tournament, 4 * tables)
    rows = [people[at : at + 4] for at in range(0, 4 * tables, 4)]
    serie = make_seated_serie(tournament, rows)
    made = []
    found = TableAccess.objects.select_related("table__serie__tournament", "table__spielliste")
    for access in found.filter(table__serie=serie).order_by("table__number"):
        device, secret = open_device(access)
        if device is not None:
            take_over(Actor.table(access.table), device.pk)
        cookie = f"{COOKIE}={secret}"
        made.append(Table(access.table.spielliste.pk, table_path(access), cookie))
    return made


async def state_shown(line: Line, path: str) -> str:
    """Return what a page shows that is loaded now."""
    _status, answer, _took = await line.ask("GET", f"{path}stand/?since=")
    return str(json.loads(answer)["since"])


async def keep_open(line: Line, path: str, since: str, delay: float, times: Times) -> None:
    """Ask for news like an open page that shows *since*, until cancelled."""
    await asyncio.sleep(delay)
    while True:
        status, answer, took = await line.ask("GET", f"{path}stand/?since={since}")
        times.each.append(took)
        if status == 200:
            since = json.loads(answer)["since"]
        elif status != 204:
            raise RuntimeError(f"A page was answered with {status}: {answer[:300]!r}")
        await asyncio.sleep(POLL_SECONDS)


Send = Callable[[Line, Table, int], Awaitable[tuple[int, bytes, float]]]


async def in_rounds(
    lines: Sequence[Line], tables: Sequence[Table], rounds: range, send: Send
) -> Times:
    """Let all tables send at once, in each of *rounds*; every answer must be a success."""
    times = Times()
    begun = time.perf_counter()
    for number in rounds:
        both = zip(lines, tables, strict=True)
        answers = await asyncio.gather(*(send(line, table, number) for line, table in both))
        for status, answer, took in answers:
            if status not in (200, 204):
                raise RuntimeError(f"An entry was answered with {status}: {answer[:300]!r}")
            times.each.append(took)
    times.seconds = time.perf_counter() - begun
    return times


async def insert_a_row(line: Line, _table: Table, _number: int) -> tuple[int, bytes, float]:
    """The smallest view."""
    return await line.ask("POST", SMALLEST)


async def enter_a_game(line: Line, table: Table, number: int) -> tuple[int, bytes, float]:
    """A game as the device of a table sends it."""
    from tests.factories_lists import FOUR

    body: dict[str, Any] = {"key": f"spiel-{table.spielliste_id}-{number}", "kind": "game"}
    body |= {"number": number, "version": number - 1, "line": FOUR[number - 1], "confirmed": True}
    return await line.ask("POST", f"{table.path}senden/", json.dumps(body))


async def measure(
    port: int, tables: Sequence[Table], *, pages: int, rounds: range
) -> tuple[Times, Times, Times]:
    """Return the times of the smallest view, of entries, and of the open pages."""
    lines = [Line(port, table.cookie) for table in tables]
    viewers = [Line(port) for _page in range(pages)]
    for line in (*lines, *viewers):
        await line.open()
    looks = Times()
    paths = [tables[at % len(tables)].path for at in range(pages)]
    shown = [await state_shown(line, path) for line, path in zip(viewers, paths, strict=True)]
    delays = [POLL_SECONDS * at / pages for at in range(pages)]
    open_pages = [
        asyncio.create_task(keep_open(*page, looks))
        for page in zip(viewers, paths, shown, delays, strict=True)
    ]
    await in_rounds(lines, tables, range(1), insert_a_row)  # the first answers of a server are slow
    smallest = await in_rounds(lines, tables, rounds, insert_a_row)
    looks.each.clear()
    entries = await in_rounds(lines, tables, rounds, enter_a_game)
    looks.seconds = entries.seconds
    for page in open_pages:
        if page.done():
            page.result()
        page.cancel()
    for line in (*lines, *viewers):
        line.close()
    return smallest, entries, looks


def report(name: str, times: Times, against: Times | None = None) -> None:
    """Print a line of numbers and, if there is something to compare with, one of ratios."""
    shares = "".join(f"{times.percentile(share):10.1f}" for share in SHARES)
    print(f"{name:28}{times.per_second:10.1f}{shares}")
    if against is not None:
        ratios = "".join(
            f"{times.percentile(share) / against.percentile(share):10.2f}" for share in SHARES
        )
        print(f"{'  as ratio':28}{times.per_second / against.per_second:10.2f}{ratios}")


def check(tables: Sequence[Table], rounds: int) -> None:
    """See that every game that was answered is stored, once."""
    from django.db import connections

    from tournaments.journal import services as journal
    from tournaments.models import Game, Spielliste

    stored = Game.objects.count()
    if stored != len(tables) * rounds or Spielliste.objects.exclude(version=rounds).exists():
        sys.exit(f"{len(tables) * rounds} games were sent, {stored} are stored.")
    if broken := list(journal.first_breaks()):
        sys.exit(f"The journal is broken: {broken}")
    connections.close_all()


def rows(place: Place) -> Iterator[Row]:
    """Measure a whole hall, first with nobody looking on and then with all pages open."""
    place.set_up(SETTINGS)
    from django.db import connection, connections

    from tests.server import Server

    tables, pages = (20, 40) if place.is_quick else (250, 1000)
    made = make(tables)
    connections.close_all()
    with Server(place.folder, database=place.database_url) as server:
        for looking_on, rounds in ((0, range(1, 5)), (pages, range(5, 9))):
            found = measure(server.port, made, pages=looking_on, rounds=rounds)
            smallest, entries, _looks = asyncio.run(found)
            with_pages = f", {looking_on:,} pages open" if looking_on else ", nobody looking on"
            yield Row(
                name=f"game entered{with_pages}",
                value=entries.per_second,
                unit="/s",
                ratio=entries.per_second / smallest.per_second,
                beside="smallest view that inserts one row",
                wanted=None if looking_on else WANTED[connection.vendor],
                is_floor=True,
            )
            yield Row(
                name=f"p95 of {tables} games at once{with_pages}",
                value=entries.percentile(95) / 1000,
                unit="s",
                ratio=entries.percentile(95) / smallest.percentile(95),
                beside="smallest view that inserts one row",
                wanted=3 if looking_on else None,
                wanted_of="value",
            )
    check(made, 8)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="250 tables, 1,000 pages")
    parser.add_argument("--given", action="store_true", help="use the DATABASE_URL")
    parser.add_argument("--tables", type=int)
    parser.add_argument("--pages", type=int)
    parser.add_argument("--rounds", type=int, default=4, choices=range(1, 13), metavar="1–12")
    wanted = parser.parse_args()
    tables = wanted.tables or (250 if wanted.full else 40)
    pages = (1000 if wanted.full else 80) if wanted.pages is None else wanted.pages
    with hall(tables, given=wanted.given) as (port, made):
        smallest, entries, looks = asyncio.run(
            measure(port, made, pages=pages, rounds=range(1, wanted.rounds + 1))
        )
        check(made, wanted.rounds)
    print(f"{tables} tables, {wanted.rounds} rounds, {pages} open pages\n")
    print(f"{'':28}{'per s':>10}" + "".join(f"{f'p{share} ms':>10}" for share in SHARES))
    report("smallest view, one row", smallest)
    report("game entered", entries, smallest)
    if looks.each:
        report("page asks for news", looks)


if __name__ == "__main__":
    main()
