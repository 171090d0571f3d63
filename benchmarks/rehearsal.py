"""A championship rehearsed: two days, five Serien, 440 people, and another organiser beside it.

    make rehearsal [QUICK=1]

400 people are registered from a file; some of them pay by transfer, and at four desks everybody
else pays and 40 more come. 110 tables play: 100 enter their games on a device, ten write on paper,
which is typed into the grid. In each Serie one list ends early, one is corrected and a player gets
Strafpunkte, each proposed by one account and approved by another; all lists are handed in with
their Bußgeld and checked. In the night the program is ended and started again; one player leaves,
and one is substituted. In the middle of the first Serie of the second day everything is killed: on
SQLite a second laptop takes over, on PostgreSQL the program is started again. Devices send lost
games again, and a till books lost receipts again. In the end an Entscheidungsspiel decides ties,
prizes are paid, and the archive is written. Meanwhile another organiser holds an evening.

Measured is how long people waited while all tables enter games as fast as they are answered. The
ranking, the prizes and the till are computed again from the sent games (``expected.py``); each
difference is an error, and so is an address that admits an account of the other organiser.
"""

from __future__ import annotations

import asyncio
import csv
from collections.abc import Awaitable, Iterable, Iterator, Sequence
from http import HTTPStatus
from io import StringIO
from itertools import chain
from typing import Any
from urllib.parse import urlencode

from django.urls import resolve
from django.utils import timezone

from benchmarks.client import Answer, PatientClient
from benchmarks.event import Event, Size, demand
from benchmarks.expected import (
    SHARES,
    STARTGELD,
    Line,
    named,
    prizes,
    table_of,
    to_play_off,
    with_ranks,
)
from benchmarks.hall import Office
from benchmarks.results import Row, waits
from benchmarks.servers import Laptops, Place
from tests.server import FORM
from tournaments.common.submissions import new_form_key

SERIEN = ("electronic", "planned", "planned", "electronic", "ranking")
FULL = Size(initial="A", listed=400, comers=40, on_paper=10, seating=SERIEN, first_day=3, pause=2.5)
SMALL = Size(initial="A", listed=24, comers=4, seating=SERIEN, first_day=3, pause=0.5)
EVENING = Size(initial="Z", listed=12, seating=("electronic", "ranking"))
LATE = {"late_reason": "Stau"}
LOOKS = ("journal:page", "journal:csv", "cash:book", "cash:csv", "desk:list", "printing:documents")
ENTERED = """
from tournaments.models import Registration
all = Registration.objects.filter(tournament__slug={slug!r}).order_by("number")
result = [*map(list, all.values_list("number", "pk", "person__first_name", "person__last_name"))]
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


class Championship(Event):
    """An event from the file of registrations to the archive."""

    # --- The first morning ---------------------------------------------------------------------

    async def register(self) -> None:
        """Register the people of a file, and others at the desk; take their payments."""
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
        """Take in a statement of the bank, and book its clear transfers."""
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

    # --- The night, and the end -----------------------------------------------------------------

    async def count(self) -> None:
        """Count the till, and demand that it is right."""
        euros = f"{self.cents // 100},{self.cents % 100:02}"
        form = self.client.fill(self.path("cash:count"), loose_cents=euros)
        page = await self.timed("the till is counted", form)
        text = (await self.client.get(page)).text
        demand("Die Kasse stimmt." in text, "The till is not right")

    async def sleep(self) -> None:
        """End the program and start it again; one player leaves, one is substituted.

        All dates of the tournament move a day back, so that the second day begins.
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
        """Demand that the program shows the expected ranking."""
        answer = await self.client.get(self.path("results:file", "csv") + query)
        columns = ("Rang", "Startnummer", "beendete Spiele", "Handrommés", "Punkte")
        rows = csv.DictReader(StringIO(answer.body.decode("utf-8-sig")), delimiter=";")
        shown = [[int(row[name]) for name in columns] for row in rows if row["Rang"]]
        expected = [
            [rank, line.number, line.won, line.handromme, sum(line.points)] for rank, line in lines
        ]
        demand(shown == expected, f"{expected} is expected, the program shows {shown}")

    async def demand_money(self, lines: Iterable[tuple[int, Line]]) -> None:
        """Demand that prizes and till are as expected."""
        amounts = prizes(len(self.keys))
        paid = {line.number: amounts[rank] for rank, line in lines if rank in amounts}
        self.cents -= sum(paid.values())
        booked = await self.run(BOOKED)
        demand(dict(booked["prizes"]) == paid, f"{paid} is to be paid, {booked['prizes']} is")
        demand(booked["till"] == self.cents, f"{self.cents} is expected, {booked['till']} booked")

    async def end(self) -> None:
        """Print the documents of the end, close, and write the archive."""
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
        """Hold the whole tournament; an event *beside* it is over before the night."""
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
        """Return the addresses and names here that an account of another organiser can see."""
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


def rows(place: Place) -> Iterator[Row]:
    """Hold both, and let each organiser try what the other one requested."""
    laptops = Laptops(place)
    event = Championship(laptops, SMALL if place.is_quick else FULL)
    evening = Championship(laptops, EVENING)

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
