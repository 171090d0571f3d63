"""How quickly the games of a whole hall are stored, without and with open pages.

In each round every table sends a game at the same moment; the next round begins when the last of
them was answered. Then the same while 1,000 pages of tables are open and poll. The ratios are to
the smallest view that inserts one row, sent just before by the same clients under the same load.
A game that is answered and not stored is an error.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence

from django.db import connection

from benchmarks.client import JSON, POLL_SECONDS, Client, Page, demand_status
from benchmarks.hall import Device, make_hall, open_devices
from benchmarks.results import Row, percentile
from benchmarks.servers import Place
from tests.factories_lists import FOUR
from tests.server import Server
from tournaments.journal import services as journal
from tournaments.models import Game, Spielliste

SMALLEST, SMALLEST_VIEW = "/kleinste-ansicht/", "smallest view that inserts one row"
LEAST_RATIO = {"sqlite": 0.20, "postgresql": 0.12}
ROUNDS = 4

Act = Callable[[Device], Awaitable[float]]


async def insert_row(device: Device) -> float:
    """Send the smallest view; return the milliseconds."""
    answer = await device.client.send(SMALLEST, "", JSON)
    demand_status(answer, SMALLEST, 204)
    return answer.milliseconds


async def enter_game(device: Device) -> float:
    """Enter the next game; return the milliseconds."""
    await device.enter(FOUR[: len(device.state["games"]) + 1])
    return device.milliseconds["game"][-1]


async def in_rounds(devices: Sequence[Device], act: Act, rounds: int) -> tuple[float, list[float]]:
    """Let all devices act at once, in each of *rounds*; return acts a second and milliseconds."""
    milliseconds = list[float]()
    begun = time.perf_counter()
    for _round in range(rounds):
        milliseconds += await asyncio.gather(*map(act, devices))
    return len(milliseconds) / (time.perf_counter() - begun), milliseconds


async def measure(server: Server, devices: Sequence[Device], open_pages: int) -> Iterator[Row]:
    """Return the rows of entries while so many pages are open."""
    paths = [f"{devices[at % len(devices)].path}stand/" for at in range(open_pages)]
    pages = [Page(Client(server), path) for path in paths]
    for page in pages:
        await page.poll()
    delays = [POLL_SECONDS * at / open_pages for at in range(open_pages)]
    async with asyncio.TaskGroup() as group:
        polling = [
            group.create_task(page.stay_open(delay))
            for page, delay in zip(pages, delays, strict=True)
        ]
        await in_rounds(devices, insert_row, 1)  # the first answers of a server are slow
        smallest_rate, smallest = await in_rounds(devices, insert_row, ROUNDS)
        rate, entries = await in_rounds(devices, enter_game, ROUNDS)
        for task in polling:
            task.cancel()
    for page in pages:
        page.client.close()
    beside = f", {open_pages:,} pages open" if open_pages else ", nobody looking on"
    p95, p95_smallest = percentile(entries, 95), percentile(smallest, 95)
    return iter(
        [
            Row(
                f"game entered{beside}",
                rate,
                "/s",
                rate / smallest_rate,
                SMALLEST_VIEW,
                least_ratio=None if open_pages else LEAST_RATIO[connection.vendor],
            ),
            Row(
                f"p95 of {len(devices)} games at once{beside}",
                p95 / 1000,
                "s",
                p95 / p95_smallest,
                SMALLEST_VIEW,
                most=3 if open_pages else None,
            ),
        ]
    )


def check(lists: int, games: int) -> None:
    """Demand that every game that was answered is stored, once."""
    stored, breaks = Game.objects.count(), [*journal.first_breaks()]
    others = Spielliste.objects.exclude(version=games)
    if stored != lists * games or others.exists() or breaks:
        raise RuntimeError(f"{lists * games} games were sent, {stored} are stored; {breaks}")


def rows(place: Place) -> Iterator[Row]:
    """Measure a whole hall, without open pages and with all of them open."""
    tables, pages = (20, 40) if place.is_quick else (250, 1000)
    _tournament, paths = make_hall(tables)

    async def both(server: Server) -> list[Row]:
        devices = await open_devices(server, paths)
        return [*await measure(server, devices, 0), *await measure(server, devices, pages)]

    with place.server() as server:
        yield from asyncio.run(both(server))
    check(tables, 2 * ROUNDS)
