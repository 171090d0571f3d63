"""What the seats of a list come to, and the Bußgeld that follows by the tariff."""

from __future__ import annotations

from scoring.payments.bussgeld import BussgeldTariff
from scoring.places import SeatStanding
from scoring.ruleset import RuleSet
from tournaments.lists.queries.data import ListData


def seat_standings(data: ListData, rule_set: RuleSet) -> list[SeatStanding]:
    """Return how the seats of a table stand (§ 1.5), seat 1 first.

    The games of a seat count together, whoever played them: the Bußgeld is handed in by
    whoever sits there at the end.
    """
    sums = {seat: [0, 0, 0] for seat in data.seats}
    for result in data.results(rule_set).values():
        mine = sums[result.seat]
        mine[0] += result.total
        mine[1] -= result.games_won
        mine[2] -= result.handromme
    ranked = sorted(sums.values())
    return [
        SeatStanding(points=mine[0], rank=ranked.index(mine) + 1, games_won=-mine[1])
        for _seat, mine in sorted(sums.items())
    ]


def bussgeld_by_seat(data: ListData, rule_set: RuleSet, tariff: BussgeldTariff) -> dict[int, int]:
    """Return what each seat pays by the tariff, in cents; only for a whole list."""
    amounts = tariff.per_seat(seat_standings(data, rule_set), games=len(data.games))
    return dict(zip(sorted(data.seats), amounts, strict=True))
