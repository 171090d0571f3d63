"""A Spielliste with all that stands on it: read once for an act, and for what is shown after it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from django.db.models import Exists, F, OuterRef, QuerySet, Subquery, TextField, Value
from django.db.models.functions import Cast, Coalesce

from scoring.reading.interchange import line_from_json
from scoring.ruleset import RuleSet
from scoring.spielliste import SeatCount
from scoring.unclear import Line, count_line
from tournaments.common.locks import as_read, at_tables
from tournaments.common.rules import rule_set_of
from tournaments.lists.queries.gathered import rows
from tournaments.models import (
    Call,
    Game,
    Penalty,
    Seat,
    SeatSpan,
    Spielliste,
    TableDevice,
    Tournament,
)
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
    """A list, who sits at its table, its games, game 1 first, and what stands around it."""

    spielliste: Spielliste
    rule_set: RuleSet
    seats: list[Sitting]
    games: list[Written]
    entry: int  # number of the last one in the journal
    keeper: int | None  # key of the device that keeps the list
    is_called: bool  # somebody was called for help
    has_penalties: bool
    has_spans: bool  # games of somebody who sits there no more

    @property
    def tournament(self) -> Tournament:
        """The tournament it belongs to."""
        return self.spielliste.table.serie.tournament


GIVEN = Penalty.objects.filter(status=Penalty.Status.GIVEN)
_AT_THE_TABLE = {"table_id": OuterRef("table_id")}
_OF_THE_LIST = {"spielliste_id": OuterRef("pk")}


def _whole_lists() -> QuerySet[Spielliste]:
    """Return lists with all that a sheet has; the rows of seats and games are JSON."""
    path = "table__serie__tournament__journal_chain__last_number"
    keeper = TableDevice.objects.filter(**_AT_THE_TABLE, is_keeper=True)
    return at_tables().annotate(
        seat_rows=rows(
            Seat.objects.filter(**_AT_THE_TABLE),
            "number",
            "registration_id",
            "registration__number",
            "registration__person__first_name",
            "registration__person__last_name",
            Coalesce(F("registration__club__name"), Value("")),
        ),
        game_rows=rows(
            Game.objects.filter(**_OF_THE_LIST), "number", Cast("line", TextField()), "overridden"
        ),
        entry=Coalesce(F(path), Value(0)),
        keeper=Subquery(keeper.order_by().values("pk")),
        is_called=Exists(Call.objects.filter(**_AT_THE_TABLE, done_at__isnull=True)),
        has_penalties=Exists(GIVEN.filter(**_OF_THE_LIST)),
        has_spans=Exists(SeatSpan.objects.filter(**_OF_THE_LIST)),
    )


_AT_TABLE = Prepared(lambda table: _whole_lists().filter(table_id=table))
_OF_KEY = Prepared(lambda spielliste: _whole_lists().filter(pk=spielliste))


def sheet_at(table_id: int) -> Sheet:
    """Return the list of a table; 1 query."""
    return _sheet(_AT_TABLE.first(table_id))


def sheet_of(spielliste_id: int) -> Sheet:
    """Return a list by its key; 1 query."""
    return _sheet(_OF_KEY.first(spielliste_id))


def _sheet(found: Any) -> Sheet:
    spielliste = as_read(found)
    return Sheet(
        spielliste=spielliste,
        rule_set=rule_set_of(spielliste.table.serie.tournament),
        seats=[Sitting(*row) for row in sorted(json.loads(found.seat_rows or "[]"))],
        games=[
            Written(number, text, bool(overridden))  # SQLite knows no bool
            for number, text, overridden in sorted(json.loads(found.game_rows or "[]"))
        ],
        entry=found.entry,
        keeper=found.keeper,
        is_called=found.is_called,
        has_penalties=found.has_penalties,
        has_spans=found.has_spans,
    )
