"""The results of the players on a list, as the page of a table shows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scoring.ruleset import RuleSet
from scoring.spielliste import SeatResult
from tournaments.common.rules import bussgeld_tariff
from tournaments.lists.queries.bussgeld import bussgeld_by_seat, places_at_table
from tournaments.lists.queries.data import COMPLETE, ListData
from tournaments.models import Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTotal:
    """The result of a seat's player, in the parts of docs/formats.md 1."""

    seat: int
    minus: int
    games_won: int
    bonus: int
    handromme: int
    handromme_bonus: int
    penalty: int
    adjustment: int
    added: int  # points added by extrapolating a list that was ended early
    total: int
    place: int | None  # None for a player who left before the list was ended
    bussgeld_cents: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ValuedTotal(SeatTotal):
    """The same in Wertpunkte, with the Augen."""

    steps: int
    penalty_cost: int
    added_augen: int
    augen: int


_PARTS = (
    "minus",
    "games_won",
    "bonus",
    "handromme",
    "handromme_bonus",
    "penalty",
    "adjustment",
    "added",
    "total",
)


_VALUED_PARTS = (*_PARTS, "steps", "penalty_cost", "added_augen", "augen")


def seat_totals(
    data: ListData, results: Mapping[int, SeatResult], rule_set: RuleSet, tournament: Tournament
) -> Iterable[SeatTotal]:
    """Yield the result of each seat's player, games at other seats of the table included."""
    places = places_at_table(data, rule_set)
    whole = data.status in COMPLETE
    bussgeld = bussgeld_by_seat(data, rule_set, bussgeld_tariff(tournament)) if whole else {}
    for seat, owner in sorted(data.seats.items()):
        kind, parts = (ValuedTotal, _VALUED_PARTS) if rule_set.valuation else (SeatTotal, _PARTS)
        yield kind(
            seat=seat,
            **{part: getattr(results[owner], part) for part in parts},
            place=places[seat],
            bussgeld_cents=bussgeld.get(seat),
        )
