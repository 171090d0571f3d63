"""A championship rehearsed: two days, five Serien, 440 people, and another organiser beside it.

    make rehearsal [QUICK=1]

400 people are registered from a file; some of them pay by transfer, and at four desks everybody
else pays and 40 more come. 110 tables play: 100 enter their games on a phone, ten write on paper,
which is typed into the grid. In each Serie one list ends early, one is corrected and somebody gets
Strafpunkte, each proposed by one account and approved by another; all lists are handed in with
their Bußgeld and checked. In the night the program is ended and started again; somebody leaves, and
somebody is substituted. In the end an Entscheidungsspiel decides the ties, the prizes are paid, and
the archive is written. Meanwhile another organiser holds an evening on the same server.

Measured is how long people waited while all tables enter their games as fast as they are answered.
The ranking, the prizes and the till are reckoned anew from what was sent (``expected.py``);
each difference is an error, and so is an address that lets in an account of the other organiser.
"""

# Models can be imported only after the database was chosen and Django set up.
# ruff: noqa: PLC0415

from __future__ import annotations

import csv
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from http import HTTPStatus
from io import StringIO
from itertools import chain
from random import Random
from typing import Any
from urllib.parse import urlencode

from benchmarks.client import FORM, Person, Table
from benchmarks.expected import (
    BUSSGELD,
    SHARES,
    STARTGELD,
    Line,
    Sheet,
    named,
    names,
    plan_of_prizes,
    prizes,
    ranked,
    strafpunkte,
    table_of,
    to_play_off,
    with_ranks,
)
from benchmarks.hall import Hall, done
from benchmarks.results import Place, Row
from benchmarks.servers import Laptops

FORBIDDEN, NOT_FOUND = HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND
LATE = {"late_reason": "Stau"}
LOOKS = ("journal:page", "journal:csv", "cash:book", "cash:csv", "desk:list", "printing:documents")
ENTERED = """
from tournaments.models import Registration
all = Registration.objects.filter(tournament__slug={slug!r}).order_by("number")
said = [*map(list, all.values_list("number", "pk", "person__first_name", "person__last_name"))]
"""
SEATED = """
from tournaments.common.access_keys import table_path
from tournaments.models import TableAccess
tables = TableAccess.objects.filter(
    table__serie__tournament__slug={slug!r}, table__serie__number={serie}
).select_related("table__serie__tournament").order_by("table__number")
said = [[table_path(one), [*one.table.seats.order_by("number").values_list(
    "registration__number", flat=True)]] for one in tables]
"""
NIGHT = """
from datetime import timedelta
from django.db.models import F
from tournaments.journal import proof
from tournaments.models import Registration, Tournament
held, day = Tournament.objects.filter(slug={slug!r}), timedelta(days=1)
held.update(starts_at=F("starts_at") - day, registration_deadline=F("registration_deadline") - day)
Registration.objects.filter(tournament__in=held).update(present_at=F("present_at") - day)
said = proof.baseline_proof(held.get())
"""
FOUND = """
from tournaments.cash.queries import balances
from tournaments.journal import proof, services
from tournaments.models import PrizePayout, Tournament
paid = PrizePayout.objects.filter(tournament__slug={slug!r})
said = {{
    "till": balances.till_cents(Tournament.objects.get(slug={slug!r})),
    "prizes": [*map(list, paid.values_list("registration__number", "amount_cents"))],
    "broken": [*map(str, services.first_breaks()), *map(str, proof.of_installation())],
}}
"""


@dataclass(frozen=True, kw_only=True)
class Size:
    """How large an event is, and how its Serien are seated."""

    names: str  # what the last names begin with
    listed: int  # people of the file
    comers: int = 0
    on_paper: int = 1  # tables
    seating: tuple[str, ...]
    first_day: int = 0  # Serien, if there is a second one

    def schedule(self) -> list[dict[str, Any]]:
        """Return the Zeitplan of two days; nothing for one."""
        if not self.first_day:
            return []
        begins = ((0, "10:00", 1), (1, "09:00", self.first_day + 1))
        return [{"day": day, "time": time, "serie": serie} for day, time, serie in begins]


SERIEN = ("electronic", "planned", "planned", "electronic", "ranking")
FULL = Size(names="A", listed=400, comers=40, on_paper=10, seating=SERIEN, first_day=3)
SMALL = Size(names="A", listed=24, comers=4, seating=SERIEN, first_day=3)
EVENING = Size(names="Z", listed=12, seating=("electronic", "ranking"))


