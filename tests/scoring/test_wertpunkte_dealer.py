"""Wertpunkte where the dealer sits out at tables of four: fifteen own games of twenty."""

from __future__ import annotations

import json

import pytest

from scoring.ambiguity import score
from scoring.reading.interchange import read_list, result_to_json
from scoring.reading.ruleset_json import ruleset_from_dict, ruleset_to_dict
from scoring.tally import SEPARATOR, tally
from tests.scoring.sitting_out_lists import VALUED, VALUED_FOUR, VALUED_THREE, Written, lines


def test_each_player_of_the_template_plays_fifteen_games():
    assert [VALUED.own_games(players) for players in (4, 3)] == [15, 15]
    assert [VALUED.games_at(players) for players in (4, 3)] == [20, 15]
    assert ruleset_from_dict(json.loads(json.dumps(ruleset_to_dict(VALUED)))) == VALUED


@pytest.mark.parametrize(
    ("games", "seats", "expected"),
    [
        # Five times 5 + 2 + 1 and 0 + 28 + 55 each; the Handrommé is 3 more for place 2, the
        # 40 in place of 28 one less for place 3, with 12 Augen more.
        pytest.param(VALUED_FOUR, 4, [(40, 415), (43, 415), (39, 427), (40, 415)], id="four"),
        pytest.param(VALUED_THREE, 3, [(43, 415), (39, 427), (40, 415)], id="three"),
    ],
)
def test_wertpunkte_of_a_whole_list(
    games: list[Written], seats: int, expected: list[tuple[int, int]]
):
    results = score(lines(games), rule_set=VALUED, players=seats)

    assert [(result.total, result.augen) for result in results] == expected
    assert tally(SEPARATOR.join(map(json.dumps, games)), rule_set=VALUED, players=seats) == results


@pytest.mark.parametrize("unclear", [False, True], ids=["clear", "with an unclear hand"])
def test_a_dealer_who_sits_out_gets_nothing_for_an_empty_hand(unclear: bool):
    game = {"finisher": 2, "handromme": False, "minus": [None, 0, [28, 31] if unclear else 31, 55]}

    results = tally(json.dumps(game), rule_set=VALUED, players=4)

    # 0 Augen would be two Wertpunkte; of 28 or 31 the higher counts, so one (§ 2.2.6).
    assert [result.total for result in results] == [0, 5, 1, 1]


def test_file_with_a_list_is_scored():
    players = ["Anna", "Bernd", "Clara", "Dieter"]
    data = {"rule_set": "wertpunkte-geber", "players": players, "games": VALUED_FOUR}

    answer = result_to_json(read_list(json.dumps(data).encode()))

    assert answer["complete"]
    assert [(seat["total"], seat["games_won"]) for seat in answer["seats"]] == [
        (40, 5),
        (43, 5),
        (39, 5),
        (40, 5),
    ]
