"""The plain draw: every player draws a Startkarte, no other aim is considered (§ 2.1.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from scoring.seating.chance import Chance
from scoring.seating.sizes import DEFAULT_SIZES, table_sizes

T = TypeVar("T")


def draw(
    players: Sequence[T], *, seed: str, allowed: Sequence[int] = DEFAULT_SIZES
) -> list[list[T]]:
    """Return tables of players by seat; every seating is equally likely.

    The players are shuffled once and fill the seats in order: table 1 seat 1, table 1
    seat 2, and so on, tables of an exceptional size last.

    Raises:
        ScoringError: if this number of players cannot be seated.

    >>> draw(range(1, 8), seed="Frühjahr")
    [[4, 3, 7, 2], [6, 1, 5]]
    """
    sizes = table_sizes(len(players), allowed)
    return deal(Chance(seed).shuffled(players), sizes)


def deal(order: Sequence[T], sizes: Sequence[int]) -> list[list[T]]:
    """Cut *order* into tables of the given sizes."""
    cards: Iterator[T] = iter(order)
    return [[next(cards) for _seat in range(size)] for size in sizes]
