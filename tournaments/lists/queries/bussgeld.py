"""The result of each seat of a list, and its Bußgeld by the tariff."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from operator import add

from scoring.ordering import SeatStanding
from scoring.payments.bussgeld import BussgeldTariff
from scoring.ruleset import RuleSet
from scoring.spielliste import SeatResult
from tournaments.lists.queries.data import ListData


def seat_standings(data: ListData, results: Mapping[int, SeatResult]) -> list[SeatStanding]:
    """Return points, rank and games won of each seat of a table (§ 1.5), seat 1 first.

    The games of a seat are added up even if several players played them: the player who
    sits there at the end hands in the Bußgeld.

    Args:
        results: of each registration, as played. A seat without a result is ranked last.
    """
    at_table: dict[int, tuple[int, ...]] = dict.fromkeys(data.seats, (0, 0, 0, 0))
    for result in results.values():
        at_table[result.seat] = tuple(map(add, at_table[result.seat], result.at_table))
    seats = {result.seat for result in results.values()}
    has_augen = any(result.augen is not None for result in results.values())
    ranked = sorted(at_table[seat] for seat in seats)
    return [
        SeatStanding(
            points=standing[0],
            rank=ranked.index(standing) + 1 if seat in seats else len(ranked) + 1,
            games_won=-standing[2],
            augen=standing[1] if has_augen else None,
        )
        for seat, standing in sorted(at_table.items())
    ]


def results_at_table(data: ListData, rule_set: RuleSet) -> dict[int, SeatResult]:
    """Return the counted results of the players at the table at its end, except those who left."""
    left_out = data.without_result(rule_set)
    return {
        owner: result
        for owner, result in data.counted(rule_set).items()
        if owner in data.seats.values() and owner not in left_out
    }


def places_at_table(data: ListData, rule_set: RuleSet) -> dict[int, int | None]:
    """Return the rank of each seat's player at the table (§ 1.5); None for players who left."""
    results = results_at_table(data, rule_set)
    ranked = {
        seat: results[owner].at_table for seat, owner in data.seats.items() if owner in results
    }
    in_order = sorted(ranked.values())
    return {
        seat: in_order.index(ranked[seat]) + 1 if seat in ranked else None for seat in data.seats
    }


def bussgeld_by_seat(data: ListData, rule_set: RuleSet, tariff: BussgeldTariff) -> dict[int, int]:
    """Return the Bußgeld of each seat by the tariff, in cents; for a complete list only.

    For a list that was ended early, the games as played count, also for players who left;
    games not played and extrapolated points cost nothing.
    """
    results, played, own = data.as_played(rule_set), data.played(rule_set), Counter[int]()
    for owner, result in results.items():
        own[result.seat] += played[owner]
    amounts = tariff.per_seat(
        seat_standings(data, results),
        games=len(data.texts),
        own_games=[own[seat] for seat in sorted(data.seats)],
    )
    late = tariff.late_cents if data.is_late else 0
    return {seat: cents + late for seat, cents in zip(sorted(data.seats), amounts, strict=True)}
