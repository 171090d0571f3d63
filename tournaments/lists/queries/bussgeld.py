"""What the seats of a list come to, and the Bußgeld that follows by the tariff."""

from __future__ import annotations

from collections.abc import Mapping

from scoring.payments.bussgeld import BussgeldTariff
from scoring.places import SeatStanding
from scoring.ruleset import RuleSet
from scoring.spielliste import SeatResult
from tournaments.lists.queries.data import ListData


def seat_standings(data: ListData, found: Mapping[int, SeatResult]) -> list[SeatStanding]:
    """Return how the seats of a table stand (§ 1.5), seat 1 first.

    The games of a seat count together, whoever played them: the Bußgeld is handed in by
    whoever sits there at the end.

    Args:
        data: the list.
        found: what it brings to each person: as it counts, or as it was played. A seat of
            which nobody has a result is the last.
    """
    sums = {seat: [0, 0, 0] for seat in data.seats}
    for result in found.values():
        mine = sums[result.seat]
        mine[0] += result.total
        mine[1] -= result.games_won
        mine[2] -= result.handromme
    seats = {result.seat for result in found.values()}
    ranked = sorted(sums[seat] for seat in seats)
    return [
        SeatStanding(
            points=mine[0],
            rank=ranked.index(mine) + 1 if seat in seats else len(ranked) + 1,
            games_won=-mine[1],
        )
        for seat, mine in sorted(sums.items())
    ]


def bussgeld_by_seat(data: ListData, rule_set: RuleSet, tariff: BussgeldTariff) -> dict[int, int]:
    """Return what each seat pays by the tariff, in cents; only for a whole list.

    A list that ended early is paid for as it was played, by those too who left: nobody
    pays for a game that was not played, nor for points that it was reckoned up by.
    """
    standings = seat_standings(data, data.as_played(rule_set))
    amounts = tariff.per_seat(standings, games=len(data.texts))
    return dict(zip(sorted(data.seats), amounts, strict=True))
