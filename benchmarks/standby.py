"""How long a hall waits when the laptop dies, and how many confirmed games are lost.

The first laptop serves, a second one with SQLite stands by. All tables enter games, each after a
pause, a till books receipts, and a backup is made. Then everything on the first laptop is killed
and the second takes over. Tables send the games again that the list there lacks, and go on.

Measured are how old the games and receipts were that had been confirmed and were lost, which may be
as old as the page of the pairing says, and the seconds until every table has stored another game.
A game that is missing in the end is an error. ``large`` is the same with a database of 200 MB.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence

from django.db import connection

from benchmarks.client import PatientClient
from benchmarks.hall import Device, Till, make_hall, session_of_member
from benchmarks.processes import peak_megabytes
from benchmarks.results import Row
from benchmarks.servers import Laptops, Place
from tests.factories_lists import FOUR
from tournaments.backup import saving, standby
from tournaments.models import Tournament

PADDING = (
    "CREATE TABLE padding AS WITH RECURSIVE rows(number) AS"
    " (SELECT 1 UNION ALL SELECT number + 1 FROM rows WHERE number < 1000 * {megabytes})"
    " SELECT number, hex(randomblob(480)) AS text FROM rows"
)
STORED = """
from tournaments.journal import services
from tournaments.models import Game
result = [Game.objects.count(), len(list(services.first_breaks()))]
"""
GAMES_BEFORE = 10  # at most, of a table


class Failure:
    """A hall whose first laptop dies after some *seconds*, with a *pause* between games."""

    def __init__(self, laptops: Laptops, paths: Sequence[str], tournament: Tournament) -> None:
        self.laptops = laptops
        self.devices = [Device(PatientClient(laptops), path) for path in paths]
        self.till = Till(PatientClient(laptops, session_of_member(tournament)), tournament, "")
        self.died = 0.0
        self.peaks: list[float] = []
        self.waits: list[float] = []
        self.lost_receipts: list[float] = []

    async def happen(self, seconds: float, pause: float) -> None:
        """Let all clients work, kill the laptop in the middle of it, and let them continue."""
        is_over = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            working = [group.create_task(self.keep_list(each, pause)) for each in self.devices]
            booking = group.create_task(self.till.book_until(is_over, pause))
            await asyncio.sleep(seconds / 2)
            saving.request_backup()  # a backup
            await asyncio.sleep(seconds / 2)
            server = self.laptops.server.process
            assert server is not None  # noqa: S101 - it runs
            leaders = server.pid, self.laptops.second.leaders[0]
            self.peaks = [peak_megabytes(leader) for leader in leaders]
            self.died = time.monotonic()
            is_over.set()
            await asyncio.to_thread(self.laptops.take_over)
            await asyncio.gather(*working, booking)
        self.lost_receipts = await self.till.book_lost()

    async def keep_list(self, device: Device, pause: float) -> None:
        """Enter games until the laptop is dead, and then another one."""
        await device.open()
        while not self.died:
            games = min(len(device.state["games"]) + 1, GAMES_BEFORE)
            await device.enter(FOUR[:games], pause)
            await asyncio.sleep(0.1)
        device.client.close()
        await device.enter(FOUR[: len(device.confirmed) + 1])
        self.waits.append(time.monotonic() - self.died)


def lost(
    name: str, what: str, ages: Sequence[float], confirmed: int, promised: float
) -> Iterator[Row]:
    """Yield the rows of the lost games or receipts: their number, and the age of the oldest."""
    yield Row(f"{name} {what}", len(ages), "", len(ages) / confirmed, "all that were confirmed")
    name = f"{name} the oldest of these {what.partition(' ')[0]} was confirmed before"
    yield Row(name, max(ages, default=0.0), "s", most=promised)


def rows(place: Place, megabytes: int = 0) -> Iterator[Row]:
    """Let the first of two laptops die, whose database has so many *megabytes* more."""
    tables, seconds, pause = (10, 6.0, 1.0) if place.is_quick else (50, 15.0, 1.5)
    tournament, paths = make_hall(tables)
    name = f"second laptop, {tables} tables:"
    if megabytes:
        name = f"second laptop, {tables} tables, {megabytes} MB:"
        seconds, pause = 3 * seconds, 3 * pause
        with connection.cursor() as cursor:
            cursor.execute(PADDING.format(megabytes=megabytes))
    promised = standby.seconds_behind()
    laptops = Laptops(place)
    failure = Failure(laptops, paths, tournament)
    with laptops:
        laptops.stand_by()
        asyncio.run(failure.happen(seconds, pause))
        games = sum(len(device.confirmed) for device in failure.devices)
        stored = laptops.second.run(STORED)
    if stored != [games, 0]:
        raise RuntimeError(f"{games} games were confirmed; stored, and breaks: {stored}")
    died, till = failure.died, failure.till
    ages = [died - at for at in failure.lost_receipts]
    yield from lost(name, "receipts confirmed and not there", ages, len(till.confirmed), promised)
    ages = [died - at for device in failure.devices for at in device.lost]
    what = "games confirmed and not there, all sent again"
    yield from lost(name, what, ages, games, promised)
    yield Row(f"{name} the first goes on after", min(failure.waits), "s")
    yield Row(f"{name} all go on after", max(failure.waits), "s")
    for which, peak in zip(("first", "second"), failure.peaks, strict=True):
        yield Row(f"{name} most memory of a process of the {which}", peak, "MB", most=150)


def large(place: Place) -> Iterator[Row]:
    """Yield the same rows with a database as it is after years."""
    yield from rows(place, 20 if place.is_quick else 200)
