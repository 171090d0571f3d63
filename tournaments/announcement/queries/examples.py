"""Examples beside rules, a tariff or a prize plan, with typical numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.utils import timezone

from scoring.errors import ScoringError
from scoring.ordering import SeatStanding
from scoring.payments.bussgeld import BussgeldTariff
from scoring.payments.prizes import PrizePlan, PrizeRanking, suggest_plan
from scoring.ruleset import RuleSet
from tournaments.announcement.queries.pot_money import by_serie
from tournaments.announcement.queries.tournaments import STARTGELD_POT, Pot, registered_count
from tournaments.models import Ranking, Tournament
from tournaments.rulebook.queries.rule_set_example import everyday_table

EMPTY_PLAN = PrizePlan(lines=(), whole_euros=True)  # prizes without cents
USUAL_ENTRIES = 60


def bussgeld(tariff: BussgeldTariff, rule_set: RuleSet) -> list[tuple[SeatStanding, int]]:
    """Return the Bußgeld of each seat of a typical table in cents, the best one first."""
    seats = everyday_table(rule_set)
    games, own = rule_set.games_at(len(seats)), [rule_set.own_games(len(seats))] * len(seats)
    return list(zip(seats, tariff.per_seat(seats, games=games, own_games=own), strict=True))


def expected_entries(tournament: Tournament) -> int:
    """Return the number of registrations after the Meldeschluss, before it an estimate."""
    playing = 0
    if timezone.now() > tournament.registration_deadline:
        playing = registered_count(tournament)
    return playing or tournament.places or USUAL_ENTRIES


def prizes(plan: PrizePlan, pot: Pot, entries: int, serien: int) -> dict[str, Any]:
    """Return the payouts of *plan* if *entries* persons have paid into the pot, or its problem."""
    of_serien = plan.serie_part(pot.cents_each) * entries
    takings = pot.cents_each * entries
    example: dict[str, Any] = {"entries": entries, "takings_cents": takings}
    if serien and of_serien:
        first = by_serie(of_serien, range(1, serien + 1))[1]
        example["of_serien_cents"] = of_serien
        example["of_serie"] = plan.of_serie(1).fund(takings_cents=first)
    try:
        return {**example, "fund": plan.fund(takings_cents=takings - of_serien)}
    except ScoringError as refusal:
        return {**example, "refusal": str(refusal)}


def suggested_plan(pot: Pot, now: PrizePlan, usual: int) -> PrizePlan:
    """Return *now* with usual prizes for its expected entries, or for the *usual* number.

    Entries are persons; teams and tandems win by groups, so their persons are divided by the size.
    """
    groups = (now.expected_entries or usual) // pot.group_size
    suggested = suggest_plan(max(groups, 1))
    if pot.name != STARTGELD_POT:
        ranking = PrizeRanking(category=Ranking.Kind(pot.name).category)
        suggested = PrizePlan(
            lines=tuple(replace(line, ranking=ranking) for line in suggested.lines)
        )
    return replace(now, lines=suggested.lines)
