"""The rule set, tariff and prize plans of a tournament as objects of the scoring."""

from __future__ import annotations

import json
from functools import lru_cache

from scoring.payments.bussgeld import TARIFFS, BussgeldTariff, NoBussgeld
from scoring.payments.prizes import PrizePlan
from scoring.reading.ruleset_json import ruleset_from_dict
from scoring.reading.validation import from_json
from scoring.ruleset import RuleSet
from scoring.standings import Terms
from tournaments.models import Ranking, Tournament


def rule_set_of(tournament: Tournament) -> RuleSet:
    """Return the frozen copy of the rule set of the tournament."""
    return _read(json.dumps(tournament.rule_set))


@lru_cache(maxsize=64)
def _read(text: str) -> RuleSet:
    return ruleset_from_dict(json.loads(text))


def terms_of(tournament: Tournament) -> Terms:
    """Return how the Ausschreibung departs from § 1.5: which Serien count, and who has a place."""
    return Terms(best=tournament.best_serien, only_whole=tournament.only_whole)


def bussgeld_tariff(tournament: Tournament) -> BussgeldTariff:
    """Return the tariff of the Bußgeld; ``NoBussgeld`` where none was chosen."""
    return from_json(tournament.bussgeld, *TARIFFS) if tournament.bussgeld else NoBussgeld()


_KINDS = {kind.value: place for place, kind in enumerate(Ranking.Kind)}


def prize_plans(tournament: Tournament) -> dict[str, PrizePlan]:
    """Return the plan of each pot: "startgeld", then the kinds of rankings with stakes.

    Their order is not that of the stored object, which databases and archives change.
    """
    pots = sorted(tournament.prize_plan, key=lambda pot: (pot in _KINDS, _KINDS.get(pot, 0)))
    return {pot: PrizePlan.from_dict(tournament.prize_plan[pot]) for pot in pots}
