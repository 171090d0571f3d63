"""Known constructions: rounds of full tables in which no two players meet twice.

A design has ``tables × size`` points 0, 1, …; each round is a partition of the points
into tables of the same size, and no two points share a table in more than one round.
docs/seating.md explains why each construction works and names its source.

* Transversal designs: the points form *size* columns of *tables* points, and a table
  takes one of each column. Over a field they have as many rounds as tables, over the
  numbers modulo *tables* often fewer. If a column can be cut into tables, that gives more.
* Resolvable designs with 3q + 1 points at tables of four, over a field with q elements,
  q = 1 mod 4: 16, 28, 40, 52, 76, … points, and every pair meets (Hanani, Ray-Chaudhuri
  and Wilson 1972).
* 24, 32 and 36 points at tables of four, in 7, 10 and 11 rounds, the most there can be:
  tables that are turned by a group of order 7, 8 and 11 (32 points: first by Aguado 2004).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import gcd

from scoring.seating.searched_designs import (
    THIRTY_SIX,
    THIRTY_TWO,
    TWELVE,
    TWENTY,
    TWENTY_FOUR,
    Design,
)


@dataclass(frozen=True, slots=True)
class FiniteField:
    """The field whose elements are 0 (zero), 1 (one) and the further numbers below *order*.

    ``powers`` are all elements but 0: the powers of one generator from the 0th on.
    """

    order: int
    plus: tuple[tuple[int, ...], ...]
    times: tuple[tuple[int, ...], ...]
    powers: tuple[int, ...]


def prime_power(number: int) -> tuple[int, int] | None:
    """Return (prime, exponent) if *number*, at least 2, is a power of a prime.

    >>> prime_power(8), prime_power(12)
    ((2, 3), None)
    """
    prime = next(factor for factor in range(2, number + 1) if number % factor == 0)
    exponent = 0
    while number % prime == 0:
        number //= prime
        exponent += 1
    return (prime, exponent) if number == 1 else None


@cache
def field(order: int) -> FiniteField | None:
    """Return the field with *order* elements (at least 2), or ``None`` if there is none.

    An element is a polynomial below x^exponent with coefficients modulo the prime, read
    as a number to the base of the prime.

    >>> field(4).times
    ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))
    """
    base = prime_power(order)
    if base is None:
        return None
    prime, exponent = base
    words = [word[::-1] for word in product(range(prime), repeat=exponent)]
    number = {word: value for value, word in enumerate(words)}
    plus = tuple(
        tuple(
            number[tuple((a + b) % prime for a, b in zip(word, other, strict=True))]
            for other in words
        )
        for word in words
    )
    cycles = (_cycle(steps) for steps in _multiplications(words, number, prime))
    powers = next(cycle for cycle in cycles if len(cycle) == order - 1 and 0 not in cycle)
    log = {element: power for power, element in enumerate(powers)}
    times = tuple(
        tuple(powers[(log[a] + log[b]) % (order - 1)] if a and b else 0 for b in range(order))
        for a in range(order)
    )
    return FiniteField(order, plus, times, powers)


def _multiplications(
    words: list[tuple[int, ...]], number: dict[tuple[int, ...], int], prime: int
) -> list[list[int]]:
    """Return the multiplication by one element, for each candidate for a generator.

    In a prime field these are the numbers themselves; else it is x, modulo each polynomial
    of the right degree (given by what x^exponent is equal to) in turn.
    """
    if len(words) == prime:
        return [[value * factor % prime for value in range(prime)] for factor in range(1, prime)]
    return [
        [
            number[
                tuple(
                    (below + word[-1] * carry) % prime
                    for below, carry in zip((0, *word[:-1]), tail, strict=True)
                )
            ]
            for word in words
        ]
        for tail in words
    ]


def _cycle(steps: list[int]) -> tuple[int, ...]:
    """Return the elements from 1 on until one repeats."""
    met = [1]
    while steps[met[-1]] not in met:
        met.append(steps[met[-1]])
    return tuple(met)


LARGEST_FIELD = 64  # tables; above, the numbers modulo the tables have rounds enough
FOUR = 4


def designs(tables: int, size: int, rounds: int) -> list[Design]:
    """Return the known designs with at least *rounds* rounds, or else those with the most.

    >>> [max(map(len, designs(tables, 4, 99)), default=0) for tables in (3, 4, 5, 6, 7, 8, 10)]
    [0, 5, 5, 7, 9, 10, 13]
    """
    known = _known(tables, size, 0 if tables <= LARGEST_FIELD else rounds)
    most = min(rounds, max(map(len, known), default=0))
    return [design for design in known if len(design) >= most]


@cache
def _known(tables: int, size: int, rounds: int) -> tuple[Design, ...]:
    """Return all designs with all their rounds, or only *rounds* of them if that is not 0."""
    if tables == 1:
        return (((tuple(range(size)),),),)
    if tables < size:
        return ()
    known = [_transversal(tables, size, rounds)]
    if size == FOUR and tables <= LARGEST_FIELD:
        order, rest = divmod(tables * FOUR - 1, 3)
        numbers = field(order) if rest == 0 else None
        if numbers is not None:
            known.append(_everybody_meets(numbers))
        if tables in _SEARCHED:
            known.append(_SEARCHED[tables]())
    return tuple(known)


def _transversal(tables: int, size: int, wanted: int) -> Design:
    """Return a transversal design; point ``column * tables + line`` is in column *column*.

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
        return lambda a, b: plus[a][b], [row[:size] for row in numbers.times]
    if (tables, size) == (12, FOUR):
        return (
            lambda a, b: (a // 2 + b // 2) % 6 * 2 + (a ^ b) % 2,
            [(0, *shift) for shift in TWELVE],
        )
    rounds = min(tables // gcd(tables, column) for column in range(1, size))
    return (
        lambda a, b: (a + b) % tables,
        [tuple(column * step for column in range(size)) for step in range(rounds)],
    )


def _everybody_meets(numbers: FiniteField) -> Design:
    """Return 3q + 1 points at tables of four, every pair once; q = 4t + 1 is the field's order.

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
    """Return all rounds made from the first by adding a number modulo *order* on each level."""
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
    for inner, outer, base in THIRTY_TWO:
        tables = {
            tuple(sorted(point ^ turn for point in table)) for table in base for turn in inner
        }
        rounds += [
            tuple(tuple(point ^ turn for point in table) for table in sorted(tables))
            for turn in outer
        ]
    return tuple(rounds)


_SEARCHED: dict[int, Callable[[], Design]] = {
    5: lambda: _turned(TWENTY, 5, 4),
    6: lambda: _turned(TWENTY_FOUR, 7, 3),
    8: _thirty_two,
    9: lambda: _turned(THIRTY_SIX, 11, 3),
}
