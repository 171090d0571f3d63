"""Known constructions: rounds of full tables in which nobody meets anybody twice.

A design has ``tables × size`` points 0, 1, …; each round is a partition of the points
into tables of the same size, and no two points share a table in more than one round.
See docs/seating.md for why each construction works and where it is from.

* Transversal designs: the points form *size* columns of *tables* points, and a table
  takes one of each column. Over a field they have as many rounds as tables, over the
  numbers modulo *tables* often fewer. If a column can be cut into tables, that gives more.
* Resolvable designs with 3q + 1 points at tables of four, over a field with q elements,
  q = 1 mod 4: 16, 28, 40, 52, 76, … points, and every pair meets (Hanani, Ray-Chaudhuri
  and Wilson 1972).
* 24 and 32 points at tables of four, in 7 and 10 rounds, the most there can be: tables
  that are turned by a group of order 7 and 8 (32 points: first by Aguado 2004).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import gcd

from scoring.seating.fields import Field, field

Design = tuple[tuple[tuple[int, ...], ...], ...]

LARGEST_FIELD = 64  # tables; above, the numbers modulo the tables have rounds enough
FOUR = 4

# 12 tables: how columns 2, 3 and 4 are shifted in each round, in the group of the pairs
# (a modulo 6, b modulo 2), written as 2a + b. The differences of any two columns, and each
# column itself, run through the whole group.
_TWELVE = (
    (0, 1, 5), (1, 9, 9), (2, 0, 6), (3, 10, 1), (4, 6, 4), (5, 8, 10),
    (6, 5, 8), (7, 7, 2), (8, 11, 7), (9, 2, 3), (10, 4, 11), (11, 3, 0),
)  # fmt: skip

# 20 points: 5 · level + number for four levels; one round, turned by adding modulo 5. It has 5
# rounds like the transversal design, and two points that never meet, such that everybody else
# meets at least one of them: left empty, they leave nobody out of the tables of three.
_TWENTY = ((0, 2, 9, 17), (1, 6, 7, 12), (3, 4, 11, 13), (5, 8, 15, 19), (10, 14, 16, 18))

# 24 points: 7 · level + number for three levels, and three points that stay. One round,
# turned by adding 1 to 6 modulo 7 to every number.
_TWENTY_FOUR = ((21, 3, 7, 15), (22, 6, 8, 19), (23, 1, 9, 18), (0, 10, 12, 13),
                (11, 14, 16, 17), (2, 4, 5, 20))  # fmt: skip

# 17 players in 5 rounds: nobody meets twice and everybody sits at a table of three two or
# three times. No design with full tables is known to give that (found by search).
_SEVENTEEN: Design = (
    ((3, 10, 15, 16), (7, 8, 9, 11), (1, 2, 14), (4, 12, 13), (0, 5, 6)),
    ((0, 10, 12, 14), (1, 4, 5, 8), (3, 6, 7), (9, 13, 15), (2, 11, 16)),
    ((1, 7, 10, 13), (2, 4, 6, 9), (0, 8, 16), (5, 12, 15), (3, 11, 14)),
    ((1, 6, 11, 12), (0, 2, 3, 13), (8, 14, 15), (4, 7, 16), (5, 9, 10)),
    ((5, 13, 14, 16), (0, 4, 11, 15), (2, 7, 12), (6, 8, 10), (1, 3, 9)),
)

# Found plans for uneven tables, by the sizes in rising order and the number of rounds.
UNEVEN: dict[tuple[tuple[int, ...], int], Design] = {((3, 3, 3, 4, 4), 5): _SEVENTEEN}

# 32 points: 8 · level + number for four levels; a turn is an XOR with 0 to 7. Each entry
# has the turns that make a round of its tables, and the turns that make rounds of it.
_THIRTY_TWO: tuple[tuple[tuple[int, ...], tuple[int, ...], tuple[tuple[int, ...], ...]], ...] = (
    (tuple(range(8)), (0,), ((0, 8, 16, 24),)),
    (tuple(range(8)), (0,), ((0, 10, 23, 29),)),
    (tuple(range(8)), (0,), ((0, 1, 20, 21), (8, 14, 26, 28))),
    (tuple(range(8)), (0,), ((0, 2, 4, 6), (8, 9, 12, 13), (16, 19, 21, 22), (24, 25, 26, 27))),
    ((0, 2, 5, 7), (0, 1), ((0, 9, 19, 26), (1, 15, 16, 30))),
    ((0, 2, 5, 7), (0, 1), ((0, 13, 22, 27), (1, 4, 24, 29), (9, 11, 21, 23))),
    ((0, 3, 4, 7), (0, 1), ((0, 11, 18, 30), (1, 2, 13, 14), (16, 20, 27, 31))),
)


def designs(tables: int, size: int, rounds: int) -> list[Design]:
    """Return the designs known here with at least so many rounds, else those with the most.

    >>> [max(map(len, designs(tables, 4, 99)), default=0) for tables in (3, 4, 5, 6, 7, 8, 10)]
    [0, 5, 5, 7, 9, 10, 13]
    """
    known = _known(tables, size, 0 if tables <= LARGEST_FIELD else rounds)
    most = min(rounds, max(map(len, known), default=0))
    return [design for design in known if len(design) >= most]


@cache
def _known(tables: int, size: int, wanted: int) -> tuple[Design, ...]:
    """All designs with all their rounds, or as many as are *wanted* if that is not 0."""
    if tables == 1:
        return (((tuple(range(size)),),),)
    if tables < size:
        return ()
    known = [_transversal(tables, size, wanted)]
    if size == FOUR and tables <= LARGEST_FIELD:
        order, rest = divmod(tables * FOUR - 1, 3)
        numbers = field(order) if rest == 0 else None
        if numbers is not None:
            known.append(_everybody_meets(numbers))
        if tables in _FOUND:
            known.append(_FOUND[tables]())
    return tuple(known)


def _transversal(tables: int, size: int, wanted: int) -> Design:
    """A transversal design; point ``column * tables + line`` stands in a column.

    In a round each column is shifted against the tables. Any two columns are shifted
    against each other by another amount in every round, so that no two points meet twice.
    """
    add, shifts = _shifts(tables, size)
    rounds = [
        tuple(
            tuple(column * tables + add(table, by) for column, by in enumerate(shift))
            for table in range(tables)
        )
        for shift in shifts[: wanted or tables]
    ]
    if tables % size == 0 and not wanted:
        inside = max(_known(tables // size, size, 0), key=len, default=())
        rounds += [
            tuple(
                tuple(column * tables + line for line in table)
                for column in range(size)
                for table in tables_of_column
            )
            for tables_of_column in inside
        ]
    return tuple(rounds)


def _shifts(tables: int, size: int) -> tuple[Callable[[int, int], int], Sequence[tuple[int, ...]]]:
    """Return an addition and, for each round, by how much each column is shifted."""
    numbers = field(tables) if tables <= LARGEST_FIELD else None
    if numbers is not None:
        plus = numbers.plus
        return lambda one, other: plus[one][other], [row[:size] for row in numbers.times]
    if (tables, size) == (12, FOUR):
        return (
            lambda one, other: (one // 2 + other // 2) % 6 * 2 + (one ^ other) % 2,
            [(0, *shift) for shift in _TWELVE],
        )
    rounds = min(tables // gcd(tables, column) for column in range(1, size))
    return (
        lambda one, other: (one + other) % tables,
        [tuple(column * step for column in range(size)) for step in range(rounds)],
    )


def _everybody_meets(numbers: Field) -> Design:
    """3q + 1 points at tables of four, every pair once; q = 4t + 1 is the order of the field.

    Points are three levels of the field and one more, ``far``. With the powers 1, x, x², …
    of a generator the first round has {far, 0, 0, 0} and, for each level and i < t,
    {xⁱ, −xⁱ} there with {xⁱ⁺ᵗ, −xⁱ⁺ᵗ} on the next level; the others are turned from it by
    adding each element.
    """
    order, powers = numbers.order, numbers.powers
    quarter = order // FOUR
    far = 3 * order
    first = [[far, 0, order, 2 * order]]
    for level in range(3):
        here, there = level * order, (level + 1) % 3 * order
        first += [
            [
                here + powers[i],
                here + powers[i + 2 * quarter],  # x²ᵗ is −1
                there + powers[i + quarter],
                there + powers[i + 3 * quarter],
            ]
            for i in range(quarter)
        ]
    return tuple(
        tuple(
            tuple(
                point if point == far else point // order * order + turn[point % order]
                for point in table
            )
            for table in first
        )
        for turn in numbers.plus
    )


def _turned(first: Sequence[Sequence[int]], order: int, levels: int) -> Design:
    """All rounds that come from the first by adding a number modulo *order* on each level."""
    return tuple(
        tuple(
            tuple(
                point // order * order + (point % order + turn) % order
                if point < order * levels
                else point
                for point in table
            )
            for table in first
        )
        for turn in range(order)
    )


def _thirty_two() -> Design:
    rounds = []
    for inner, outer, base in _THIRTY_TWO:
        tables = {
            tuple(sorted(point ^ turn for point in table)) for table in base for turn in inner
        }
        rounds += [
            tuple(tuple(point ^ turn for point in table) for table in sorted(tables))
            for turn in outer
        ]
    return tuple(rounds)


_FOUND: dict[int, Callable[[], Design]] = {
    5: lambda: _turned(_TWENTY, 5, 4),
    6: lambda: _turned(_TWENTY_FOUR, 7, 3),
    8: _thirty_two,
}
