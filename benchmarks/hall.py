"""A tournament of the program that runs: its desks, what they do alike, and how long all waited."""

# Models can be imported only after the database was chosen and Django set up.
# ruff: noqa: PLC0415

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from http import HTTPStatus
from statistics import median
from typing import TYPE_CHECKING, Any, TypeVar

from benchmarks.client import LONGEST, Person
from benchmarks.results import Row

if TYPE_CHECKING:
    from benchmarks.servers import Laptops
    from tournaments.models import Tournament, User

DESKS = 4
AGAIN = 0.5  # seconds until somebody asks again
FEW = 5  # so many waits, and less, have no median
_Thing = TypeVar("_Thing")


class Hall:
    """Four desks of the Spielleitung, and what everybody saw."""

    def __init__(self, laptops: Laptops, tournament: Tournament) -> None:
        self.laptops, self.slug = laptops, tournament.slug
        self.waits: dict[str, list[float]] = defaultdict(list)
        self.faults: list[str] = []
        self.asked: dict[str, tuple[str, str]] = {}  # path and kind, by name of the address
        self.desks = [self.member(tournament, "spielleitung") for _desk in range(DESKS)]
        self.lead = self.desks[0]

    def member(self, tournament: Tournament, role: str) -> Person:
        """Return somebody with a new account that has a role."""
        from tests.factories import make_member
        from tournaments.models import Role

        return self.logged_in(make_member(tournament, Role(role)))

    def logged_in(self, user: User) -> Person:
        """Return somebody with the session of an account."""
        from django.test import Client

        browser = Client()
        browser.force_login(user)
        return Person(self, browser.cookies["sessionid"].value)

    def path(self, name: str, *args: object) -> str:
        """Return an address of the tournament."""
        from django.urls import reverse

        return reverse(name, args=[self.slug, *args])

    def note(self, path: str, kind: str) -> None:
        """Keep an address of something that an account asks for, the last one of each name."""
        from django.urls import resolve

        found = resolve(path.partition("?")[0])
        if found.kwargs:
            self.asked[found.view_name] = path, kind

    def be_patient(self, what: str, since: float) -> None:
        """Wait a little, unless *what* takes too long."""
        if time.monotonic() > since + LONGEST:
            raise RuntimeError(f"{what} is not answered")
        time.sleep(AGAIN)

    def at_desks(self, things: Sequence[_Thing], do: Callable[[Person, _Thing], object]) -> None:
        """Let each desk do every fourth of some things."""

        def some(at: int) -> None:
            for one in things[at::DESKS]:
                do(self.desks[at], one)

        with ThreadPoolExecutor(DESKS) as pool:
            list(pool.map(some, range(DESKS)))

    def seat(self, serie: int, method: str) -> None:
        """Draw a Serie, or seat it as *method* says, and begin it."""
        lead, begun = self.lead, time.monotonic()
        lead.press("draw:begin", serie, method=method)
        draft = self.path("draw:serie", serie)
        if b"bekannt-geben" not in lead.ask(draft)[2]:
            lead.press("draw:carry_out", serie)
        while b"bekannt-geben" not in lead.ask(draft)[2]:
            self.be_patient("the draw", begun)
        lead.press("draw:publish", serie)
        self.waits["a Serie is seated"].append(time.monotonic() - begun)
        lead.press("hall:start", serie)

    def print(self, name: str, asked: Mapping[str, Any], step: str) -> None:
        """Ask for a document, and fetch it."""
        who, begun = Person(self, self.lead.cookies["sessionid"]), time.monotonic()
        progress = who.press("printing:start", name, **asked)
        while (answer := who.ask(progress))[0] != HTTPStatus.FOUND:
            if answer[0] == HTTPStatus.NOT_FOUND:  # it was asked for just before the end
                progress = who.press("printing:start", name, **asked)
            self.be_patient(name, begun)
        if not who.ask(answer[1])[2].startswith(b"%PDF"):
            raise RuntimeError(f"{name} is no PDF")
        self.waits[step].append(time.monotonic() - begun)

    def waited(self, name: str) -> Iterator[Row]:
        """Say how long people waited, and how often the answer was a fault."""
        for step, waits in self.waits.items():
            p95 = sorted(waits)[len(waits) * 95 // 100]
            found = {"median": median(waits), "p95": p95, "longest": max(waits)}
            for which, value in found.items() if len(waits) > FEW else [("longest", max(waits))]:
                yield Row(name=f"{name}: {step}, {which}", value=value, unit="s")
        faults = len(self.faults)
        name = f"{name}: answers that were faults"
        yield Row(name=name, value=faults, unit="", wanted=0, wanted_of="value")


def done(futures: Sequence[Future[Any]]) -> None:
    """Wait for all, and raise what went wrong."""
    for one in futures:
        one.result()
