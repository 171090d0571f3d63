"""The results of one Spielliste for each seat.

This module knows rule sets and lists, not persons, tournaments or storage. Points are whole numbers
in an :class:`~scoring.ordering.Order`. A total may be negative: it is never clamped.
The points of a line are counted by :mod:`scoring.ambiguity`, and its validity is checked by
:mod:`scoring.checks`; both use the :class:`SeatCount` and the sums of this module.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Annotated, NamedTuple

from scoring.ordering import Order
from scoring.reading.records import Text, WholeNumber
from scoring.ruleset import RuleSet

Number = Annotated[int, WholeNumber()]
Reason = Annotated[str, Text(lines=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjustment:
    """Points that the rule set grants a seat in one game beyond its hand."""

    seat: Number
    points: Number
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty:
    """Strafpunkte of the Spielleitung for one seat (§ 8.3)."""

    seat: Number
    points: Number
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatCount:
    """The result of one game for one seat."""

    seat: int
    hand: int  # as counted at the table
    added: int = 0  # added by the rule set for the Handrommé of another seat
    finished: bool = False
    handromme: bool = False
    adjustment: int = 0
    step: int = 0  # Wertpunkte of the hand, if the seat did not finish
    plays: bool = True  # whether the seat has a hand in the game

    @property
    def minus(self) -> int:
        """Minus points of the seat for the game, without adjustments."""
        return self.hand + self.added


class SeatResult(NamedTuple):
    """The result of one list for one seat; ``total`` is the sum of the signed parts.

    A named tuple, because a ranking makes thousands of them.
    """

    seat: int
    minus: int  # including the additions of the rule set for a Handrommé
    games_won: int
    handromme: int
    bonus: int
    handromme_bonus: int
    penalty: int = 0
    adjustment: int = 0
    added: int = 0  # addition for a list that ended early, see :func:`extrapolated`
    steps: int | None = None  # Wertpunkte of the hands; None: the rule set has none
    penalty_cost: int = 0  # Wertpunkte that the Strafpunkte cost
    added_augen: int = 0  # as ``added``, of the Augen beside Wertpunkten

    @property
    def total(self) -> int:
        """Points of the list (§§ 1.5, 3.2), or its Wertpunkte."""
        if self.steps is not None:
            return self.played - self.penalty_cost + self.added
        return self.played + self.penalty + self.added

    @property
    def played(self) -> int:
        """Points of the games themselves, without Strafpunkte."""
        points = self.played_augen if self.steps is None else self.steps
        return points + self.bonus + self.handromme_bonus

    @property
    def augen(self) -> int | None:
        """The Augen with Strafpunkte; None without Wertpunkte."""
        if self.steps is None:
            return None
        return self.played_augen + self.penalty + self.added_augen

    @property
    def played_augen(self) -> int:
        """The Augen of the games, without Strafpunkte."""
        return self.minus + self.adjustment

    @property
    def order(self) -> Order:
        """Which of two results is better."""
        return Order.of(self.steps)

    @property
    def at_table(self) -> tuple[int, int, int, int]:
        """The sort key of seats of a table, smaller is better; keys of several persons add up."""
        order, augen = self.order, self.augen or 0
        return order.key(self.total), augen, -self.games_won, -self.handromme

    def with_penalty(self, penalty: int, rule_set: RuleSet) -> SeatResult:
        """Return the result with the Strafpunkte of the Spielleitung (§ 8.3)."""
        cost = rule_set.valuation.of_penalty(penalty) if rule_set.valuation else 0
        return self._replace(penalty=penalty, penalty_cost=cost)


def added_for_handromme(hand: int, rule_set: RuleSet) -> int:
    """Return the points that another seat's Handrommé adds to a *hand*; 0 for an empty one.

    >>> from scoring.rulesets import ruleset
    >>> [added_for_handromme(hand, ruleset("hausregel")) for hand in (0, 40)]
    [0, 40]
    >>> [added_for_handromme(hand, ruleset("traditionell")) for hand in (0, 40)]
    [0, 25]
    >>> added_for_handromme(40, ruleset("rommeordnung"))
    0
    """
    if hand == 0 or rule_set.handromme is None:
        return 0
    return hand * (rule_set.handromme.factor - 1) + rule_set.handromme.surcharge


def adjustment_of(seat: int, adjustments: Iterable[Adjustment]) -> int:
    """Return the sum of the *adjustments* for *seat*."""
    return sum(adjustment.points for adjustment in adjustments if adjustment.seat == seat)


def sum_up(
    counts: Sequence[Sequence[SeatCount]],
    *,
    rule_set: RuleSet,
    players: int,
    penalties: Iterable[Penalty] = (),
    bonus_size: int | None = None,
) -> tuple[SeatResult, ...]:
    """Return the result of the games of a list for each seat, seat 1 first.

    Args:
        counts: for each game its result for each of the *players* seats; the games may be
            fewer than the rule set requires.
        rule_set: whose bonus is taken off for every game finished (§§ 3.2.1, 3.2.2).
        players: number of people at the table.
        penalties: Strafpunkte for the whole list (§ 8.3).
        bonus_size: the size of table that counts for the bonus, if it is not *players*.
    """
    penalties = tuple(penalties)
    return tuple(
        sum_up_seat(
            [game[seat - 1] for game in counts],
            seat=seat,
            rule_set=rule_set,
            bonus_size=bonus_size or players,
            penalty=sum(penalty.points for penalty in penalties if penalty.seat == seat),
        )
        for seat in range(1, players + 1)
    )


def sum_up_seat(
    counts: Sequence[SeatCount],
    *,
    seat: int,
    rule_set: RuleSet,
    bonus_size: int,
    penalty: int = 0,
) -> SeatResult:
    """Return the result of some games for one seat (§ 3.2).

    Args:
        counts: the result of each game for the seat; a part of the list's games is enough
            where another player has the rest.
        seat: place at the table, counted from 1.
        rule_set: whose bonus is taken off for every game finished.
        bonus_size: the size of table that counts for the bonus (§ 3.2.1).
        penalty: Strafpunkte (§ 8.3).
    """
    games_won = sum(game.finished for game in counts)
    handromme = sum(game.handromme for game in counts)
    finish, for_handromme = rule_set.rates(bonus_size)
    result = SeatResult(
        seat=seat,
        minus=sum(game.minus for game in counts),
        games_won=games_won,
        handromme=handromme,
        bonus=finish * games_won,
        handromme_bonus=for_handromme * handromme,
        adjustment=sum(game.adjustment for game in counts),
        steps=sum(game.step for game in counts) if rule_set.valuation else None,
    )
    return result.with_penalty(penalty, rule_set)


def extrapolated(
    result: SeatResult, *, played: int, games: int, elsewhere: int = 0, elsewhere_augen: int = 0
) -> SeatResult:
    """Return the result extrapolated to the whole list.

    A part of a point is rounded to the player's disadvantage (as in § 2.2.6): points up,
    Wertpunkte down. Strafpunkte and the number of games finished, which decides ties, stay
    unchanged. The games of a player who changed tables are added up and extrapolated once.

    Args:
        result: of the games that were played on this list.
        played: number of games of the player, at all tables of the Serie.
        games: number of games of a whole list.
        elsewhere: points of the player's games at other tables, without Strafpunkte.
        elsewhere_augen: the same, of Augen beside Wertpunkten.

    >>> rest = {"handromme": 0, "handromme_bonus": 0, "penalty": 100, "adjustment": 0}
    >>> seat = SeatResult(seat=1, minus=190, games_won=3, bonus=-60, **rest)
    >>> whole = extrapolated(seat, played=8, games=12)
    >>> whole.added, whole.total, whole.games_won
    (65, 295, 3)
    """
    parts = {"added": (result.order, result.played + elsewhere)}
    if result.steps is not None:
        parts["added_augen"] = (Order.FEWEST, result.played_augen + elsewhere_augen)
    return result._replace(
        **{
            part: order.scaled(points, played=played, games=games) - points
            for part, (order, points) in parts.items()
        }
    )


def points_of_game(count: SeatCount, rule_set: RuleSet, size: int) -> int:
    """Return the points of a game for a seat in the running sum: minus points, or Wertpunkte."""
    if rule_set.valuation is None:
        return count.minus
    finish, for_handromme = rule_set.rates(size)
    return count.step + finish * count.finished + for_handromme * count.handromme


def running_sums(
    counts: Sequence[Sequence[SeatCount]], rule_set: RuleSet, size: int
) -> list[tuple[int, ...]]:
    """Return for each game the sum of each seat from game 1 up to it, as on the paper.

    The last row is ``minus`` of the results: bonus, Strafpunkte and adjustments are added below
    the list. Sums of Wertpunkte include everything except Strafpunkte.

    Args:
        counts: the games.
        rule_set: by which they are counted.
        size: the table size that counts for the bonus (§ 3.2.1).

    >>> from scoring.rulesets import ruleset
    >>> hands = [(0, 23, 45), (61, 88, 0)]
    >>> games = [[SeatCount(seat=at + 1, hand=row[at]) for at in range(3)] for row in hands]
    >>> running_sums(games, ruleset("rommeordnung"), 3)
    [(0, 23, 45), (61, 111, 45)]
    """
    rows = (tuple(points_of_game(count, rule_set, size) for count in game) for game in counts)
    return list(accumulate(rows, _add))


def _add(sums: tuple[int, ...], row: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(total + points for total, points in zip(sums, row, strict=True))
