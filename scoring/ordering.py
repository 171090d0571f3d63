"""Which of two results is better, and places in a ranking of any kind.

By the Romméordnung the fewest points win (§ 1.5), by Wertpunkte the most. Code that ranks, compares
or rounds results uses the :class:`Order` of the rule set or of the result and never compares points
with ``<`` itself; ``tests/test_order.py`` checks the code for it. Equal entries share a place:
1, 2, 2, 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import TypeVar

from scoring.errors import ScoringError
from scoring.texts import _

N = TypeVar("N", int, Fraction, "int | Fraction")


class Order(Enum):
    """Whether few points are better, or many."""

    FEWEST = 1  # § 1.5
    MOST = -1  # Wertpunkte

    @classmethod
    def of(cls, augen: int | None) -> Order:
        """Return the order of a result: only those in Wertpunkten have Augen beside them."""
        return cls.FEWEST if augen is None else cls.MOST

    @property
    def most_first(self) -> bool:
        """Whether the most points win."""
        return self is Order.MOST

    def key(self, points: N) -> N:
        """Return a sort key for *points*, the best first; it is its own inverse.

        >>> sorted([3, 7, 5], key=Order.FEWEST.key), sorted([3, 7, 5], key=Order.MOST.key)
        ([3, 5, 7], [7, 5, 3])
        """
        return points if self is Order.FEWEST else -points

    def behind(self, points: N, first: N) -> N:
        """Return by how many points a result is worse than the *first*.

        >>> Order.FEWEST.behind(120, 100), Order.MOST.behind(40, 52)
        (20, 12)
        """
        return self.key(points) - self.key(first)

    def scaled(self, points: int, *, played: int, games: int) -> int:
        """Return *points* of the games *played* for so many *games*, rounded to the worse value.

        >>> Order.FEWEST.scaled(-20, played=7, games=12), Order.MOST.scaled(20, played=7, games=12)
        (-34, 34)
        """
        return self.key(-(-self.key(points) * games // played))


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatStanding:
    """The standing of one seat at the end of a list; ``rank`` is its place at the table."""

    points: int  # result of the list by the key of its order: fewer are better, may be negative
    rank: int  # by § 1.5: points, games finished, Handrommés, Entscheidungsspiel
    games_won: int = 0
    augen: int | None = None  # counted in the hands, beside Wertpunkten only


def tie_groups(ranks: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return the positions that share a rank, best rank first, each group in order.

    Raises:
        ScoringError: if the ranks are invalid: they begin with 1, and a rank shared by *n*
            entries is followed by *n* − 1 skipped ranks.

    >>> tie_groups([2, 4, 1, 2])
    ((2,), (0, 3), (1,))
    """
    by_rank: dict[int, list[int]] = {}
    for position in sorted(range(len(ranks)), key=lambda position: ranks[position]):
        by_rank.setdefault(ranks[position], []).append(position)
    next_rank = 1
    for rank, positions in by_rank.items():
        if rank != next_rank:
            raise ScoringError(
                _(
                    "Die Plätze passen nicht zusammen: Statt Platz {rank} muss Platz {expected}"
                    " kommen. Nach einem geteilten Platz fallen so viele weg, dass jede Person"
                    " gezählt ist (1, 2, 2, 4)."
                ).format(rank=rank, expected=next_rank)
            )
        next_rank += len(positions)
    return tuple(map(tuple, by_rank.values()))


def table_groups(seats: Sequence[SeatStanding]) -> tuple[tuple[int, ...], ...]:
    """Check the standing of a table and return its tied groups, best first.

    Raises:
        ScoringError: if there are fewer than two seats, the ranks are invalid, or a seat
            is ranked before a better one.
    """
    if len(seats) < 2:
        raise ScoringError(_("An einem Tisch sitzen mindestens zwei Personen."))
    groups = tie_groups([seat.rank for seat in seats])
    in_order = [seats[position].points for group in groups for position in group]
    if in_order != sorted(in_order):
        raise ScoringError(
            _("Die Plätze passen nicht zu den Punkten: Wer weniger Punkte hat, steht vorn.")
        )
    for group in groups:
        if len({seats[position].points for position in group}) > 1:
            raise ScoringError(
                _("Einen Platz am Tisch kann nur teilen, wer gleich viele Punkte hat.")
            )
    return groups
