"""A championship rehearsed: two days, five Serien, 440 people, and another organiser beside it.

    make rehearsal [QUICK=1]

400 people are registered from a file; some of them pay by transfer, and at four desks everybody
else pays and 40 more come. 110 tables play: 100 enter their games on a device, ten write on paper,
which is typed into the grid. In each Serie one list ends early, one is corrected and somebody gets
Strafpunkte, each proposed by one account and approved by another; all lists are handed in with
their Bußgeld and checked. In the night the program is ended and started again; somebody leaves, and
somebody is substituted. In the middle of the first Serie of the second day everything is killed: on
SQLite a second laptop takes over, on PostgreSQL the program is started again. Devices send lost
games again, and a till books lost receipts again. In the end an Entscheidungsspiel decides ties,
prizes are paid, and the archive is written. Meanwhile another organiser holds an evening.

Measured is how long people waited while all tables enter games as fast as they are answered. The
ranking, the prizes and the till are computed again from what was sent (``expected.py``); each
difference is an error, and so is an address that admits an account of the other organiser.
"""

from __future__ import annotations

import asyncio
import csv
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from io import StringIO
from itertools import chain
from random import Random
from typing import Any, TypeVar
from urllib.parse import urlencode

from django.urls import resolve
from django.utils import timezone

from benchmarks.client import Answer, PatientClient
from benchmarks.expected import (
    BUSSGELD,
    SHARES,
    STARTGELD,
    Line,
    Sheet,
    named,
    plan_of_prizes,
    prizes,
    ranked,
    strafpunkte,
    table_of,
    to_play_off,
    with_ranks,
)
from benchmarks.hall import GAMES, Device, Office, Till, names, session_of, session_of_member
from benchmarks.results import Row, waits
from benchmarks.servers import Laptops, Place
from scoring.payments.bussgeld import PerGame
from tests.factories import make_head, make_organiser, make_tournament
from tests.server import FORM
from tournaments.common.submissions import new_form_key
from tournaments.journal import proof

DESKS = 4
FORBIDDEN, NOT_BOOKED = HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND
LATE = {"late_reason": "Stau"}
LOOKS = ("journal:page", "journal:csv", "cash:book", "cash:csv", "desk:list", "printing:documents")
ENTERED = """
from tournaments.models import Registration
all = Registration.objects.filter(tournament__slug={slug!r}).order_by("number")
result = [*map(list, all.values_list("number", "pk", "person__first_name", "person__last_name"))]
"""
SEATED = """
from tournaments.common.access_keys import table_path
from tournaments.models import TableAccess
tables = TableAccess.objects.filter(
    table__serie__tournament__slug={slug!r}, table__serie__number={serie}
).select_related("table__serie__tournament").order_by("table__number")
result = [[table_path(access), [*access.table.seats.order_by("number").values_list(
    "registration__number", flat=True)]] for access in tables]
"""
NIGHT = """
from datetime import timedelta
from django.db.models import F
from tournaments.journal import proof
from tournaments.models import Registration, Tournament
held, day = Tournament.objects.filter(slug={slug!r}), timedelta(days=1)
held.update(starts_at=F("starts_at") - day, registration_deadline=F("registration_deadline") - day)
Registration.objects.filter(tournament__in=held).update(present_at=F("present_at") - day)
result = proof.baseline_proof(held.get())
"""
BOOKED = """
from tournaments.cash.queries import balances
from tournaments.journal import proof, services
from tournaments.models import PrizePayout, Tournament
paid = PrizePayout.objects.filter(tournament__slug={slug!r})
result = {{
    "till": balances.till_cents(Tournament.objects.get(slug={slug!r})),
    "prizes": [*map(list, paid.values_list("registration__number", "amount_cents"))],
    "broken": [*map(str, services.first_breaks()), *map(str, proof.of_installation())],
}}
"""


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


SERIEN = ("electronic", "planned", "planned", "electronic", "ranking")
FULL = Size(initial="A", listed=400, comers=40, on_paper=10, seating=SERIEN, first_day=3, pause=2.5)
SMALL = Size(initial="A", listed=24, comers=4, seating=SERIEN, first_day=3, pause=0.5)
EVENING = Size(initial="Z", listed=12, seating=("electronic", "ranking"))
_Thing = TypeVar("_Thing")


