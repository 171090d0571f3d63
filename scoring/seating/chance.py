"""Random numbers that can be repeated from a seed, on every machine and in every version.

The generator is SHA-256 in counter mode and nothing else, so that a draw can be
checked with any other program:

* ``key`` is the SHA-256 of the seed in UTF-8;
* block *i* (from 0) is the SHA-256 of ``key`` followed by *i* as eight bytes, most
  significant first; it holds eight whole numbers of 32 bits, most significant first;
* a number below *n* is the next of these, modulo *n*; numbers from the last incomplete
  run of *n* are skipped, so every result is equally likely.

Python's ``random`` is not used: its methods change between versions.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from struct import Struct
from typing import TypeVar

from scoring.errors import ScoringError
from scoring.texts import _

T = TypeVar("T")

_WORDS = Struct(">8I")
_SPAN = 1 << 32


class Chance:
    """The stream of random numbers that belongs to one seed.

    Raises:
        ScoringError: if the seed is no text that can be written in UTF-8.

    >>> chance = Chance("Herbstturnier 2026")
    >>> [chance.below(6) + 1 for _throw in range(8)]
    [1, 2, 6, 2, 6, 6, 1, 4]
    """

    __slots__ = ("_block", "_key", "_words")

    def __init__(self, seed: str) -> None:
        try:
            raw = seed.encode("utf-8")
        except UnicodeEncodeError:
            raise ScoringError(
                _("Die Loszahl enthält Zeichen, die es nicht gibt (halbe Ersatzzeichen).")
            ) from None
        self._key = sha256(raw).digest()
        self._block = 0
        self._words: list[int] = []

    def below(self, bound: int) -> int:
        """Return a whole number from 0 to *bound* − 1, each equally likely; *bound* ≤ 2³²."""
        if not 0 < bound <= _SPAN:
            raise ValueError(bound)
        limit = _SPAN - _SPAN % bound
        while True:
            if not self._words:
                digest = sha256(self._key + self._block.to_bytes(8, "big")).digest()
                self._words = list(_WORDS.unpack(digest))[::-1]
                self._block += 1
            word = self._words.pop()
            if word < limit:
                return word % bound

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in a random order, each order equally likely.

        Fisher–Yates: from the last place down, each changes with one at or before it.

        >>> Chance("Frühjahr 2026").shuffled("ABCD")
        ['D', 'C', 'A', 'B']
        """
        mixed = list(items)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed

    def pick(self, items: Sequence[T]) -> T:
        """Return one of the items, each equally likely."""
        return items[self.below(len(items))]
