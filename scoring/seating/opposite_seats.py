"""Club mates „über Kreuz“: opposite each other, not side by side (§ 2.1.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import pairwise, permutations
from typing import TypeVar

from scoring.seating.chance import Chance

P = TypeVar("P", bound=Hashable)

_FIRST_RING = 3  # from three players on the last seat is a neighbour of the first


def neighbours(table: Sequence[P]) -> list[tuple[P, P]]:
    """Return the pairs that sit side by side; seat 1 is the neighbour of the last seat.

    >>> neighbours("ABCD")
    [('A', 'B'), ('B', 'C'), ('C', 'D'), ('D', 'A')]
    >>> neighbours("AB")
    [('A', 'B')]
    """
    pairs = list(pairwise(table))
    return pairs if len(table) < _FIRST_RING else [*pairs, (table[-1], table[0])]


def least_beside(members: int, seats: int) -> int:
    """Return how many pairs of *members* mates must sit side by side at a table of *seats*.

    At most every other seat can be kept apart: each member above half of the table costs
    two pairs. Different clubs never conflict, because only one club can have more than
    half of the seats.

    >>> [least_beside(members, 4) for members in range(5)]
    [0, 0, 0, 2, 4]
    >>> [least_beside(members, 3) for members in range(4)]
    [0, 0, 1, 3]
    """
    if members == seats:
        return seats if seats >= _FIRST_RING else seats - 1
    return max(0, 2 * members - seats)


def count_beside(table: Sequence[P], club_of: Mapping[P, Hashable | None]) -> int:
    """Return how many pairs of club mates sit side by side; ``None`` is no club."""
    return sum(
        club_of[left] is not None and club_of[left] == club_of[right]
        for left, right in neighbours(table)
    )


def least_beside_at(table: Iterable[P], club_of: Mapping[P, Hashable | None]) -> int:
    """Return the smallest :func:`count_beside` of all orders of these players."""
    members = list(table)
    clubs = Counter(club_of[player] for player in members)
    return sum(
        least_beside(count, len(members)) for club, count in clubs.items() if club is not None
    )


def cross(table: Sequence[P], club_of: Mapping[P, Hashable | None], chance: Chance) -> list[P]:
    """Return the players in a random order with as few club mates side by side as possible.

    Every best order is equally likely: random orders are drawn until one is best.

    >>> clubs = {1: "Skat", 2: "Skat", 3: "Rommé", 4: "Rommé"}
    >>> cross([1, 2, 3, 4], clubs, Chance("2026"))
    [4, 2, 3, 1]
    """
    least = least_beside_at(table, club_of)
    while True:
        order = chance.shuffled(table)
        if count_beside(order, club_of) == least:
            return order


def cross_drawn(
    table: Sequence[P], club_of: Mapping[P, Hashable | None], chance: Chance
) -> list[P]:
    """Return the table with as few changes of place as „über Kreuz“ needs.

    For seats that the players have drawn themselves; a table that is already best is
    returned unchanged. Among the best orders that move the fewest players one is drawn,
    each equally likely.

    >>> clubs = {1: "Skat", 2: "Skat", 3: None, 4: None}
    >>> cross_drawn([1, 3, 2, 4], clubs, Chance("2026"))
    [1, 3, 2, 4]
    >>> cross_drawn([1, 2, 3, 4], clubs, Chance("2026"))
    [1, 3, 2, 4]
    """
    least = least_beside_at(table, club_of)
    if count_beside(table, club_of) == least:
        return list(table)
    best: list[tuple[P, ...]] = []
    fewest = len(table) + 1
    for order in permutations(table):
        moved = sum(new != old for new, old in zip(order, table, strict=True))
        if moved <= fewest and count_beside(order, club_of) == least:
            best = [*best, order] if moved == fewest else [order]
            fewest = moved
    return list(chance.pick(best))
