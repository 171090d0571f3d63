"""A whole list by every rule set, at every size of table that it allows."""

from __future__ import annotations

import pytest

from scoring.reading.ruleset_json import ruleset_to_dict
from scoring.rulesets import ruleset
from tests.factories import make_players, make_tournament
from tests.factories_lists import list_of, make_seated_serie
from tests.tournaments.lists.test_enter_game import enter
from tournaments.common.actors import Actor
from tournaments.models import Spielliste

# Only the rules differ; one rule set is enough for storing games on both databases.
pytestmark = [pytest.mark.django_db, pytest.mark.once]


# A first game by each rule set, at every size of table it allows.
RULE_SETS = {
    "rommeordnung": (3, 4),
    "hausregel": (3, 4, 5, 6),
    "preisromme-1987": (3, 4),
    "traditionell": (2, 3, 4, 5, 6),
    "contract": (3, 4, 5),
    "liverpool": (3, 4, 5),
    "may-i": (3, 4, 5),
    "shanghai": (3, 4, 5),
    "shanghai-powe": (3, 4, 5),
    "shanghai-kolsov": (3, 4, 5),
    "progressiv": (3, 4, 5),
}


@pytest.mark.parametrize(
    ("name", "size"), [(name, size) for name, sizes in RULE_SETS.items() for size in sizes]
)
def test_a_whole_list_is_entered_by_every_rule_set(name, size):
    rules = ruleset(name)
    tournament = make_tournament(rule_set=ruleset_to_dict(rules))
    row = make_players(tournament, size)
    spielliste = list_of(make_seated_serie(tournament, [row]))
    actor = Actor.table(spielliste.table)

    for number in range(1, rules.games + 1):
        finisher = (number - 1) % size + 1
        minus = [0 if seat == finisher else 20 + 5 * seat for seat in range(1, size + 1)]
        line = {"finisher": finisher, "handromme": False, "minus": minus}
        spielliste = enter(spielliste, actor, line, confirmed=True)

    assert spielliste.status == Spielliste.Status.COMPLETE
    assert spielliste.games.count() == spielliste.version == rules.games
