"""Lines as tests write them down: clear games have one reading for each entry."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scoring import ambiguity
from scoring.ambiguity import AmbiguousLine, count_line
from scoring.ruleset import RuleSet
from scoring.spielliste import Adjustment, Penalty, SeatCount, SeatResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A line that can be read in one way only; ``minus`` has the hands, seat 1 first."""

    finisher: int | None
    minus: tuple[int, ...]
    handromme: bool = False
    adjustments: tuple[Adjustment, ...] = ()

    @property
    def line(self) -> AmbiguousLine:
        """The game as the program has it."""
        return AmbiguousLine(
            finisher=(self.finisher,),
            minus=tuple((points,) for points in self.minus),
            handromme=(self.handromme,),
            adjustments=self.adjustments,
        )


def game(*minus: int, finisher: int | None = 1, handromme: bool = False) -> AmbiguousLine:
    return Game(finisher=finisher, minus=minus, handromme=handromme).line


def line(
    *minus: int | tuple[int, ...],
    finisher: tuple[int | None, ...] = (1,),
    handromme: tuple[bool, ...] = (False,),
) -> AmbiguousLine:
    readings = tuple(each if isinstance(each, tuple) else (each,) for each in minus)
    return AmbiguousLine(finisher=finisher, minus=readings, handromme=handromme)


def count_game(game: Game, rule_set: RuleSet) -> tuple[SeatCount, ...]:
    return count_line(game.line, rule_set)


def score(
    games: Iterable[Game], *, rule_set: RuleSet, players: int, penalties: Iterable[Penalty] = ()
) -> tuple[SeatResult, ...]:
    lines = [game.line for game in games]
    return ambiguity.score(lines, rule_set=rule_set, players=players, penalties=penalties)
