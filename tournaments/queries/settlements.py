"""Who pays and who receives what at each table, where the rule set settles in money.

The Romméordnung does not. Only whole lists are settled; what lies in a pot of bought cards
is counted at the table and not kept here, so it is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoring.places import SeatStanding
from scoring.settlement import ByRank, RingGamePot, Settlement
from tournaments.models import Registration
from tournaments.queries import results
from tournaments.queries.handing_in import seat_standings
from tournaments.queries.rankings import Rankings


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledSeat:
    """What a seat receives (positive) or pays (negative)."""

    number: int
    registration: Registration
    points: int
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledTable:
    """A table of one Serie."""

    serie: int
    table: int
    seats: tuple[SettledSeat, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledPerson:
    """What somebody receives or pays in all."""

    registration: Registration
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementSheet:
    """The settlement of a tournament."""

    rule: str  # German
    lacks_card_pot: bool  # whether a pot of bought cards is left out
    tables: tuple[SettledTable, ...]
    persons: tuple[SettledPerson, ...]  # by start number


def settlement_sheet(rankings: Rankings) -> SettlementSheet | None:
    """Return the settlement of all whole lists; None where the rule set has none."""
    rule_set = results.rule_set_of(rankings.tournament)
    settlement = rule_set.settlement
    if settlement is None:
        return None
    tables = []
    sums: Counter[int] = Counter()
    for data in rankings.lists:
        if data.status not in results.COMPLETE:
            continue
        standings = seat_standings(data, rule_set)
        amounts = _amounts(settlement, standings)
        seats = [
            SettledSeat(
                number=number,
                registration=rankings.registrations[data.seats[number]],
                points=standing.points,
                cents=cents,
            )
            for number, standing, cents in zip(sorted(data.seats), standings, amounts, strict=True)
        ]
        sums.update({seat.registration.pk: seat.cents for seat in seats})
        tables.append(SettledTable(serie=data.serie, table=data.table, seats=tuple(seats)))
    return SettlementSheet(
        rule=settlement.describe(),
        lacks_card_pot=isinstance(settlement, ByRank),
        tables=tuple(tables),
        persons=tuple(_persons(rankings, sums)),
    )


def _amounts(settlement: Settlement, standings: Sequence[SeatStanding]) -> list[int]:
    """Return what each seat receives or pays; in a ring game its own stake is taken off."""
    if not isinstance(settlement, RingGamePot):
        return list(settlement.settle(standings))
    pot_cents = settlement.pot_cents(len(standings))
    received = settlement.settle(standings, pot_cents=pot_cents)
    return [cents - settlement.stake_cents for cents in received]


def _persons(rankings: Rankings, sums: Counter[int]) -> Iterator[SettledPerson]:
    for registration in rankings.registrations.values():
        if registration.pk in sums:
            yield SettledPerson(registration=registration, cents=sums[registration.pk])