class Event(Hall):
    """A tournament of an organiser of its own, from the file to the archive."""

    def __init__(self, laptops: Laptops, size: Size) -> None:
        from django.utils import timezone

        from scoring.payments.bussgeld import PerGame
        from tests import factories
        from tournaments.common.organisers import add_account
        from tournaments.journal import proof
        from tournaments.models import Organiser, Right

        name = f"Verband {size.names}"
        owner = Organiser.objects.create(name=name)
        tournament = factories.make_tournament(
            owner=owner,
            serien=len(size.seating),
            starts_at=timezone.now(),  # so that everybody who comes is there, at any hour
            schedule=size.schedule(),
            bussgeld=PerGame(cents=BUSSGELD).to_dict(),
            prize_plan={"startgeld": plan_of_prizes()},
            four_eyes=True,
        )
        proof.baseline_proof(tournament)
        super().__init__(laptops, tournament)
        head = factories.make_user()
        add_account(head, owner, Right.ALL)
        self.head, self.size = self.logged_in(head), size
        self.names = names(size.names)
        self.chance = Random(size.names)
        self.keys: dict[int, int] = {}  # of registrations, by start number
        self.sheets: list[list[Sheet]] = []  # by Serie
        self.till = self.corrections = 0

    def told(self, script: str, **facts: object) -> Any:
        """Return what a script says that runs where the data are."""
        return self.laptops.now.told(script.format(slug=self.slug, **facts))

    # --- The first morning ---------------------------------------------------------------------

    def register(self) -> None:
        """Register the people of a file; take what they pay, and those who come without."""
        file = table_of(self.names[: self.size.listed])
        columns = self.lead.fill(self.path("desk:import"), self.path("desk:import"), file=file)
        preview = self.lead.fill(columns)
        step = "all of the file are registered"
        self.lead.fill(preview, f"{preview}uebernehmen/", step=step, **LATE)
        listed = self.told(ENTERED)
        by_bank = listed[::5]
        self.transfer(by_bank)

        def receive(desk: Person, one: tuple[int, int, str, str]) -> None:
            number, key, first, last = one
            if not number:
                new, step = self.path("desk:new"), "registered, and paid"
                desk.fill(new, new, step=step, first_name=first, last_name=last, **LATE)
            elif one in by_bank:
                desk.press("desk:arrive", key, step="ticked off")
            else:
                found = f"{self.path('desk:desk')}?{urlencode({'q': last})}"
                desk.fill(found, self.path("desk:pay", key), step="found, and paid")

        comers = self.names[self.size.listed : self.size.listed + self.size.comers]
        people = [*listed, *((0, 0, *name) for name in comers)]
        self.chance.shuffle(people)
        self.at_desks(people, receive)
        self.till += STARTGELD * (len(people) - len(by_bank))
        self.keys = {number: key for number, key, *_name in self.told(ENTERED)}

    def transfer(self, people: list[tuple[int, int, str, str]]) -> None:
        """Take in a statement of the bank, and book what is clear."""
        from django.utils import timezone

        day = f"{timezone.localdate():%d.%m.%Y}"
        lines = ["Buchungstag;Auftraggeber;Verwendungszweck;Betrag"]
        lines += [
            f"{day};{first} {last};Nr. {number};15,00" for number, _key, first, last in people
        ]
        page = self.path("cash:transfers")
        statement = named("bank.csv", "\n".join(lines).encode())
        self.lead.fill(page, self.path("cash:take_in"), statement=statement)
        self.lead.fill(page, self.path("cash:book_clear"), step="all transfers are booked")

    # --- A Serie -------------------------------------------------------------------------------

    def play(self, serie: int) -> None:
        """Let all tables play at once, on phones and on paper; the last phone ends early."""
        seated = self.told(SEATED, serie=serie)
        phones = len(seated) - self.size.on_paper
        sheets = [Sheet.played(numbers, self.chance) for _path, numbers in seated]
        del sheets[phones - 1].lines[9:]
        self.sheets.append(sheets)

        def keep(at: int) -> None:
            table = Table(self)
            table.open(seated[at][0])
            table.enter(sheets[at].lines)
            if at == phones - 1:
                self.agree(self.path("checking:end", serie, at + 1), reason="Zeit")
            table.sign()

        def copy(desk: Person, at: int) -> None:
            desk.press("hall:on_paper", serie, at + 1, on_paper=1)
            grid = self.path("hall:grid", serie, at + 1)
            typed: dict[str, Any] = dict(sheets[at].cells(), confirmed=1)
            desk.fill(grid, step="a list on paper is typed", **typed)

        with ThreadPoolExecutor(len(seated) + 3) as pool:
            busy = [pool.submit(keep, at) for at in range(phones)]
            busy.append(pool.submit(self.at_desks, range(phones, len(seated)), copy))
            if serie == 1:
                busy.append(pool.submit(self.paper, "startkarten"))
                busy.append(pool.submit(self.paper, "druckpaket", serie=1))
            done(busy)

    def agree(self, page: str, **typed: Any) -> None:
        """Let one account propose a correction, and another one approve it."""
        self.lead.fill(page, step="a correction is proposed", **typed)
        self.corrections += 1
        page = self.path("checking:correction", self.corrections)
        self.desks[1].fill(page, f"{page}ausfuehren/", step="a correction is approved")

    def close(self, serie: int) -> None:
        """Take in all lists with their Bußgeld, correct, check, tell, and close the Serie."""
        sheets = self.sheets[-1]

        def hand_in(desk: Person, at: int) -> None:
            paid = {"act": "all", "cents": sheets[at].bussgeld}
            desk.press("hall:hand_in_act", serie, at + 1, step="a list is handed in", **paid)

        def check(desk: Person, at: int) -> None:
            page = self.path("checking:list", serie, at + 1)
            desk.fill(page, f"{page}geprueft/", step="a list is checked")

        self.at_desks(range(len(sheets)), hand_in)
        self.till += sum(sheet.bussgeld for sheet in sheets)
        self.correct(serie)
        self.at_desks(range(len(sheets)), check)
        self.lead.fill(self.path("notices:slips"), self.path("notices:tell_several"))
        self.lead.press("closing:close_serie", serie, step="a Serie is closed")

    def correct(self, serie: int) -> None:
        """Correct a hand of the first table; give Strafpunkte, in the end so that two are equal."""
        sheets = self.sheets[-1]
        line = sheets[0].lines[3]
        seat = line["finisher"] % len(sheets[0].numbers) + 1
        line["minus"][seat - 1] += 1
        page = self.path("checking:line", serie, 1) + "?spiel=4"
        self.agree(page, **{f"minus_{seat}": line["minus"][seat - 1], "reason": "verzählt"})
        number, points = sheets[0].numbers[0], 100
        if serie == len(self.size.seating):
            number, points = strafpunkte(self.ranking())
        if points:
            at = next(at for at, sheet in enumerate(sheets) if number in sheet.numbers)
            sheets[at].penalties[number] = points
            given = {"registration": self.keys[number], "points": 0, "other_points": points}
            page = self.path("checking:penalties", serie, at + 1)
            self.agree(page, **given, reason="falsch ausgelegt")

    def ranking(self) -> list[Line]:
        """Return the ranking of all that was sent."""
        return ranked(chain.from_iterable(self.sheets))

    def paper(self, name: str, **asked: object) -> None:
        """Print a document."""
        self.print(name, asked, f"printed: {name}")

    # --- The night, and the end -----------------------------------------------------------------

    def count(self) -> None:
        """Count the till, which has to be right."""
        euros = f"{self.till // 100},{self.till % 100:02}"
        page = self.path("cash:count")
        page = self.lead.fill(page, loose_cents=euros, step="the till is counted")
        demand("Die Kasse stimmt." in self.lead.ask(page)[2].decode(), "The till is not right")

    def sleep(self) -> None:
        """End the program and start it again; somebody leaves, somebody plays for another one.

        So that the second day comes, all dates of the tournament move a day back.
        """
        self.count()
        self.demand_ranking(with_ranks(self.ranking()), "?wertung=tag-1")
        self.laptops.server.kill()
        self.told(NIGHT)
        self.laptops.server.start()
        leaves, ill = (self.keys[number] for number in self.sheets[-1][-1].numbers[:2])
        page = self.path("desk:registration", leaves)
        self.lead.fill(page, f"{page}abmelden/", reason="abgereist")
        first, last = self.names[-1]
        self.head.fill("/personen/neu/", first_name=first, last_name=last)
        page = self.path("desk:registration", ill)
        self.head.fill(f"{page}?q={last}", f"{page}einwechseln/", reason="krank")
        here = [key for key in self.keys.values() if key != leaves]
        step = "ticked off on the second day"
        self.at_desks(here, lambda desk, key: desk.press("desk:arrive", key, step=step))

    def give_prizes(self) -> None:
        """Play the ties off, and pay what the prize plan says."""
        lines = self.ranking()
        ties = dict(to_play_off(lines))
        for rank, numbers in ties.items():
            won = {f"einzel-{rank}-place_{one}": at for at, one in enumerate(numbers, start=1)}
            record = self.path("prizes:record", "einzel", rank)
            self.lead.fill(self.path("prizes:playoffs"), record, **won, step="a tie is decided")
        step = "all prizes are paid"
        self.lead.fill(self.path("prizes:prizes"), self.path("prizes:pay_all"), step=step)
        places = [*with_ranks(lines, {*chain.from_iterable(ties.values())})]
        self.demand_ranking(places)
        self.demand_money(places)

    def demand_ranking(self, lines: Iterable[tuple[int, Line]], query: str = "") -> None:
        """See that the program ranks as it follows from what was sent."""
        file = self.lead.ask(self.path("results:file", "csv") + query)[2].decode("utf-8-sig")
        names = ("Rang", "Startnummer", "beendete Spiele", "Handrommés", "Punkte")
        rows = csv.DictReader(StringIO(file), delimiter=";")
        found = [[int(row[name]) for name in names] for row in rows if row["Rang"]]
        wanted = [
            [rank, line.number, line.won, line.handromme, sum(line.points)] for rank, line in lines
        ]
        demand(found == wanted, f"{wanted} is wanted, there is {found}")

    def demand_money(self, lines: Iterable[tuple[int, Line]]) -> None:
        """See that prizes and till are those that follow from what was sent."""
        amounts = prizes(len(self.keys))
        paid = {line.number: amounts[rank] for rank, line in lines if rank in amounts}
        self.till -= sum(paid.values())
        there = self.told(FOUND)
        demand(dict(there["prizes"]) == paid, f"{paid} is to be paid, {there['prizes']} is")
        demand(there["till"] == self.till, f"{self.till} is wanted, {there['till']} in the till")

    def end(self) -> None:
        """Print what is taken home, close, and write the archive."""
        self.paper("rangliste", ranking="einzel")
        self.paper("urkunden", ranking="einzel", places=len(SHARES))
        self.paper("kassenbericht")
        self.paper("spiellisten-gespielt", serie=1)
        self.count()
        self.lead.press("closing:close", step="the tournament is closed")
        begun, wait = time.monotonic(), self.head.fill(self.path("archive:export"))
        while f"{wait}datei/".encode() not in self.head.ask(wait)[2]:
            self.be_patient("the archive", begun)
        archive = self.head.ask(f"{wait}datei/")[2]
        self.waits["the archive is written"].append(time.monotonic() - begun)
        demand(self.slug.encode() in archive, "The archive is of another tournament")
        for page in LOOKS:
            self.head.ask(self.path(page), step="a page is looked at")
        broken = self.told(FOUND)["broken"]
        demand(not broken, f"The journal is broken: {broken}")

    def hold(self, beside: Future[None] | None = None) -> None:
        """Go through everything; in the night what is held *beside* it is over."""
        self.register()
        self.lead.press("setup:start")
        for serie, method in enumerate(self.size.seating, start=1):
            if serie == self.size.first_day + 1 > 1:
                done([beside] if beside else [])
                self.sleep()
            self.seat(serie, method)
            self.play(serie)
            self.close(serie)
        self.give_prizes()
        self.end()

    def opened_to(self, stranger: Person) -> list[str]:
        """Return what an account of another organiser sees of all that was asked here."""
        from tournaments.common.submissions import new_form_key

        person, closed = Person(self, stranger.cookies["sessionid"]), {FORBIDDEN, NOT_FOUND}
        tried = [
            (path, person.ask(path, kind and f"form_key={new_form_key()}", kind=kind and FORM)[0])
            for path, kind in list(self.asked.values())
        ]
        found = [f"{path}: {status}" for path, status in tried if status not in closed]
        for _first, last in self.names[: self.size.listed : 5]:
            if last.encode() in person.ask(f"/personen/?q={last[:-2]}")[2]:
                found.append(last)
        return found


