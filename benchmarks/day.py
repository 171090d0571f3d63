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
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http import HTTPStatus
from threading import Event
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from benchmarks.client import FORM, GAMES, Person, Table
from benchmarks.hall import AGAIN, Hall, done
from benchmarks.results import Place, Row
from benchmarks.servers import Laptops

if TYPE_CHECKING:
    from tournaments.models import Tournament

SERIEN = 2
TILLS, PHONES, GUESSING = 2, 3, 4
STARTGELD, BUSSGELD, COFFEE = 1500, 36 * 50, 200  # cents of a person, a table of four, a receipt
PASSWORD = "ein langes Kennwort"  # noqa: S105 - of an account that is gone afterwards
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


class Day(Hall):
    """The people of the day, and what they saw."""

    def __init__(self, place: Place, laptops: Laptops) -> None:
        from tests.factories import make_user

        tournament = make_tournament()
        super().__init__(laptops, tournament)
        self.people, self.pause = (20, 0.5) if place.is_quick else (400, 2.5)
        self.booked = self.booked_again = self.till = 0
        self.tills = [self.member(tournament, "kasse") for _till in range(TILLS)]
        self.tables = [Table(self) for _table in range(self.people // 4)]
        self.username = make_user(password=PASSWORD).username

    def register(self, desk: Person, number: int) -> None:
        """Register somebody new, who pays."""
        name = {"first_name": "Anna", "last_name": f"Muster{number}", "late_reason": "Stau"}
        desk.press("desk:new", step="registered, and paid", **name)

    def play(self, serie: int) -> None:
        """Play a Serie, while the house is busy and the laptop is killed."""
        paths, own = self.laptops.now.told(CODES.format(serie=serie))
        self.laptops.get_ready(serie + 1)
        is_over = Event()
        with ThreadPoolExecutor(self.people) as pool:
            both = zip(self.tables, paths, strict=True)
            playing = [pool.submit(self._keep_list, table, path) for table, path in both]
            beside = [pool.submit(self._book, at, serie, is_over) for at in range(TILLS)]
            beside += [pool.submit(self._look, own, is_over) for _phone in range(PHONES)]
            beside += [pool.submit(self._guess, at, is_over) for at in range(GUESSING)]
            beside.append(pool.submit(self._log_in, is_over))
            if serie == 1:
                step = "one of eight prints"
                playing += [pool.submit(self.print, *asked, step) for asked in PRINTS]
            try:
                time.sleep(GAMES / 2 * self.pause)
                self.laptops.die()
                done(playing)
            finally:
                is_over.set()
            done(beside)

    def _keep_list(self, table: Table, path: str) -> None:
        from tests.factories_lists import FOUR

        table.open(path)
        table.enter(FOUR, self.pause)
        table.sign()

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
        paid = {"kind": "other", "amount_cents": "2", "text": text, "method_": "cash"}
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
        self.lead.press("closing:close_serie", serie, step="a Serie is closed")

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
        yield from self.waited(name)
        lost = sum(table.lost for table in self.tables)
        yield Row(name=f"{name}: games lost, all sent again", value=lost, unit="")
        again = f"{name}: receipts lost, all booked again"
        yield Row(name=again, value=self.booked_again, unit="", wanted=0, wanted_of="value")
        yield Row(name=f"{name}: in the till, right to the cent", value=self.till / 100, unit="€")


def make_tournament() -> Tournament:
    """Store a tournament that begins soon, with Bußgeld."""
    from django.utils import timezone

    from scoring.payments.bussgeld import PerGame
    from tests import factories
    from tournaments.journal import proof

    starts_at = timezone.now()  # so that everybody who comes is there, at any hour
    bussgeld = PerGame(cents=50).to_dict()
    made = factories.make_tournament(serien=SERIEN, starts_at=starts_at, bussgeld=bussgeld)
    proof.baseline_proof(made)
    return made


def rows(place: Place) -> Iterator[Row]:
    """Go through the day."""
    laptops = Laptops(place)
    from django.db import connections

    day = Day(place, laptops)
    connections.close_all()
    with laptops:
        day.at_desks(range(day.people), day.register)
        day.lead.press("setup:start")
        for serie in range(1, SERIEN + 1):
            day.seat(serie, "electronic" if serie == 1 else "ranking")
            day.play(serie)
            day.close(serie)
        day.check()
    yield from day.rows()
