"""Cards: the ranks, and how many of each a table plays with."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from scoring.reading.records import WholeNumber

SUITS = 4
MOST_DECKS = 4
MOST_JOKERS = 24


class Rank(StrEnum):
    """The rank of a card; the suit never changes what a card counts."""

    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "10"
    BUBE = "B"
    DAME = "D"
    KOENIG = "K"
    ASS = "A"
    JOKER = "Joker"


_NUMBER_CARDS = {
    rank: int(rank) for rank in Rank if rank.value.isdigit()
}  # the number printed on the card
COURT_CARDS = (Rank.BUBE, Rank.DAME, Rank.KOENIG)


def values_by_number(*, ace: int, joker: int) -> dict[Rank, int]:
    """Return the points of each card in a hand if 2 to 10 count their number.

    Bube, Dame and König count 10 in every such rule (§ 4.2 and the other sources);
    they differ in Ass and Joker.

    >>> values = values_by_number(ace=11, joker=20)
    >>> [values[rank] for rank in (Rank.SEVEN, Rank.DAME, Rank.ASS, Rank.JOKER)]
    [7, 10, 11, 20]
    """
    return _NUMBER_CARDS | dict.fromkeys(COURT_CARDS, 10) | {Rank.ASS: ace, Rank.JOKER: joker}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """The cards on one table: whole decks of 52 and the jokers among them (§ 4.1)."""

    decks: Annotated[int, WholeNumber(1, MOST_DECKS)]
    jokers: Annotated[int, WholeNumber(0, MOST_JOKERS)]

    def count(self, rank: Rank) -> int:
        """Return how many cards of *rank* there are.

        >>> Pack(decks=2, jokers=6).count(Rank.ASS)
        8
        """
        return self.jokers if rank is Rank.JOKER else SUITS * self.decks

    @property
    def size(self) -> int:
        """Number of all cards.

        >>> Pack(decks=2, jokers=6).size
        110
        """
        return sum(self.count(rank) for rank in Rank)