def demand(holds: bool, otherwise: str) -> None:
    """Raise what is wrong, unless something holds."""
    if not holds:
        raise RuntimeError(otherwise)


def rows(place: Place) -> Iterator[Row]:
    """Hold both, and let each organiser try what the other one asked."""
    laptops = Laptops(place)
    from django.db import connections

    event = Event(laptops, SMALL if place.is_quick else FULL)
    evening = Event(laptops, EVENING)
    connections.close_all()
    with laptops, ThreadPoolExecutor(1) as pool:
        event.hold(pool.submit(evening.hold))
        opened = event.opened_to(evening.head) + evening.opened_to(event.head)
    name = f"championship of {len(event.keys)}"
    yield from event.waited(name)
    demand(not opened, f"The other organiser sees {opened}")
    for what, number in (
        ("answers that were faults, at the other organiser's evening", len(evening.faults)),
        ("addresses open to the other organiser", len(opened)),
    ):
        yield Row(name=f"{name}: {what}", value=number, unit="", wanted=0, wanted_of="value")
    tried = len(event.asked) + len(evening.asked)
    yield Row(name=f"{name}: addresses tried by the other organiser", value=tried, unit="")
    yield Row(name=f"{name}: ranked as reckoned anew", value=len(event.ranking()), unit="")
    yield Row(name=f"{name}: in the till, right to the cent", value=event.till / 100, unit="€")