class Event(Office):
    """A tournament of an organiser of its own, from the file to the archive."""

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
        """Return somebody with a device, or with the session of an account."""
        self.clients.append(PatientClient(self.laptops, cookies))
        return self.clients[-1]

    async def run(self, script: str, **facts: object) -> Any:
        """Return the result of a script that runs where the data are."""
        script = script.format(slug=self.slug, **facts)
        return await asyncio.to_thread(self.laptops.serving.run, script)

    async def timed(self, step: str, answer: Awaitable[Answer | float]) -> str:
        """Note how long somebody waited for an answer, and return where it leads to."""
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

    # --- The first morning ---------------------------------------------------------------------

    async def register(self) -> None:
        """Register the people of a file; take what they pay, and those who come without."""
        fill, page = self.client.fill, self.path("desk:import")
        columns = await fill(page, page, file=table_of(self.names[: self.size.listed]))
        preview = (await fill(columns.header("location"))).header("location")
        taken = fill(preview, f"{preview}uebernehmen/", **LATE)
        await self.timed("all of the file are registered", taken)
        listed = await self.run(ENTERED)
        by_bank = listed[::5]
        await self.transfer(by_bank)

        async def receive(desk: Office, person: Sequence[Any]) -> None:
            number, key, first, last = person
            new = desk.path("desk:new")
            if not number:
                form = desk.client.fill(new, new, first_name=first, last_name=last, **LATE)
                await self.timed("registered, and paid", form)
            elif person in by_bank:
                await self.timed("ticked off", desk.press("desk:arrive", key))
            else:
                search = f"{self.path('desk:desk')}?{urlencode({'q': last})}"
                form = desk.client.fill(search, desk.path("desk:pay", key))
                await self.timed("found, and paid", form)

        comers = self.names[self.size.listed : self.size.listed + self.size.comers]
        people = [*listed, *((0, 0, *name) for name in comers)]
        self.chance.shuffle(people)
        await self.at_desks(people, receive)
        self.cents += STARTGELD * (len(people) - len(by_bank))
        self.keys = {number: key for number, key, *_name in await self.run(ENTERED)}

    async def transfer(self, people: Sequence[Sequence[Any]]) -> None:
        """Take in a statement of the bank, and book what is clear."""
        day = f"{timezone.localdate():%d.%m.%Y}"
        lines = ["Buchungstag;Auftraggeber;Verwendungszweck;Betrag"]
        lines += [
            f"{day};{first} {last};Nr. {number};15,00" for number, _key, first, last in people
        ]
        page = self.path("cash:transfers")
        statement = named("bank.csv", "\n".join(lines).encode())
        await self.client.fill(page, self.path("cash:take_in"), statement=statement)
        booked = self.client.fill(page, self.path("cash:book_clear"))
        await self.timed("all transfers are booked", booked)

    # --- A Serie -------------------------------------------------------------------------------

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
        """Kill everything in the middle of the Serie, while a till books; go on elsewhere."""
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

    # --- The night, and the end -----------------------------------------------------------------

    async def count(self) -> None:
        """Count the till, which has to be right."""
        euros = f"{self.cents // 100},{self.cents % 100:02}"
        form = self.client.fill(self.path("cash:count"), loose_cents=euros)
        page = await self.timed("the till is counted", form)
        text = (await self.client.get(page)).text
        demand("Die Kasse stimmt." in text, "The till is not right")

    async def sleep(self) -> None:
        """End the program and start it again; somebody leaves, somebody plays for another one.

        So that the second day comes, all dates of the tournament move a day back.
        """
        await self.count()
        await self.demand_ranking(with_ranks(self.ranking()), "?wertung=tag-1")
        await self.run(NIGHT)
        await asyncio.to_thread(self.laptops.restart)
        leaves, ill = (self.keys[number] for number in self.sheets[-1][-1].numbers[:2])
        page = self.path("desk:registration", leaves)
        await self.client.fill(page, f"{page}abmelden/", reason="abgereist")
        first, last = self.names[-1]
        await self.head.fill("/personen/neu/", first_name=first, last_name=last)
        page = self.path("desk:registration", ill)
        await self.head.fill(f"{page}?q={last}", f"{page}einwechseln/", reason="krank")

        async def arrive(desk: Office, key: int) -> None:
            await self.timed("ticked off on the second day", desk.press("desk:arrive", key))

        await self.at_desks([key for key in self.keys.values() if key != leaves], arrive)
        if self.laptops.place.database_url.startswith("sqlite"):
            await asyncio.to_thread(self.laptops.stand_by)

    async def give_prizes(self) -> None:
        """Play the ties off, and pay what the prize plan says."""
        lines, fill = self.ranking(), self.client.fill
        ties = dict(to_play_off(lines))
        for rank, numbers in ties.items():
            won = {
                f"einzel-{rank}-place_{number}": at for at, number in enumerate(numbers, start=1)
            }
            record = self.path("prizes:record", "einzel", rank)
            form = fill(self.path("prizes:playoffs"), record, **won)
            await self.timed("a tie is decided", form)
        paid = fill(self.path("prizes:prizes"), self.path("prizes:pay_all"))
        await self.timed("all prizes are paid", paid)
        places = [*with_ranks(lines, {*chain.from_iterable(ties.values())})]
        await self.demand_ranking(places)
        await self.demand_money(places)

    async def demand_ranking(self, lines: Iterable[tuple[int, Line]], query: str = "") -> None:
        """Demand that the program ranks as it follows from what was sent."""
        answer = await self.client.get(self.path("results:file", "csv") + query)
        columns = ("Rang", "Startnummer", "beendete Spiele", "Handrommés", "Punkte")
        rows = csv.DictReader(StringIO(answer.body.decode("utf-8-sig")), delimiter=";")
        shown = [[int(row[name]) for name in columns] for row in rows if row["Rang"]]
        expected = [
            [rank, line.number, line.won, line.handromme, sum(line.points)] for rank, line in lines
        ]
        demand(shown == expected, f"{expected} is expected, the program shows {shown}")

    async def demand_money(self, lines: Iterable[tuple[int, Line]]) -> None:
        """Demand that prizes and till are those that follow from what was sent."""
        amounts = prizes(len(self.keys))
        paid = {line.number: amounts[rank] for rank, line in lines if rank in amounts}
        self.cents -= sum(paid.values())
        booked = await self.run(BOOKED)
        demand(dict(booked["prizes"]) == paid, f"{paid} is to be paid, {booked['prizes']} is")
        demand(booked["till"] == self.cents, f"{self.cents} is expected, {booked['till']} booked")

    async def end(self) -> None:
        """Print what is taken home, close, and write the archive."""
        await self.paper("rangliste", ranking="einzel")
        await self.paper("urkunden", ranking="einzel", places=len(SHARES))
        await self.paper("kassenbericht")
        await self.paper("spiellisten-gespielt", serie=1)
        await self.count()
        await self.timed("the tournament is closed", self.press("closing:close"))
        await self.timed("the archive is written", self.export())
        for page in LOOKS:
            await self.timed("a page is looked at", self.head.get(self.path(page)))
        breaks = (await self.run(BOOKED))["broken"]
        demand(not breaks, f"The journal is broken: {breaks}")

    async def export(self) -> Answer:
        """Write the archive, and fetch it."""
        wait = (await self.head.fill(self.path("archive:export"))).header("location")
        while f"{wait}datei/" not in (await self.head.send(wait)).text:
            await asyncio.sleep(PatientClient.RETRY_SECONDS)
        answer = await self.head.get(f"{wait}datei/")
        demand(self.slug.encode() in answer.body, "The archive is of another tournament")
        return answer

    async def hold(self, beside: Awaitable[None] | None = None) -> None:
        """Go through everything; what is held *beside* it is over before the night."""
        await self.register()
        await self.press("setup:start")
        for serie, method in enumerate(self.size.seating, start=1):
            if serie == self.size.first_day + 1 > 1:
                if beside is not None:
                    await beside
                await self.sleep()
            await self.seat(serie, method)
            await self.play(serie)
            await self.close(serie)
        await self.give_prizes()
        await self.end()

    # --- The other organiser --------------------------------------------------------------------

    def requests(self) -> dict[str, tuple[str, str]]:
        """Return path and content type of the last request of each view with an account."""
        last = {}
        for client in self.clients:
            for path, kind in client.sent.items():
                match = resolve(path.partition("?")[0])
                if match.kwargs and "sessionid" in client.cookies:
                    last[match.view_name] = path, kind
        return last

    async def admitted(self, stranger: PatientClient) -> list[str]:
        """Return what an account of another organiser sees of all that was requested here."""
        client, open_to_it = PatientClient(self.laptops, stranger.cookies), []
        for path, kind in self.requests().values():
            body = f"form_key={new_form_key()}" if kind else ""
            status = (await client.send(path, body, kind and FORM)).status
            if status not in {HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND}:
                open_to_it.append(f"{path}: {status}")
        for _first, last in self.names[: self.size.listed : 5]:
            if last.encode() in (await client.send(f"/personen/?q={last[:-2]}")).body:
                open_to_it.append(last)
        return open_to_it

    def faults(self) -> list[str]:
        """Return the answers that were a fault of the program."""
        return [fault for client in self.clients for fault in client.faults]


