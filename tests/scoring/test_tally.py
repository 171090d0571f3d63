"""Stored games have the same totals added up as stored or read line by line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.ambiguity import count_line
from scoring.competitors import Result
from scoring.reading.interchange import line_from_json
from scoring.rulesets import ruleset
from scoring.spielliste import sum_up
from scoring.tally import SEPARATOR, ranking_results, tally

ORDNUNG = ruleset("rommeordnung")
RULE_SETS = (
    ORDNUNG,
    ruleset("traditionell"),
    ruleset("contract"),
    replace(ruleset("hausregel"), finisher_may_hold=7),
)
PLAYERS = 4


def written(games: Sequence[dict[str, Any]]) -> str:
    """Return games as a database has them."""
    return SEPARATOR.join(map(json.dumps, games))


def lists_of(rule_set):
    """Draw the games of some lists."""
    return st.lists(games(rule_set), min_size=1, max_size=4)


@st.composite
def games(draw: st.DrawFn, rule_set):
    """Draw stored games, some of them unclear or with adjustments."""
    seats = st.integers(1, PLAYERS)
    drawn = []
    for _game in range(draw(st.integers(0, 4))):
        finisher = draw(seats | st.none() if rule_set.ends_without_finisher else seats)
        knows = rule_set.handromme is not None and finisher is not None
        hand = st.integers(2, 90)
        held = st.integers(0, rule_set.finisher_may_hold)
        minus: list[Any] = [
            draw(held if seat == finisher else hand) for seat in range(1, PLAYERS + 1)
        ]
        game = {
            "finisher": finisher,
            "handromme": draw(st.booleans()) if knows else False,
            "minus": minus,
        }
        kind = draw(st.sampled_from(["clear"] * 5 + ["points", "finisher", "hand", "adjusted"]))
        if kind == "points":
            minus[draw(seats) - 1] = sorted(draw(st.lists(hand, min_size=2, max_size=3)))
        elif kind == "finisher":
            game["finisher"] = [1, 2]
        elif kind == "hand" and knows:
            game["handromme"] = [True, False]
        elif kind == "adjusted":
            game["adjustments"] = [{"seat": draw(seats), "points": -50, "reason": "abgehoben"}]
        drawn.append(game)
    return drawn


@given(st.sampled_from(RULE_SETS), st.sampled_from([None, 4, 3]), st.data())
def test_stored_games_sum_up_like_games_read_one_by_one(rule_set, bonus_size, data):
    how = {"rule_set": rule_set, "players": PLAYERS, "bonus_size": bonus_size}
    lists = {}
    for stored in data.draw(lists_of(rule_set)):
        counts = [count_line(line_from_json(game), rule_set) for game in stored]
        lists[written(stored)] = sum_up(counts, **how)

    assert {text: tally(text, **how) for text in lists} == lists
    assert ranking_results(list(lists), **how) == {
        text: tuple(Result(seat.total, seat.games_won, seat.handromme) for seat in seats)
        for text, seats in lists.items()
    }


@pytest.mark.parametrize(
    ("rules", "bonus_size", "expected"),
    [
        # Hands 0 + 40 + 31, 25 + 0 + 38, 30 + 52 + 0, 41 + 67 + 44; finished once each, seat 3
        # by Handrommé.
        pytest.param("rommeordnung", None, [51, 43, 12, 152], id="§ 3.2: −20 each, −50 seat 3"),
        pytest.param("rommeordnung", 3, [56, 48, 17, 152], id="§ 3.2.1: −15 each"),
        pytest.param("hausregel", None, [102, 101, 82, 196], id="Handrommé doubles the hands"),
        pytest.param("traditionell", None, [96, 88, 82, 177], id="Handrommé adds 25"),
    ],
)
def test_three_games_worked_out_by_hand(rules, bonus_size, expected):
    stored = [
        {"finisher": 1, "handromme": False, "minus": [0, 25, 30, 41]},
        {"finisher": 2, "handromme": False, "minus": [40, 0, 52, 67]},
        {"finisher": 3, "handromme": True, "minus": [31, 38, 0, 44]},
    ]

    results = tally(written(stored), rule_set=ruleset(rules), players=4, bonus_size=bonus_size)

    assert [seat.total for seat in results] == expected


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param({"minus": [0, [17, 71], 30, 12]}, id="points"),
        pytest.param({"finisher": [1, 2], "minus": [9, 71, 30, 12]}, id="finisher"),
        pytest.param({"handromme": [True, False], "minus": [0, 71, 60, 52]}, id="Handrommé"),
        pytest.param({"handromme": True, "minus": [0, [61, 71], 60, 52]}, id="hand of Handrommé"),
    ],
)
def test_the_largest_reading_counts_in_an_unclear_line(entry):
    stored = [{"finisher": 1, "handromme": False, **entry}]

    results = tally(written(stored), rule_set=ORDNUNG, players=4)

    assert results[1].minus == 71  # § 2.2.6


def test_lists_are_ranked_together_and_each_game_that_is_not_clear_is_read():
    clear = {"finisher": 1, "handromme": False, "minus": [0, 25, 30, 41]}
    done = {"finisher": 2, "handromme": True, "minus": [40, 0, 52, 67]}
    unclear = {"finisher": 3, "handromme": False, "minus": [5, [17, 71], 0, 44]}
    stored: Any = ([clear, done], [done, clear], [clear], [clear, unclear, clear], [])
    lists = [written(games) for games in stored]

    lines = ranking_results(lists, rule_set=ORDNUNG, players=4)

    both = ((20, 1, 0), (-45, 1, 1), (82, 0, 0), (108, 0, 0))
    assert [[seat[:3] for seat in lines[games]] for games in lists] == [
        [*both],
        [*both],
        [(-20, 1, 0), (25, 0, 0), (30, 0, 0), (41, 0, 0)],
        [(-35, 2, 0), (121, 0, 0), (40, 1, 0), (126, 0, 0)],
        [(0, 0, 0)] * 4,
    ]
