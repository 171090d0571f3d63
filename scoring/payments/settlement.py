"""Settlements: the amounts that the seats of a table pay or receive after the list is finished.

Amounts are whole cents, one per seat, seat 1 first: positive is received, negative paid.
They add up to the pot on the table, which is 0 if there is none. Seats that share a place
share the amounts of its places; an indivisible cent is received, or paid, by the earlier
seat among them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from operator import sub
from typing import Annotated, Literal

from scoring.errors import Problem, ScoringError
from scoring.money import euro, percent, split_by_weights, split_evenly
from scoring.ordering import SeatStanding, table_groups
from scoring.reading.records import Cents, OneOf, Record, WholeNumber
from scoring.texts import _

WinnerPercent = Annotated[int, WholeNumber(50, 100)]  # with less the second could get more
Behind = Annotated[int, WholeNumber(1, 10_000)]
Weight = Annotated[int, WholeNumber(1, 1000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """A standing that was checked: seats, and groups sharing a place, best first."""

    seats: Sequence[SeatStanding]
    groups: Sequence[Sequence[int]]

    def by_seat(self, in_order: Sequence[int]) -> tuple[int, ...]:
        """Return amounts given in order of the standing in the order of seats."""
        order = (seat for group in self.groups for seat in group)
        amounts = dict(zip(order, in_order, strict=True))
        return tuple(amounts[seat] for seat in range(len(self.seats)))


@dataclass(frozen=True, kw_only=True)
class Settlement(Record, ABC):
    """How a rule set converts points into money; one of the kinds below."""

    kind: str

    def settle(self, seats: Sequence[SeatStanding], *, pot_cents: int = 0) -> tuple[int, ...]:
        """Return the amount that each seat receives (positive) or pays (negative), in cents.

        Args:
            seats: the table's standing, seat 1 first.
            pot_cents: the money in the pot already; it is paid out whole.

        Raises:
            ScoringError: if the standing is invalid, the pot is below zero, or this kind of
                settlement has no pot.
        """
        groups = table_groups(seats)
        if pot_cents < 0:
            raise ScoringError(_("In der Kasse am Tisch kann nicht weniger als nichts sein."))
        return self._settle(_Table(seats=seats, groups=groups), pot_cents)

    @abstractmethod
    def _settle(self, table: _Table, pot_cents: int) -> tuple[int, ...]: ...

    @abstractmethod
    def describe(self) -> str:
        """Return the sentence of the Ausschreibung."""


@dataclass(frozen=True, kw_only=True)
class Pairwise(Settlement):
    """Each player settles with each other by the difference of points (Romme Regeln)."""

    kind: Literal["pairwise"] = "pairwise"
    cents_per_point: Cents = 1

    def _settle(self, table: _Table, pot_cents: int) -> tuple[int, ...]:
        if pot_cents:
            raise ScoringError(
                _("Wo jeder mit jedem abrechnet, gibt es keine Kasse am Tisch zu verteilen.")
            )
        points = [seat.points for seat in table.seats]
        return tuple(self.cents_per_point * (sum(points) - len(points) * own) for own in points)

    def describe(self) -> str:
        return _("Jeder rechnet mit jedem ab, je Punkt Unterschied {amount}.").format(
            amount=euro(self.cents_per_point)
        )


@dataclass(frozen=True, kw_only=True)
class RingGamePot(Settlement):
    """Every player pays a stake; the winner gets most of it (Traditionelles Rommé).

    The winner gets at least ``winner_percent`` of the pot, rounded up to the cent. The
    rest goes to the players less than ``within_points`` behind, in proportion to
    ``within_points`` minus their distance; to the winner if there is no such player. A
    player sharing the first place also counts as the closest follower possible, so that a
    third player gets no more than if one of the winners had been a point worse.
    """

    kind: Literal["ring_game_pot"] = "ring_game_pot"
    stake_cents: Cents
    winner_percent: WinnerPercent = 75
    within_points: Behind = 80

    def pot_cents(self, players: int) -> int:
        """Return the pot from the stakes of this number of *players*, in cents."""
        return self.stake_cents * players

    def _settle(self, table: _Table, pot_cents: int) -> tuple[int, ...]:
        best, *others = (table.seats[seat].points for group in table.groups for seat in group)
        closeness = [max(self.within_points - (points - best), 0) for points in others]
        if any(closeness):
            winner = -(-pot_cents * self.winner_percent // 100)
            shares = [winner, *split_by_weights(pot_cents - winner, closeness)]
        else:
            shares = [pot_cents, *(0 for _other in others)]
        winners = len(table.groups[0])
        shares[:winners] = split_evenly(sum(shares[:winners]), winners)
        return table.by_seat(shares)

    def describe(self) -> str:
        return _(
            "Jeder zahlt {stake} in die Kasse. Wer gewinnt, erhält {winner} davon; den Rest"
            " teilen sich alle, die weniger als {points} Punkte zurückliegen, je nach Abstand."
        ).format(
            stake=euro(self.stake_cents),
            winner=percent(10 * self.winner_percent),
            points=self.within_points,
        )


@dataclass(frozen=True, kw_only=True)
class ByRank(Settlement):
    """Each player pays by rank, the winner gets all of it and the pot (Progressives Rommé).

    The second pays ``step_cents``, each further rank that much more than the one before.
    The pot of bought cards is divided among the first ranks by ``pot_weights``:
    (1,) gives it to the winner, (2, 1) two thirds to the winner and one to the second.
    """

    kind: Literal["by_rank"] = "by_rank"
    step_cents: Cents = 2
    card_cents: Cents = 1
    pot_weights: tuple[Weight, ...] = (1,)

    def contradictions(self) -> tuple[Problem, ...]:
        if self.pot_weights:
            return ()
        return (Problem("pot_weights", _("Jemand muss die Kasse erhalten: Anteile fehlen.")),)

    def pot_cents(self, cards: int) -> int:
        """Return the pot from this number of bought *cards*, in cents."""
        return self.card_cents * cards

    def _settle(self, table: _Table, pot_cents: int) -> tuple[int, ...]:
        players = len(table.seats)
        weights = [*self.pot_weights, *[0] * players][:players]
        from_pot = split_by_weights(pot_cents, weights)
        payments = [place * self.step_cents for place in range(players)]
        amounts: list[int] = []
        for group in table.groups:
            places = slice(len(amounts), len(amounts) + len(group))
            winnings = 0 if amounts else sum(payments)
            received = split_evenly(winnings + sum(from_pot[places]), len(group))
            paid = split_evenly(sum(payments[places]), len(group))
            amounts += map(sub, received, paid)
        return table.by_seat(amounts)

    def describe(self) -> str:
        payments = _(
            "Der zweite Platz zahlt {step}, jeder weitere {step} mehr; wer gewinnt, erhält alles."
        ).format(step=euro(self.step_cents))
        if len(self.pot_weights) == 1:
            pot = _("Die Kasse der gekauften Karten (je {card}) geht ebenfalls dorthin.")
        else:
            pot = _(
                "Die Kasse der gekauften Karten (je {card}) wird unter den ersten Plätzen im"
                " Verhältnis {weights} geteilt."
            )
        weights = " : ".join(map(str, self.pot_weights))
        return f"{payments} {pot.format(card=euro(self.card_cents), weights=weights)}"


SETTLEMENTS: tuple[type[Settlement], ...] = (Pairwise, RingGamePot, ByRank)
AnySettlement = Annotated[Settlement, OneOf(SETTLEMENTS)]


def balance(
    settlement: Settlement, seats: Sequence[SeatStanding], *, cards: int = 0
) -> tuple[int, ...]:
    """Return the amount that each seat receives or pays in all, in cents, less its own stake.

    Bought cards were paid for at the table; their pot is added.

    Args:
        seats: the table's standing, seat 1 first.
        cards: how many were bought at the table, if the rules allow it.
    """
    if isinstance(settlement, ByRank):
        return settlement.settle(seats, pot_cents=settlement.pot_cents(cards))
    if not isinstance(settlement, RingGamePot):
        return settlement.settle(seats)
    received = settlement.settle(seats, pot_cents=settlement.pot_cents(len(seats)))
    return tuple(cents - settlement.stake_cents for cents in received)
