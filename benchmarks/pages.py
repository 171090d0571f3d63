"""The cost of opened pages, alone and all at once, and of lists and files.

In a hall of 100 tables in the middle of a Serie, public pages are opened without a session and
compared with the same pages that poll with nothing new, in processor time of the server. Pages that
do not poll, lists of twelve games typed by the Spielleitung and rows of a file of registrations are
compared with the smallest view that inserts one row. Then 400 phones open the ranking at the same
moment, while a table sends games and the desk books money; the longest of these is compared with
those without other requests.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from random import Random
from statistics import median
from time import process_time

from django.db import connections
from django.urls import reverse

from benchmarks.client import Client
from benchmarks.entries import SMALLEST_VIEW, enter_game
from benchmarks.expected import Sheet
from benchmarks.hall import GAMES, Device, Office, Till, make_hall, session_of_member
from benchmarks.polls import AT_ONCE, Load, say_something
from benchmarks.results import Row
from benchmarks.servers import Place, call
from tests.factories import COMMAND, make_user
from tests.factories_lists import FOUR, write_games
from tests.server import Server
from tournaments.common.access_keys import player_path
from tournaments.desk.services.file_plan import COLUMNS, plan_of
from tournaments.desk.services.files import register_from_file
from tournaments.machine import sheets
from tournaments.models import Spielliste, Tournament
from tournaments.people.services.importing import store_rows
from tournaments.results.services import player_access

GAMES_ALONE = 5
POLLING = {"ranking", "seats", "wall", "own page"}


def public_pages(tournament: Tournament) -> dict[str, str]:
    """Return the paths of the public pages, by name."""
    player_access.store_tokens(tournament)
    slug = [tournament.slug]
    return {
        "ranking": reverse("results_public:overall", args=slug),
        "seats": reverse("seating:serie", args=[*slug, 1]),
        "wall": reverse("screen:screen", args=slug),
        "own page": player_path(tournament.registrations.order_by("number")[0]),
        "start page": reverse("public:start"),
        "Ausschreibung": reverse("public:tournament", args=slug),
        "statistics": reverse("results_public:statistics", args=slug),
        "rules": reverse("public:rules", args=slug),
        "ranking for programs": reverse("feed:overall", args=slug),
    }


def opened(load: Load, pages: dict[str, str]) -> Iterator[Row]:
    """Yield the rows of pages that are opened with nothing new."""
    for name, path in pages.items():
        milliseconds, compared, beside = load.of_requests(path), load.smallest, SMALLEST_VIEW
        if name in POLLING:
            beside = "the same page asks, nothing new"
            compared, _new = asyncio.run(load.of_polls([(path, {})] * AT_ONCE, say_something))
        most = None if name in {"wall", "own page"} else 2  # made for one screen, or one person
        ratio = milliseconds / compared
        yield Row(f"{name} opened", milliseconds, "ms", ratio, beside, most_ratio=most)


async def type_lists(office: Office, tables: range) -> None:
    """Type a whole list for each table."""
    for table in tables:
        cells = dict(Sheet.played(range(1, 5), Random(table)).cells())
        await office.press("hall:grid", 1, table, version=0, confirmed=1, **cells)
    office.client.close()


def registered_from_file(tournament: Tournament, rows: int) -> float:
    """Return the processor milliseconds of a row of a file of registrations, beside the server."""
    lines = [f"Neu{row};Vor{row};Verein {row % 20}" for row in range(rows)]
    draft = store_rows(
        rows=sheets.read("\n".join(["Nachname;Vorname;Verein", *lines]).encode()),
        file_name="meldungen.csv",
        user=make_user(),
        within=tournament,
        columns=COLUMNS,
    )
    mark = plan_of(draft, tournament).fingerprint
    begun = process_time()
    register_from_file(
        COMMAND, tournament.pk, draft_id=draft.pk, fingerprint=mark, late_reason="zu messen"
    )
    return 1000 * (process_time() - begun) / rows


@dataclass(frozen=True)
class Port:
    """The port of a server that another process has started."""

    port: int


def open_at_once(pipe: Connection, port: int, path: str, phones: int) -> None:
    """Open a page with so many phones when told so, and send the milliseconds of the last one.

    It runs in a process of its own, so that the clients measured meanwhile do not wait for it.
    """

    async def last() -> float:
        clients = [Client(Port(port)) for _phone in range(phones)]
        for client in clients:
            client.headers["Accept-Encoding"] = "gzip"
            await client.open()
        pipe.send("connected")
        pipe.recv()
        answers = await asyncio.gather(*(client.get(path) for client in clients))
        return max(answer.milliseconds for answer in answers)

    pipe.send(asyncio.run(last()))


async def crowd(server: Server, path: str, phones: int, table: str, till: Till) -> list[Row]:
    """Return the rows of phones that open the ranking at once, and of requests sent meanwhile."""
    device = Device(Client(server), table)
    await device.open()

    async def game_and_booking() -> tuple[float, float]:
        game = await enter_game(device)
        await till.book(f"Wasser {len(till.confirmed)}")
        return game, till.milliseconds[-1]

    alone = [await game_and_booking() for _game in range(GAMES_ALONE)]
    spawn = get_context("spawn")
    here, there = spawn.Pipe()
    arguments = "pages.open_at_once", there, server.port, path, phones
    process = spawn.Process(target=call, args=arguments, daemon=True)
    process.start()
    here.recv()
    here.send("open")
    meanwhile = [await game_and_booking()]
    while len(alone) + len(meanwhile) < GAMES and not here.poll():
        meanwhile.append(await game_and_booking())
    name = f"{phones} phones open the ranking at once"
    rows = [Row(f"{name}: last", here.recv() / 1000, "s", most=3)]
    process.join()
    for at, what in enumerate(("game", "booking")):
        longest = max(pair[at] for pair in meanwhile)
        ratio = longest / median(pair[at] for pair in alone)
        longest_name = f"{name}: longest {what} meanwhile"
        rows.append(Row(longest_name, longest, "ms", ratio, "the same alone", most_ratio=2))
    return rows


def rows(place: Place) -> Iterator[Row]:
    """Measure pages one by one, lists and files, and the crowd."""
    number, phones = (12, 40) if place.is_quick else (100, 400)
    tournament, tables = make_hall(number)
    typed = range(2, number // 4 + 2)  # the first table sends its games
    for spielliste in Spielliste.objects.filter(table__number__gt=typed[-1]):
        write_games(spielliste, FOUR[:6])
    Spielliste.objects.filter(table__number__in=typed).update(on_paper=True)
    pages, session = public_pages(tournament), session_of_member(tournament)
    with place.server() as server:
        load = Load(server, 100 if place.is_quick else 500)
        yield from opened(load, pages)
        begun = load.seconds()
        asyncio.run(type_lists(Office(Client(server, session), tournament), typed))
        each = 1000 * (load.seconds() - begun) / len(typed)
        yield Row("list typed", each, "ms", each / load.smallest, SMALLEST_VIEW)
        each = registered_from_file(tournament, phones)
        name = f"row of a file of {phones} registrations"
        yield Row(name, each, "ms", each / load.smallest, SMALLEST_VIEW)
        say_something()
        connections.close_all()
        till = Till(Client(server, session), tournament, "")
        yield from asyncio.run(crowd(server, pages["ranking"], phones, tables[0], till))
