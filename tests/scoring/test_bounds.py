"""The bounds of hands that pages get, as plain numbers."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from typing import TypedDict

import pytest

from scoring.cards import Rank
from scoring.reading.bounds import HandBounds, bounds
from scoring.ruleset import OptionField, RuleSet
from scoring.rulesets import all_rulesets, ruleset
from tests.scoring.hand_strategies import hand_doubt, hand_problem, joint_problem


class Table(TypedDict):
    rule_set: RuleSet
    players: int
    game: int


def test_bounds_of_the_rommeordnung_at_a_table_of_three() -> None:
    game = bounds(ruleset("rommeordnung"), players=3, game=1)

    assert game["finisher_max"] == 0
    assert game["hand"] | {"ask_above": 0} == {
        "min": 2,
        "max": 197,
        "step": 1,
        "impossible": [],
        "joint_min": [2, 4, 6],
        "joint_max": [197, 328, 458],
        "ask_below": 0,
        "ask_above": 0,
    }
    after_handromme = game["after_handromme"]
    assert after_handromme is not None
    assert (after_handromme["min"], after_handromme["max"]) == (31, 197)
    assert after_handromme["joint_min"] == [31, 82, 154]
    assert after_handromme["joint_max"] == [197, 328, 458]


def test_rules_without_handromme_have_no_bounds_for_it() -> None:
    assert bounds(ruleset("contract"), players=4, game=1)["after_handromme"] is None


def test_only_multiples_of_five_are_possible_in_shanghai() -> None:
    hand = bounds(ruleset("shanghai"), players=4, game=1)["hand"]

    assert (hand["step"], hand["min"], hand["impossible"]) == (5, 5, [])


def test_gaps_between_possible_values_are_listed() -> None:
    rules = ruleset("traditionell")
    two_cards = replace(
        rules,
        card_values=dict.fromkeys(Rank, 5) | {Rank.ASS: 7},
        rounds=(replace(rules.rounds[0], cards_dealt=2),),
    )

    hand = bounds(two_cards, players=2, game=1)["hand"]

    # 5, 7, 10, 12 and 14 are possible
    assert (hand["min"], hand["max"], hand["step"]) == (5, 14, 1)
    assert hand["impossible"] == [6, 8, 9, 11, 13]


def test_points_a_finisher_may_keep_are_described() -> None:
    rules = ruleset("hausregel").with_option(OptionField.FINISHER_MAY_HOLD, 9)

    assert bounds(rules, players=4, game=1)["finisher_max"] == 9


def is_possible(points: int, hand: HandBounds) -> bool:
    return (
        hand["min"] <= points <= hand["max"]
        and points % hand["step"] == 0
        and points not in hand["impossible"]
    )


@pytest.mark.parametrize("after_handromme", [False, True])
@pytest.mark.parametrize("rules", all_rulesets(), ids=lambda rules: rules.id)
def test_bounds_agree_with_the_sentences(rules: RuleSet, after_handromme: bool) -> None:
    table: Table = {"rule_set": rules, "players": rules.table_sizes[0], "game": rules.games}
    game = bounds(rules, players=table["players"], game=table["game"])
    hand = (game["after_handromme"] if after_handromme else None) or game["hand"]

    for points in range(-1, hand["max"] + 7):
        refused = hand_problem(points, **table, after_handromme=after_handromme)
        assert (refused is None) == is_possible(points, hand)
        asked = hand_doubt(points, **table, after_handromme=after_handromme)
        assert (asked is None) == (hand["ask_below"] <= points <= hand["ask_above"])


@pytest.mark.parametrize("rules", all_rulesets(), ids=lambda rules: rules.id)
def test_bounds_survive_json(rules: RuleSet) -> None:
    game = bounds(rules, players=4, game=1)

    assert json.loads(json.dumps(game)) == game


@pytest.mark.parametrize("rules", all_rulesets(), ids=lambda rules: rules.id)
def test_hands_at_the_joint_bounds_are_possible_together(rules: RuleSet) -> None:
    for players in rules.table_sizes:
        table: Table = {"rule_set": rules, "players": players, "game": 1}
        hand = bounds(rules, players=players, game=1)["hand"]
        for number in range(1, players):
            most = hand["joint_max"][:number]
            falling = [most[0], *(b - a for a, b in pairwise(most))]
            assert joint_problem(falling, **table) is None
            assert joint_problem([hand["min"]] * number, **table) is None
            if number > 1:
                assert joint_problem([falling[0], falling[1] + 1], **table) is not None