def demand(holds: bool, otherwise: str) -> None:
    """Raise what is wrong, unless something holds."""
    if not holds:
        raise RuntimeError(otherwise)


def rows(place: Place) -> Iterator[Row]:
    """Hold both, and let each organiser try what the other one requested."""
    laptops = Laptops(place)
    event, evening = Event(laptops, SMALL if place.is_quick else FULL), Event(laptops, EVENING)

    async def hold() -> list[str]:
        await event.hold(asyncio.create_task(evening.hold()))
        return [*await event.admitted(evening.head), *await evening.admitted(event.head)]

    with laptops:
        admitted = asyncio.run(hold())
    demand(not admitted, f"The other organiser sees {admitted}")
    name = f"championship of {len(event.keys)}:"
    for step, seconds in event.seconds.items():
        yield from waits(f"{name} {step}", seconds)
    tried = len(event.requests()) + len(evening.requests())
    yield Row(f"{name} games lost by the kill, all sent again", event.games_lost)
    yield Row(f"{name} receipts lost by the kill, all booked again", event.receipts_lost)
    yield Row(f"{name} answers that were faults", len(event.faults()), most=0)
    evening_faults = f"{name} answers that were faults, at the other organiser's evening"
    yield Row(evening_faults, len(evening.faults()), most=0)
    yield Row(f"{name} addresses open to the other organiser", len(admitted), most=0)
    yield Row(f"{name} addresses tried by the other organiser", tried)
    yield Row(f"{name} ranked as computed again", len(event.ranking()))
    yield Row(f"{name} in the till, right to the cent", event.cents / 100, "€")
