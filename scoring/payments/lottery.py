"""A lottery: the order in which numbers are drawn; it can be verified by hand."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256


def lot(seed: str, number: int) -> str:
    """Return the lot of a number: the SHA-256 of „<seed> Verlosung <number>“ in UTF-8.

    >>> lot("2026", 12)[:8]
    'eb53e415'
    """
    return sha256(f"{seed} Verlosung {number}".encode()).hexdigest()


def draw_order(seed: str, numbers: Iterable[int]) -> list[int]:
    """Return the numbers in the order in which they are drawn: the smallest lot first.

    >>> draw_order("2026", [1, 2, 3, 4])
    [3, 1, 4, 2]
    """
    return sorted(numbers, key=lambda number: lot(seed, number))
