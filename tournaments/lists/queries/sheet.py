"""A Spielliste with seats and games, read once for an act and the page after it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from scoring.ambiguity import AmbiguousLine
from scoring.reading.interchange import line_from_json
from scoring.ruleset import RuleSet
from tournaments.common.raw_sql import GAMES, LIST_CONTEXT, SEATS, rows
from tournaments.common.rules import rule_set_of
from tournaments.models import Game, Spielliste, Tournament


class SeatedPlayer(NamedTuple):
    """The player at a seat; ``start_number`` is None until one is given."""

    seat: int
    registration: int
    start_number: int | None
    first_name: str
    last_name: str
    club: str


class StoredGame(NamedTuple):
    """A stored game of the list; ``text`` is its line as JSON."""

    number: int
    text: str
    overridden: bool

    @classmethod
    def of(cls, game: Game) -> StoredGame:
        """Return the ``StoredGame`` of a stored game."""
        return cls(game.number, json.dumps(game.line), game.overridden)

    @property
    def line(self) -> Mapping[str, Any]:
        """The line in the interchange format."""
        line: Mapping[str, Any] = json.loads(self.text)
        return line

    def to_scoring(self) -> AmbiguousLine:
        """Return the line with its readings."""
        return line_from_json(self.line)


@dataclass(slots=True, kw_only=True)
class Sheet:
    """A list with its seats, its games (game 1 first) and related facts."""

    spielliste: Spielliste
    rule_set: RuleSet
    seats: list[SeatedPlayer]
    games: list[StoredGame]
    ahead: int  # by how much the journal's last number is ahead of the revision; both rise together
    keeper: int | None  # key of the device that keeps the list
    is_called: bool  # a call is open
    has_penalties: bool
    has_spans: bool  # on this or other lists, of players who changed seats with their games

    @property
    def tournament(self) -> Tournament:
        """The tournament it belongs to."""
        return self.spielliste.table.serie.tournament

    @property
    def entry(self) -> int:
        """The number of the last entry in the journal."""
        return self.tournament.revision + self.ahead

    @property
    def games_wanted(self) -> int:
        """The number of games when complete."""
        return self.spielliste.games_wanted(self.rule_set.games_at(len(self.seats)))


def sheet_at(table_id: int) -> Sheet:
    """Return the list of a table; 4 queries."""
    lists = Spielliste.objects.select_related("table__serie__tournament")
    return sheet_of(lists.get(table=table_id))


def sheet_of(spielliste: Spielliste) -> Sheet:
    """Return the sheet of a list fetched with its table, Serie and tournament; 3 queries."""
    ((entry, keeper, *has),) = rows(LIST_CONTEXT, spielliste.pk)
    tournament = spielliste.table.serie.tournament
    return Sheet(
        spielliste=spielliste,
        rule_set=rule_set_of(tournament),
        seats=[SeatedPlayer(*row) for row in rows(SEATS, spielliste.table_id)],
        games=[StoredGame(*row) for row in rows(GAMES, spielliste.pk)],
        ahead=entry - tournament.revision,
        keeper=keeper,
        is_called=bool(has[0]),  # SQLite returns computed booleans as integers
        has_penalties=bool(has[1]),
        has_spans=bool(has[2]),
    )
