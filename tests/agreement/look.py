"""Reads a tournament from its pages, papers and phones, and compares the facts.

A place registers its reader with :func:`place` or :func:`places` (see ``tests.agreement.places``).
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cached_property
from typing import Any, NamedTuple

from tests.agreement.reading import text
from tests.agreement.walk import Disagreement, Walk
from tests.clients import Client, at, logged_in
from tests.factories import COMMAND
from tests.tournaments.lists.helpers import Device
from tests.tournaments.printing.helpers import written
from tournaments.common.access_keys import player_path
from tournaments.common.rules import rule_set_of
from tournaments.lists.queries.data import COMPLETE
from tournaments.models import Registration, Role, Spielliste
from tournaments.results.queries.rankings import Rankings
from tournaments.results.services import player_access
from tournaments.screen import services as screens
from tournaments.table.services.devices import AccessEnded

NOW, LIVE = "", "?laufend=1"  # the rankings that are asked for
PAPER, PUBLIC = "Papier: ", ("results_public:", "feed:", "seating:")
Facts = Iterator[tuple[str, int, Any]]


class Look:
    """A tournament in its current state, with the browsers of its readers."""

    def __init__(self, walk: Walk) -> None:
        self.walk, self.tournament = walk, walk.tournament
        self.staff, self.anybody = logged_in(walk.world.staff[Role.VERANSTALTER]), Client()
        self.pages: dict[str, str] = {}
        player_access.store_tokens(self.tournament)
        numbered = self.tournament.registrations.exclude(number=None).order_by("number")
        self.people = {who.number: who for who in numbered.select_related("person")}
        # The own pages of four people are looked at; of others the next time.
        self.some = dict(list(self.people.items())[len(walk.steps) % 4 :: 4][:4])
        self.serien = list(self.tournament.serien.filter(seats__isnull=False).distinct())

    @cached_property
    def lists(self) -> list[tuple[int, int, Spielliste]]:
        """All lists, with the numbers of their Serie and table."""
        lists = Spielliste.objects.filter(table__serie__tournament=self.tournament)
        ordered = lists.select_related("table__serie").order_by("table__serie", "table")
        return [(each.table.serie.number, each.table.number, each) for each in ordered]

    @cached_property
    def points(self) -> str:
        """How the points of a ranking are called."""
        return "Wertpunkte" if rule_set_of(self.tournament).order.most_first else "Punkte"

    @cached_property
    def is_ranked(self) -> bool:
        return any(spielliste.games.exists() for _serie, _table, spielliste in self.lists)

    def is_whole(self, serie: int) -> bool:
        return all(each.status in COMPLETE for of, _table, each in self.lists if of == serie)

    def stand(self, query: str = NOW) -> str:
        """Return the stand of a ranking as part of the name of a fact."""
        stand = Rankings(self.tournament).stand(live=query == LIVE)
        return f"laufend nach {stand.upto}" if stand.running else f"nach {stand.upto}"

    def page(self, name: str, *keys: Any, query: str = "") -> str:
        """Return a page as its readers see it; nothing if it is refused."""
        address = at(name, self.tournament, *keys) + query
        if address not in self.pages:
            answer = (self.anybody if name.startswith(PUBLIC) else self.staff).get(address)
            self.pages[address] = answer.content.decode() if answer.status_code == 200 else ""
        return self.pages[address]

    def own_page(self, who: Registration) -> str:
        return text(self.anybody.read(player_path(who)))

    def csv(self, name: str, *keys: str) -> Iterator[dict[str, str]]:
        return csv.DictReader(io.StringIO(self.page(name, *keys).lstrip("\ufeff")), delimiter=";")

    def wall(self, shows: str) -> str:
        """Return the content of a beamer."""
        screens.show(COMMAND, self.tournament.pk, shows=shows)
        return text(self.anybody.read(at("screen:screen", self.tournament)))

    def html(self, name: str, **asked: Any) -> str:
        """Return the HTML of a page or of a document."""
        if not name.startswith(PAPER):
            return self.page(name, *asked.values())
        pieces = written(self.tournament, name.removeprefix(PAPER), **asked).prepared.pieces
        return " ".join(piece.html for piece in pieces)


class Place(NamedTuple):
    """Where facts are read."""

    about: str
    read: Callable[[Look], Facts]
    covers: tuple[str, ...]  # names of addresses, and of documents as „Papier: rangliste“


PLACES: dict[str, Place] = {}


def place(about: str, *covers: str) -> Callable[[Callable[[Look], Facts]], Callable[[Look], Facts]]:
    """Make a function the reader of a place that shows facts *about* something."""

    def decorate(read: Callable[[Look], Facts]) -> Callable[[Look], Facts]:
        PLACES[read.__name__] = Place(about, read, covers)
        return read

    return decorate


def places(about: str, *names: str) -> Callable[[Callable[[Look, str], Facts]], None]:
    """Make a function the reader of several places, each by its name."""

    def decorate(read: Callable[[Look, str], Facts]) -> None:
        def here(name: str) -> Callable[[Look], Facts]:
            return lambda look: read(look, name)

        PLACES.update({name: Place(about, here(name), (name,)) for name in names})

    return decorate


def disagreements(walk: Walk, about: str, told: Counter[str]) -> Iterator[Disagreement]:
    """Yield the disagreements of places, one for each kind of fact; count the facts in *told*."""
    look = Look(walk)
    said: dict[tuple[str, int], tuple[str, Any]] = {}
    wrong: dict[str, Disagreement] = {}
    for name, here in PLACES.items():
        for what, who, value in here.read(look) if here.about == about else ():
            told[name] += 1
            first, known = said.setdefault((what, who), (name, value))
            if known != value:
                kind = f"{what}: {first} / {name}"
                detail = f"{what}, Nr. {who}: {first} says {known!r}, {name} {value!r}"
                wrong.setdefault(kind, Disagreement(kind, detail, about))
    yield from wrong.values()


def states_of_tables(look: Look) -> Iterator[tuple[int, int, Spielliste, dict[str, Any]]]:
    """Yield the state that the phone of each table gets."""
    for serie, table, spielliste in look.lists:
        with suppress(AccessEnded):  # its Serie is closed, or its code withdrawn
            yield serie, table, spielliste, Device(spielliste).state().json()
