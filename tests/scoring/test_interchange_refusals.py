"""A file with a list that is refused: every problem, in order, at its place."""

from __future__ import annotations

import json

import pytest

from scoring.errors import ScoringError
from scoring.reading.interchange import read_list
from tests.scoring.list_files import LEFT_OUT, good, good_game, read, refusals


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param(12, [""], id="a number"),
        pytest.param([], [""], id="a list"),
        pytest.param(None, [""], id="null"),
        pytest.param({}, ["rule_set", "players", "games"], id="nothing given"),
        pytest.param(good(rule_set="skat"), ["rule_set"], id="no such rule set"),
        pytest.param(good(rule_set=12), ["rule_set"], id="rule set is a number"),
        pytest.param(good(rule_set=""), ["rule_set"], id="rule set is blank"),
        pytest.param(good(version=1), ["version"], id="unknown key"),
        pytest.param(good(players="Anna"), ["players"], id="players are a text"),
        pytest.param(good(players=[]), ["players"], id="nobody"),
        pytest.param(good(players=["A", "B"]), ["players", "games[0].minus"], id="two of them"),
        pytest.param(good(players=["A", " ", 3, "D\n"]), [f"players[{i}]" for i in (1, 2, 3)]),
        pytest.param(good(games={}), ["games"], id="games are an object"),
        pytest.param(good(games=[good_game(), []]), ["games[1]"], id="a game is a list"),
        pytest.param(good(games=[{}]), ["games[0].finisher", "games[0].minus"], id="empty game"),
        pytest.param(good(games=[good_game(minuss=1)]), ["games[0].minuss"], id="mistyped key"),
        pytest.param(good(penalties={}), ["penalties"], id="penalties are an object"),
        pytest.param(good(penalties=[1]), ["penalties[0]"], id="a penalty is a number"),
        pytest.param(
            good(penalties=[{}]),
            [f"penalties[0].{key}" for key in ("seat", "points", "reason")],
            id="empty penalty",
        ),
        pytest.param(
            good(penalties=[{"seat": "2", "points": 12.0, "reason": 1, "why": 1}]),
            [f"penalties[0].{key}" for key in ("seat", "points", "reason", "why")],
            id="all of a penalty",
        ),
        pytest.param(
            good(penalties=[{"seat": 5, "points": 0, "reason": ""}]),
            [f"penalties[0].{key}" for key in ("reason", "seat", "points")],
            id="§ 8.3 a penalty that cannot be",
        ),
    ],
)
def test_an_invalid_list_is_refused_with_its_place(data, expected):
    assert refusals(data) == expected


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        pytest.param(good_game(finisher=LEFT_OUT), ["finisher"], id="finisher is left out"),
        pytest.param(good_game(minus=LEFT_OUT), ["minus"], id="points are left out"),
        pytest.param(good_game(finisher="1"), ["finisher"], id="finisher is a text"),
        pytest.param(good_game(finisher=True), ["finisher"], id="finisher is true"),
        pytest.param(good_game(finisher=1.0), ["finisher"], id="finisher is 1.0"),
        pytest.param(good_game(finisher=[]), ["finisher"], id="finisher has no reading"),
        pytest.param(good_game(finisher=[[1]]), ["finisher[0]"], id="a reading of readings"),
        pytest.param(good_game(finisher=None), ["finisher"], id="nobody finished"),
        pytest.param(good_game(finisher=7), ["finisher"], id="no such seat"),
        pytest.param(
            good_game(finisher=[7, "x", None]),
            ["finisher[1]", "finisher[0]", "finisher[2]"],
            id="all readings of the finisher",
        ),
        pytest.param(good_game(handromme=None), ["handromme"], id="Handrommé is null"),
        pytest.param(good_game(handromme=1), ["handromme"], id="Handrommé is 1"),
        pytest.param(good_game(handromme=[]), ["handromme"], id="Handrommé has no reading"),
        pytest.param(good_game(handromme=[True, 0]), ["handromme[1]"], id="one reading is 0"),
        pytest.param(good_game(minus=12), ["minus"], id="points are a number"),
        pytest.param(good_game(minus=[]), ["minus"], id="no points"),
        pytest.param(good_game(minus=[0, 23, 45]), ["minus"], id="three of four points"),
        pytest.param(good_game(minus=[0, True, 45, 12]), ["minus[1]"], id="true is no number"),
        pytest.param(good_game(minus=[0, 23.0, 45, 12]), ["minus[1]"], id="23.0 is not whole"),
        pytest.param(good_game(minus=[0, None, 45, 12]), ["minus[1]"], id="null is no number"),
        pytest.param(good_game(minus=[0, 10**30, 45, 12]), ["minus[1]"], id="31 digits"),
        pytest.param(good_game(minus=[0, [], 45, 12]), ["minus[1]"], id="no reading"),
        pytest.param(good_game(minus=[0, [23, "x"], 45, 12]), ["minus[1][1]"], id="x among them"),
        pytest.param(
            good_game(minus=[0, ["x", 1], 45, 1]),
            ["minus[1][0]", "minus[1][1]", "minus[3]"],
            id="what cannot be read hides nothing",
        ),
        pytest.param(good_game(minus=[0, 1, 45, 12]), ["minus[1]"], id="§ 4.2 a loser with 1"),
        pytest.param(
            good_game(finisher="x", minus=[0, 1, 198, 12]),
            ["finisher", "minus[1]", "minus[2]"],
            id="an unknown finisher is not held against a 0",
        ),
        pytest.param(
            good_game(handromme="x", minus=[0, 1, 30, 12]),
            ["handromme", "minus[1]"],
            id="an unknown Handrommé is not held against a small hand",
        ),
        pytest.param(
            good_game(minus=[0, 197, 132, "x"]), ["minus[3]"], id="not all hands are known"
        ),
        pytest.param(good_game(minus=[0, 197, 132, 9]), ["minus"], id="§ 4.1 hands together"),
        pytest.param(good_game(adjustments={}), ["adjustments"], id="adjustments: an object"),
        pytest.param(
            good_game(adjustments=[{"seat": 9, "points": 0, "reason": " ", "x": 1}]),
            [f"adjustments[0].{key}" for key in ("reason", "x", "seat", "points")],
            id="an adjustment that cannot be",
        ),
        pytest.param(
            good_game(minus=[0, 1, 45, 12], adjustments=[{}]),
            [*(f"adjustments[0].{key}" for key in ("seat", "points", "reason")), "minus[1]"],
            id="a broken adjustment hides nothing",
        ),
    ],
)
def test_every_problem_of_a_game_is_found_at_its_place(game, expected):
    places = [f"games[1].{place}" for place in expected]

    assert refusals(good(games=[good_game(), game])) == places


