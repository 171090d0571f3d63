"""An event held through its pages: people at desks, and a Serie from its draw to its closing."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from http import HTTPStatus
from itertools import chain
from random import Random
from typing import Any, TypeVar

from django.utils import timezone

from benchmarks.client import Answer, PatientClient
from benchmarks.expected import BUSSGELD, Line, Sheet, plan_of_prizes, ranked, strafpunkte
from benchmarks.hall import GAMES, Device, Office, Till, names, session_of, session_of_member
from benchmarks.servers import Laptops
from scoring.payments.bussgeld import PerGame
from tests.factories import make_head, make_organiser, make_tournament
from tournaments.journal import proof

DESKS = 4
SEATED = """
from tournaments.common.access_keys import table_path
from tournaments.models import TableAccess
tables = TableAccess.objects.filter(
    table__serie__tournament__slug={slug!r}, table__serie__number={serie}
).select_related("table__serie__tournament").order_by("table__number")
result = [[table_path(access), [*access.table.seats.order_by("number").values_list(
    "registration__number", flat=True)]] for access in tables]
"""
_Thing = TypeVar("_Thing")


@dataclass(frozen=True, kw_only=True)
class Size:
    """How large an event is, and how its Serien are seated."""

    initial: str  # of the last names
    listed: int  # people in the file
    comers: int = 0
    on_paper: int = 1  # tables
    seating: tuple[str, ...]
    first_day: int = 0  # Serien, if there is a second day
    pause: float = 0  # seconds between games in the Serie in which everything is killed


class Event(Office):
    """A tournament of an organiser of its own."""

    def __init__(self, laptops: Laptops, size: Size) -> None:
        owner = make_organiser(f"Verband {size.initial}")
        begins = ((0, "10:00", 1), (1, "09:00", size.first_day + 1)) if size.first_day else ()
        tournament = make_tournament(
            owner=owner,
            serien=len(size.seating),
            starts_at=timezone.now(),  # so that everybody who comes is there, at any hour
            schedule=[{"day": day, "time": at, "serie": serie} for day, at, serie in begins],
            bussgeld=PerGame(cents=BUSSGELD).to_dict(),
            prize_plan={"startgeld": plan_of_prizes()},
            four_eyes=True,
        )
        proof.baseline_proof(tournament)
        self.laptops, self.size = laptops, size
        self.clients: list[PatientClient] = []
        self.desks = [
            Office(self.browser(session_of_member(tournament)), tournament) for _d in range(DESKS)
        ]
        super().__init__(self.desks[0].client, tournament)
        self.head = self.browser(session_of(make_head(owner)))
        self.till = Till(self.browser(session_of_member(tournament)), tournament, "1")
        self.names = names(size.initial)
        self.chance = Random(size.initial)
        self.keys: dict[int, int] = {}  # of registrations, by start number
        self.sheets: list[list[Sheet]] = []  # by Serie
        self.seconds: dict[str, list[float]] = defaultdict(list)  # that people waited, by step
        self.cents = self.corrections = self.games_lost = self.receipts_lost = 0

    def browser(self, cookies: dict[str, str]) -> PatientClient:
        """Return a client with a device, or with the session of an account."""
        self.clients.append(PatientClient(self.laptops, cookies))
        return self.clients[-1]

    async def run(self, script: str, **facts: object) -> Any:
        """Return the result of a script that runs where the data are."""
        script = script.format(slug=self.slug, **facts)
        return await asyncio.to_thread(self.laptops.serving.run, script)

    async def timed(self, step: str, answer: Awaitable[Answer | float]) -> str:
        """Note the waiting time of an answer, and return the address that it redirects to."""
        begun = time.monotonic()
        result = await answer
        self.seconds[step].append(time.monotonic() - begun)
        return result.header("location") if isinstance(result, Answer) else ""

    async def at_desks(
        self, things: Iterable[_Thing], act: Callable[[Office, _Thing], Awaitable[object]]
    ) -> None:
        """Let each desk do every fourth of some things."""
        waiting = list(things)

        async def some(at: int) -> None:
            for thing in waiting[at::DESKS]:
                await act(self.desks[at], thing)

        await asyncio.gather(*map(some, range(DESKS)))

    async def wait_until(self, page: str, has: bytes) -> None:
        """Ask for a page until it has certain words."""
        while has not in (await self.client.send(page)).body:
            await asyncio.sleep(PatientClient.RETRY_SECONDS)

    async def paper(self, name: str, **asked: object) -> None:
        """Print a document."""
        client, begun = self.browser(self.client.cookies), time.monotonic()
        progress = (await client.submit(self.path("printing:start", name), **asked)).header(
            "location"
        )
        while (answer := await client.send(progress)).status == HTTPStatus.OK:
            await asyncio.sleep(PatientClient.RETRY_SECONDS)
        document = await client.send(answer.header("location"))
        demand(document.body.startswith(b"%PDF"), f"{name} is no PDF")
        self.seconds[f"printed: {name}"].append(time.monotonic() - begun)

    async def seat(self, serie: int, method: str) -> None:
        """Draw a Serie, or seat it as *method* says, and begin it."""
        begun, draft = time.monotonic(), self.path("draw:serie", serie)
        await self.press("draw:begin", serie, method_=method)
        if b"bekannt-geben" not in (await self.client.send(draft)).body:
            await self.press("draw:carry_out", serie)
        await self.wait_until(draft, b"bekannt-geben")
        await self.press("draw:publish", serie)
        self.seconds["a Serie is seated"].append(time.monotonic() - begun)
        await self.press("hall:start", serie)

    async def play(self, serie: int) -> None:
        """Let all tables play at once, on devices and on paper; the last device ends early."""
        seated = await self.run(SEATED, serie=serie)
        devices = len(seated) - self.size.on_paper
        sheets = [Sheet.played(numbers, self.chance) for _path, numbers in seated]
        del sheets[devices - 1].lines[9:]
        self.sheets.append(sheets)
        is_killed = serie == self.size.first_day + 1 > 1
        pause = self.size.pause if is_killed else 0

        async def keep(at: int) -> Device:
            device = Device(self.browser({}), seated[at][0])
            await device.open()
            await device.enter(sheets[at].lines, pause)
            if at == devices - 1:
                await self.agree(self.path("checking:end", serie, at + 1), reason="Zeit")
            await device.sign()
            return device

        async def copy(desk: Office, at: int) -> None:
            await desk.press("hall:on_paper", serie, at + 1, on_paper=1)
            typed: dict[str, Any] = dict(sheets[at].cells(), confirmed=1)
            form = desk.client.fill(desk.path("hall:grid", serie, at + 1), **typed)
            await self.timed("a list on paper is typed", form)

        playing = [keep(at) for at in range(devices)]
        beside: list[Awaitable[None]] = []
        if is_killed:
            beside.append(self.be_killed())
        else:
            beside.append(self.at_desks(range(devices, len(seated)), copy))
        if serie == 1:
            beside += [self.paper("startkarten"), self.paper("druckpaket", serie=1)]
        kept, _others = await asyncio.gather(asyncio.gather(*playing), asyncio.gather(*beside))
        if is_killed:
            await self.at_desks(range(devices, len(seated)), copy)
        for device in kept:
            self.games_lost += len(device.lost)
            for kind, act in (("game", "a game is entered"), ("sign", "a list is signed")):
                step = f"{act} beside a kill" if is_killed else act
                self.seconds[step] += [each / 1000 for each in device.milliseconds[kind]]

    async def be_killed(self) -> None:
        """Kill all processes in the middle of the Serie, while a till books; continue elsewhere."""
        laptops, is_over = self.laptops, asyncio.Event()
        is_sqlite = laptops.place.database_url.startswith("sqlite")
        booking = asyncio.create_task(self.till.book_until(is_over, self.size.pause / 2))
        await asyncio.sleep(GAMES / 2 * self.size.pause)
        await asyncio.to_thread(laptops.take_over if is_sqlite else laptops.restart)
        is_over.set()
        await booking
        self.receipts_lost = len(await self.till.book_lost())
        self.cents += Till.CENTS * len(self.till.confirmed)
        step = "a receipt is booked beside a kill"
        self.seconds[step] += [each / 1000 for each in self.till.milliseconds]

    async def agree(self, page: str, **typed: Any) -> None:
        """Let one account propose a correction, and another one approve it."""
        await self.timed("a correction is proposed", self.client.fill(page, **typed))
        self.corrections += 1
        page = self.path("checking:correction", self.corrections)
        approved = self.desks[1].client.fill(page, f"{page}ausfuehren/")
        await self.timed("a correction is approved", approved)

    async def close(self, serie: int) -> None:
        """Take in all lists with their Bußgeld, correct, check, tell, and close the Serie."""
        sheets = self.sheets[-1]

        async def hand_in(desk: Office, at: int) -> None:
            paid = {"act": "all", "cents": sheets[at].bussgeld}
            form = desk.press("hall:hand_in_act", serie, at + 1, **paid)
            await self.timed("a list is handed in", form)

        async def check(desk: Office, at: int) -> None:
            page = desk.path("checking:list", serie, at + 1)
            await self.timed("a list is checked", desk.client.fill(page, f"{page}geprueft/"))

        await self.at_desks(range(len(sheets)), hand_in)
        self.cents += sum(sheet.bussgeld for sheet in sheets)
        await self.correct(serie)
        await self.at_desks(range(len(sheets)), check)
        await self.client.fill(self.path("notices:slips"), self.path("notices:tell_several"))
        await self.timed("a Serie is closed", self.press("closing:close_serie", serie))

    async def correct(self, serie: int) -> None:
        """Correct a hand of the first table; give Strafpunkte, in the end so that two are equal."""
        sheets = self.sheets[-1]
        line = sheets[0].lines[3]
        seat = line["finisher"] % len(sheets[0].numbers) + 1
        line["minus"][seat - 1] += 1
        page = self.path("checking:line", serie, 1) + "?spiel=4"
        await self.agree(page, **{f"minus_{seat}": line["minus"][seat - 1], "reason": "verzählt"})
        number, points = sheets[0].numbers[0], 100
        if serie == len(self.size.seating):
            number, points = strafpunkte(self.ranking())
        if points:
            at = next(at for at, sheet in enumerate(sheets) if number in sheet.numbers)
            sheets[at].penalties[number] = points
            given = {"registration": self.keys[number], "points": 0, "other_points": points}
            page = self.path("checking:penalties", serie, at + 1)
            await self.agree(page, **given, reason="falsch ausgelegt")

    def ranking(self) -> list[Line]:
        """Return the ranking of all that was sent."""
        return ranked(chain.from_iterable(self.sheets))


def demand(holds: bool, otherwise: str) -> None:
    """Raise an error with the message *otherwise* unless the condition *holds*."""
    if not holds:
        raise RuntimeError(otherwise)
