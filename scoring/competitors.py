"""The entries of a ranking: results per Serie, of players or teams."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from scoring.ordering import Order


class Result(NamedTuple):
    """The result of one list, or of one team in one Serie; a named tuple, as SeatResult."""

    points: int  # with bonus and Strafpunkte, as in the list's last line
    games_won: int  # games finished, those by Handrommé among them
    handromme: int  # games finished by Handrommé
    games: int | None = None  # so far, while the Serie runs
    allowance: Fraction | int = 0  # added to compare equals meanwhile (scoring.running_ranking)
    augen: int | None = None  # counted in the hands, beside Wertpunkten only
    augen_allowance: Fraction | int = 0

    @property
    def order(self) -> Order:
        """Which of two results is better."""
        return Order.of(self.augen)


def sum_of_augen(results: Iterable[Result]) -> int | None:
    """Return the sum of the Augen of several results; None if the points are no Wertpunkte."""
    augen = [result.augen for result in results if result.augen is not None]
    return sum(augen) if augen else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Competitor:
    """A start number and its results, one for each Serie in order.

    ``None`` means no result: not played, or the list was declared invalid (§ 2.2.6).
    The caller decides whether a list counts before it is complete. Excluded players
    (§ 1.4) are not ranked.
    """

    number: int
    results: tuple[Result | None, ...]
    excluded: bool = False
    carried: int | None = None  # carried points; None counts as a missing result
