"""A day of 400 people through the addresses, while everything goes wrong that can.

    make bench ONLY=day

Four desks register everybody and take the Startgeld; one Serie is drawn, another one seated by the
ranking. While all tables enter their games, two tills book receipts, phones look at the own pages,
four devices guess the password of somebody who logs in, and in the first Serie eight documents are
printed. In the middle of each Serie everything is killed: on SQLite another laptop follows and
takes over, on PostgreSQL the host is started again. Everybody asks until somebody answers. The
tables send again what was answered and is not there; the tills look into the book and book it
again. Then all lists are handed in with their Bußgeld and checked, and the Serie is closed.

Measured is how long people waited, with the kills. Whatever is missing at the end, stands there
twice or breaks the journal is an error, and so is a till that is wrong by a cent.
"""

# Models can be imported only after the database was chosen and Django set up.
# ruff: noqa: PLC0415

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from http import HTTPStatus
from statistics import median
from threading import Event
from typing import Any
from urllib.parse import urlencode

from benchmarks.frame import Place, Row
from benchmarks.laptops import Laptops
from benchmarks.people import FORM, GAMES, LONGEST, Person, Table

SERIEN = 2
DESKS, TILLS, PHONES, GUESSING = 4, 2, 3, 4
STARTGELD, BUSSGELD, COFFEE = 1500, 36 * 50, 200  # cents of a person, a table of four, a receipt
PASSWORD = "ein langes Kennwort"  # noqa: S105 - of an account that is gone afterwards
AGAIN = 0.5  # seconds until somebody asks again
OF_A_SERIE = ("druckpaket", "sitzplan-namen", "sitzplan-tische", "tischkarten", "spiellisten")
OF_ALL = ("startkarten", "teilnehmerliste", "kassenbericht")
PRINTS: Sequence[tuple[str, Mapping[str, str]]] = (
    *((name, {"serie": "1"}) for name in OF_A_SERIE),
    *((name, {}) for name in OF_ALL),
)
CODES = """
from tournaments.common.access_keys import player_path, table_path
from tournaments.models import Registration, TableAccess, Tournament
from tournaments.results.services import player_access
player_access.provide(Tournament.objects.get())
tables = TableAccess.objects.filter(table__serie__number={serie}).order_by("table__number")
said = [[table_path(one) for one in tables.select_related("table__serie__tournament")],
        [player_path(one) for one in Registration.objects.all()]]
"""
WHAT_IS_THERE = """
from tournaments.cash.queries import balances
from tournaments.journal import proof, services
from tournaments.models import Game, Registration, Spielliste, Tournament
said = {
    "paid": Registration.objects.filter(status="paid").count(),
    "games": Game.objects.count(),
    "lists": Spielliste.objects.filter(status="verified").count(),
    "till": balances.till_cents(Tournament.objects.get()),
    "broken": [*map(str, services.first_breaks()), *map(str, proof.of_installation())],
}
"""


