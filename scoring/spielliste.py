"""The clear lines of one Spielliste and what they come to for each seat.

Knows rule sets and lists, nothing of people, tournaments or storage. Points are whole
numbers, fewer are better, and a total may be negative: it is never clamped.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjustment:
    """Points that the rule set grants a seat in one game beyond its hand."""

    seat: int
    points: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty:
    """Strafpunkte of the Spielleitung for one seat (§ 8.3)."""

    seat: int
    points: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """One clear line; ``minus`` holds the counted hands, seat 1 first, before doubling."""

    finisher: int | None
    minus: tuple[int, ...]
    handromme: bool = False
    adjustments: tuple[Adjustment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatResult:
    """What one seat comes to; ``total`` is the sum of the signed parts."""

    seat: int
    minus: int  # with what the rule set adds for a Handrommé
    games_won: int
    handromme: int
    bonus: int
    handromme_bonus: int
    penalty: int
    adjustment: int

    @property
    def total(self) -> int:
        """Points of the list, fewer are better (§§ 1.5, 3.2)."""
        return (
            self.minus + self.bonus + self.handromme_bonus + self.penalty + self.adjustment
        )
