"""Wertpunkte: the points that a game brings by its finish and the hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from scoring.reading.records import WholeNumber
from scoring.reading.ruleset_types import MOST_PENALTY, MOST_POINTS, Players, Points


@dataclass(frozen=True, slots=True, kw_only=True)
class ValuationStep:
    """The Wertpunkte of a hand that counts *upto* or less."""

    upto: Annotated[int, WholeNumber(1, MOST_POINTS)]
    points: Annotated[int, WholeNumber(1, MOST_POINTS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Valuation:
    """The Wertpunkte of each game for a seat; the most win."""

    finish: Mapping[Players, Points]  # players at the table -> points of a finished game
    handromme: Mapping[Players, Points] = field(default_factory=dict)  # of one by Handrommé
    steps: tuple[ValuationStep, ...] = ()  # rising hands, falling points
    penalty_per: Annotated[int, WholeNumber(0, MOST_PENALTY)] = (
        0  # Strafpunkte that cost one; 0: none
    )

    def of_hand(self, hand: int) -> int:
        """Return the points of a seat that counts *hand*; 0 beyond the last step.

        >>> steps = (ValuationStep(upto=30, points=2), ValuationStep(upto=60, points=1))
        >>> valuation = Valuation(finish={4: 5}, handromme={4: 8}, steps=steps)
        >>> [valuation.of_hand(hand) for hand in (30, 31, 60, 61)]
        [2, 1, 1, 0]
        """
        return next((step.points for step in self.steps if hand <= step.upto), 0)

    def of_penalty(self, penalty: int) -> int:
        """Return the points that Strafpunkte cost; a part of a step costs a whole one."""
        return -(-penalty // self.penalty_per) if self.penalty_per else 0