class Day:
    """The people of the day, and what they saw."""

    def __init__(self, place: Place, laptops: Laptops) -> None:
        from tests.factories import make_user
        from tournaments.models import Role

        self.laptops = laptops
        self.people, self.pause = (20, 0.5) if place.is_quick else (400, 2.5)
        self.waits: dict[str, list[float]] = defaultdict(list)
        self.faults: list[str] = []
        self.booked = self.booked_again = self.till = 0
        self.slug = make_tournament()
        self.desks = [Person(self, session(Role.SPIELLEITUNG)) for _desk in range(DESKS)]
        self.tills = [Person(self, session(Role.KASSE)) for _till in range(TILLS)]
        self.tables = [Table(self) for _table in range(self.people // 4)]
        self.username = make_user(password=PASSWORD).username

    def path(self, name: str, *args: object) -> str:
        """Return an address of the tournament."""
        from django.urls import reverse

        return reverse(name, args=[self.slug, *args])

    def be_patient(self, what: str, since: float) -> None:
        """Wait a little, unless *what* takes too long."""
        if time.monotonic() > since + LONGEST:
            raise RuntimeError(f"{what} is not answered")
        time.sleep(AGAIN)

    def at_desks(self, things: Sequence[int], do: Callable[[Person, int], object]) -> None:
        """Let each desk do every fourth of some things."""

        def some(at: int) -> None:
            for one in things[at::DESKS]:
                do(self.desks[at], one)

        with ThreadPoolExecutor(DESKS) as pool:
            list(pool.map(some, range(DESKS)))

    def register(self, desk: Person, number: int) -> None:
        """Register somebody new, who pays."""
        name = {"first_name": "Anna", "last_name": f"Muster{number}", "late_reason": "Stau"}
        desk.press("desk:new", step="registered, and paid", **name)

    def seat(self, serie: int) -> None:
        """Draw the first Serie, seat the others by the ranking, and begin."""
        lead, begun = self.desks[0], time.monotonic()
        lead.press("draw:begin", serie, method="electronic" if serie == 1 else "ranking")
        if serie == 1:
            lead.press("draw:carry_out", serie)
            while b"bekannt-geben" not in lead.ask(self.path("draw:serie", serie))[2]:
                self.be_patient("the draw", begun)
        lead.press("draw:publish", serie)
        self.waits["a Serie is seated"].append(time.monotonic() - begun)
        lead.press("hall:start", serie)

    def play(self, serie: int) -> None:
        """Play a Serie, while the house is busy and the laptop is killed."""
        self.laptops.get_ready(serie + 1)
        paths, own = self.laptops.now.told(CODES.format(serie=serie))
        is_over = Event()
        with ThreadPoolExecutor(self.people) as pool:
            both = zip(self.tables, paths, strict=True)
            playing = [pool.submit(table.play, path, self.pause) for table, path in both]
            beside = [pool.submit(self._book, at, serie, is_over) for at in range(TILLS)]
            beside += [pool.submit(self._look, own, is_over) for _phone in range(PHONES)]
            beside += [pool.submit(self._guess, at, is_over) for at in range(GUESSING)]
            beside.append(pool.submit(self._log_in, is_over))
            if serie == 1:
                playing += [pool.submit(self._print, *asked) for asked in PRINTS]
            try:
                time.sleep(GAMES / 2 * self.pause)
                self.laptops.die()
                done(playing)
            finally:
                is_over.set()
            done(beside)

    def _book(self, at: int, serie: int, is_over: Event) -> None:
        """Book receipts, and in the end those again that are not in the book."""
        texts = list[str]()
        while not is_over.wait(random.uniform(0.5, 1.5) * AGAIN):
            texts.append(f"Kaffee {serie}-{at}-{len(texts)};")
            self._take(at, texts[-1])
        book = self.tills[at].ask(self.path("cash:csv"))[2].decode()
        missing = [text for text in texts if text not in book]
        for text in missing:
            self._take(at, text)
        self.booked += len(texts)
        self.booked_again += len(missing)

    def _take(self, at: int, text: str) -> None:
        paid = {"kind": "other", "amount_cents": "2", "text": text, "method": "cash"}
        self.tills[at].press("cash:book_free", step="a receipt is booked", **paid)

    def _look(self, own: Sequence[str], is_over: Event) -> None:
        phone = Person(self)
        while not is_over.wait(AGAIN / 5):
            status = phone.ask(random.choice(own), step="an own page is opened")[0]
            if status != HTTPStatus.OK:
                raise RuntimeError(f"An own page was answered with {status}")

    def _try(self, person: Person, password: str, step: str = "") -> int:
        form = urlencode({"username": self.username, "password": password})
        return person.ask("/konto/anmelden/", form, kind=FORM, step=step)[0]

    def _guess(self, at: int, is_over: Event) -> None:
        while not is_over.is_set():
            self._try(Person(self, address=f"127.0.1.{at + 1}"), "falsch")

    def _log_in(self, is_over: Event) -> None:
        while not is_over.wait(4 * AGAIN):
            status = self._try(Person(self), PASSWORD, "a right password")
            if status != HTTPStatus.FOUND:
                raise RuntimeError(f"A right password was answered with {status}")

    def _print(self, name: str, asked: Mapping[str, str]) -> None:
        who, begun = Person(self, self.desks[0].cookies["sessionid"]), time.monotonic()
        press = partial(who.press, "printing:start", name, **asked)
        progress = press()
        while (answer := who.ask(progress))[0] != HTTPStatus.FOUND:
            if answer[0] == HTTPStatus.NOT_FOUND:  # it was asked for just before the end
                progress = press()
            self.be_patient(name, begun)
        if not who.ask(answer[1])[2].startswith(b"%PDF"):
            raise RuntimeError(f"{name} is no PDF")
        self.waits["one of eight prints"].append(time.monotonic() - begun)

    def close(self, serie: int) -> None:
        """Take in all lists with their Bußgeld, check them, and close the Serie."""

        def hand_in(desk: Person, table: int) -> None:
            press = partial(desk.press, step="a list is handed in")
            press("hall:hand_in_act", serie, table, act="all", cents=BUSSGELD)

        def verify(desk: Person, table: int) -> None:
            seen = self.tables[table - 1].state["version"]
            press = partial(desk.press, step="a list is checked")
            press("checking:verify", serie, table, version=seen)

        numbers = range(1, len(self.tables) + 1)
        self.at_desks(numbers, hand_in)
        self.at_desks(numbers, verify)
        self.desks[0].press("closing:close_serie", serie, step="a Serie is closed")

    def check(self) -> None:
        """See that everything is there, once, and the till right to the cent."""
        lists = SERIEN * len(self.tables)
        self.till = self.people * STARTGELD + lists * BUSSGELD + self.booked * COFFEE
        wanted = {"paid": self.people, "games": lists * GAMES, "lists": lists, "till": self.till}
        found = self.laptops.now.told(WHAT_IS_THERE)
        if found != wanted | {"broken": []}:
            raise RuntimeError(f"{wanted} is wanted, there is {found}")

    def rows(self) -> Iterator[Row]:
        """Say how long people waited, and what was lost."""
        name = f"day of {self.people}"
        for step, waits in self.waits.items():
            p95 = sorted(waits)[len(waits) * 95 // 100]
            found = {"median": median(waits), "p95": p95, "longest": max(waits)}
            for which, value in found.items() if len(waits) > SERIEN else [("longest", max(waits))]:
                yield Row(name=f"{name}: {step}, {which}", value=value, unit="s")
        lost = sum(table.lost for table in self.tables)
        yield Row(name=f"{name}: games lost, all sent again", value=lost, unit="")
        for what, number in (
            ("receipts lost, all booked again", self.booked_again),
            ("answers that were faults", len(self.faults)),
        ):
            yield Row(name=f"{name}: {what}", value=number, unit="", wanted=0, wanted_of="value")
        yield Row(name=f"{name}: in the till, right to the cent", value=self.till / 100, unit="€")


def done(futures: Sequence[Future[Any]]) -> None:
    """Wait for all, and raise what went wrong."""
    for one in futures:
        one.result()


def make_tournament() -> str:
    """Store a tournament that begins soon, with Bußgeld, and return its part of addresses."""
    from django.utils import timezone

    from scoring.payments.bussgeld import PerGame
    from tests import factories
    from tournaments.journal import proof

    starts_at = timezone.now()  # so that everybody who comes is there, at any hour
    bussgeld = PerGame(cents=50).to_dict()
    made = factories.make_tournament(serien=SERIEN, starts_at=starts_at, bussgeld=bussgeld)
    proof.take_as_it_is(made)
    return made.slug


def session(role: str) -> str:
    """Return the session of a new account with a role."""
    from django.test import Client

    from tests.factories import make_member
    from tournaments.models import Role, Tournament

    browser = Client()
    browser.force_login(make_member(Tournament.objects.get(), Role(role)))
    return browser.cookies["sessionid"].value


def rows(place: Place) -> Iterator[Row]:
    """Go through the day."""
    laptops = Laptops(place)
    from django.db import connections

    day = Day(place, laptops)
    connections.close_all()
    with laptops:
        day.at_desks(range(day.people), day.register)
        day.desks[0].press("setup:start")
        for serie in range(1, SERIEN + 1):
            day.seat(serie)
            day.play(serie)
            day.close(serie)
        day.check()
    yield from day.rows()
