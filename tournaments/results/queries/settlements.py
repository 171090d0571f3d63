"""The settlement of each table, if the rule set is played for money.

The Romméordnung is not. Only whole lists are settled; the table notes the number of bought cards.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from scoring.payments.settlement import ByRank, balance
from tournaments.common.rules import rule_set_of
from tournaments.lists.queries import data as list_data
from tournaments.lists.queries.bussgeld import seat_standings
from tournaments.models import Spielliste
from tournaments.results.queries.rankings import Rankings


def settlement_sheet(rankings: Rankings) -> dict[str, Any] | None:
    """Return the settlement of all whole lists; None if the rule set has none.

    A person receives positive and pays negative cents.
    """
    rule_set = rule_set_of(rankings.tournament)
    settlement = rule_set.settlement
    if settlement is None:
        return None
    tables = []
    sums: Counter[int] = Counter()
    lists = Spielliste.objects.filter(table__serie__tournament=rankings.tournament)
    bought = dict(lists.values_list("pk", "bought_cards"))
    card_pot_cents = 0
    for data in rankings.lists:
        if data.status not in list_data.COMPLETE:
            continue
        # Games that were played are settled, also those of a list that ended early.
        standings = seat_standings(data, data.as_played(rule_set))
        cards = sum(bought.get(data.pk, ()))
        amounts = balance(settlement, standings, cards=cards)
        card_pot_cents += settlement.pot_cents(cards) if isinstance(settlement, ByRank) else 0
        seats = [
            (rankings.registrations[data.seats[number]], standing.points, cents)
            for number, standing, cents in zip(sorted(data.seats), standings, amounts, strict=True)
        ]
        sums.update({registration.pk: cents for registration, _points, cents in seats})
        tables.append((data.serie, data.table, seats))
    return {
        "rule": settlement.describe(),
        "card_pot_cents": card_pot_cents,  # of all bought cards; included in the amounts
        "tables": tables,
        "persons": [
            (registration, sums[pk])
            for pk, registration in rankings.registrations.items()
            if pk in sums
        ],
    }
