"""Finite fields small enough to be tables: the arithmetic behind the constructions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product


@dataclass(frozen=True, slots=True)
class Field:
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
def field(order: int) -> Field | None:
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
            number[tuple((a + b) % prime for a, b in zip(one, other, strict=True))]
            for other in words
        )
        for one in words
    )
    cycles = (_cycle(steps) for steps in _multiplications(words, number, prime))
    powers = next(cycle for cycle in cycles if len(cycle) == order - 1 and 0 not in cycle)
    log = {element: power for power, element in enumerate(powers)}
    times = tuple(
        tuple(powers[(log[a] + log[b]) % (order - 1)] if a and b else 0 for b in range(order))
        for a in range(order)
    )
    return Field(order, plus, times, powers)


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
    """Return the elements met from 1 on until one comes again."""
    met = [1]
    while steps[met[-1]] not in met:
        met.append(steps[met[-1]])
    return tuple(met)