def test_handromme_is_refused_by_rules_without_it():
    game = good_game(handromme=True, minus=[0, 90, 95, 99])

    assert refusals(good(rule_set="contract", games=[game])) == ["games[0].handromme"]


def test_without_a_known_rule_set_the_seats_are_still_checked():
    data = good(
        rule_set="skat",
        games=[good_game(finisher=5, handromme=True), good_game(finisher=None, minus=[1, 2])],
        penalties=[{"seat": 5, "points": 100, "reason": "x"}],
    )

    assert refusals(data) == [
        "rule_set",
        "games[0].finisher",
        "games[1].minus",
        "penalties[0].seat",
    ]


def test_without_known_players_the_hands_are_still_checked():
    data = good(
        players=None,
        games=[
            good_game(
                minus=[0, 1, 20],
                adjustments=[{"seat": 9, "points": 5, "reason": "x"}],
            )
        ],
    )

    assert refusals(data) == ["players", "games[0].minus[1]"]


def test_seats_of_adjustments_are_not_checked_without_players():
    adjustments = [{"seat": 9, "points": -50, "reason": "x"}]
    data = good(rule_set="liverpool", players=None, games=[good_game(adjustments=adjustments)])

    assert refusals(data) == ["players"]


def test_the_message_names_the_known_rule_sets():
    with pytest.raises(ScoringError, match=r"„skat“ gibt es nicht.*rommeordnung, hausregel"):
        read(good(rule_set="skat"))


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('"penalties": [], "penalties": []', "penalties"),
        ('"games": [], "players": ["A", "B", "C", "D"]', "games"),
    ],
)
def test_repeated_keys_are_refused(text, where):
    data = json.dumps(good())[:-1] + ", " + text + "}"

    with pytest.raises(ScoringError) as caught:
        read_list(data.encode())
    assert where in [problem.where for problem in caught.value.problems]
