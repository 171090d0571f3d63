"""A Spielliste with all that stands on it: read once for an act, and for what is shown after it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from django.db.models import F, TextField, Value
from django.db.models.functions import Cast, Coalesce

from scoring.reading.interchange import line_from_json
from scoring.ruleset import RuleSet
from scoring.spielliste import SeatCount
from scoring.unclear import Line, count_line
from tournaments.common.locks import as_read, at_tables
from tournaments.common.rules import rule_set_of
from tournaments.models import Game, Seat, Spielliste, Tournament
from tournaments.models.prepared import Prepared


class Sitting(NamedTuple):
    """Who sits at a seat; ``start_number`` is None as long as nobody gave one."""

    seat: int
    registration: int
    start_number: int | None
    first_name: str
    last_name: str
    club: str


class Written(NamedTuple):
    """A game as it stands in the list: ``text`` is its line as JSON."""

    number: int
    text: str
    overridden: bool

    @classmethod
    def of(cls, game: Game) -> Written:
        """Return a game that was just stored."""
        return cls(game.number, json.dumps(game.line), game.overridden)

    @property
    def line(self) -> Mapping[str, Any]:
        """The line in the interchange format; not to be changed."""
        return _as_json(self.text)

    def to_scoring(self) -> Line:
        """Return the line with its readings."""
        return _as_line(self.text)

    def counts(self, rule_set: RuleSet) -> tuple[SeatCount, ...]:
        """Return what it brings to each seat."""
        return _counted(self.text, rule_set)


# What a text says never changes, so it is worked out once.


@lru_cache(maxsize=8192)
def _as_json(text: str) -> Mapping[str, Any]:
    line: Mapping[str, Any] = json.loads(text)
    return line


@lru_cache(maxsize=8192)
def _as_line(text: str) -> Line:
    return line_from_json(_as_json(text))


@lru_cache(maxsize=8192)
def _counted(text: str, rule_set: RuleSet) -> tuple[SeatCount, ...]:
    return count_line(_as_line(text), rule_set)


@dataclass(slots=True, kw_only=True)
class Sheet:
    """A list, who sits at its table, and its games, game 1 first."""

    spielliste: Spielliste
    rule_set: RuleSet
    seats: list[Sitting]
    games: list[Written]
    entry: int = 0  # number in the journal of the act that left it so

    @property
    def tournament(self) -> Tournament:
        """The tournament it belongs to."""
        return self.spielliste.table.serie.tournament


_AT_TABLE = Prepared(lambda table: at_tables().filter(table_id=table))
_SEATS = Prepared(
    lambda table: (
        Seat.objects.filter(table_id=table)
        .order_by("number")
        .values_list(
            "number",
            "registration_id",
            "registration__number",
            "registration__person__first_name",
            "registration__person__last_name",
            Coalesce(F("registration__club__name"), Value("")),
        )
    )
)
_GAMES = Prepared(
    lambda spielliste: (
        Game.objects.filter(spielliste_id=spielliste)
        .order_by("number")
        .values_list("number", Cast("line", TextField()), "overridden")
    )
)


def sheet_at(table_id: int) -> Sheet:
    """Return the list of a table; 3 queries."""
    return sheet_of(as_read(_AT_TABLE.first(table_id)))


def sheet_of(spielliste: Spielliste) -> Sheet:
    """Return a list that was read by ``common.locks``, with seats and games; 2 queries."""
    return Sheet(
        spielliste=spielliste,
        rule_set=rule_set_of(spielliste.table.serie.tournament),
        seats=[Sitting(*row) for row in _SEATS.rows(spielliste.table_id)],
        games=[Written(*row) for row in _GAMES.rows(spielliste.pk)],
    )
