"""Rule sets as JSON: round trips are lossless, and any change is valid or refused."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.cards import Pack
from scoring.errors import Problem, ScoringError
from scoring.reading.ruleset_json import ruleset_from_dict, ruleset_to_dict
from scoring.ruleset import RuleSet, Variant
from scoring.rulesets import all_rulesets, ruleset
from tests.scoring.rule_set_strategies import rule_sets
from tests.scoring.ruleset_files import as_json, refusal


@pytest.mark.parametrize("rules", all_rulesets(), ids=lambda rules: rules.id)
def test_a_rule_set_survives_json(rules: RuleSet) -> None:
    text = json.dumps(ruleset_to_dict(rules), ensure_ascii=False)

    assert ruleset_from_dict(json.loads(text)) == rules


def test_json_of_the_rommeordnung() -> None:
    assert ruleset_to_dict(ruleset("rommeordnung")) == {
        "id": "rommeordnung",
        "name": "Romméordnung",
        "source": "Romméordnung",
        "table_sizes": [4, 3],
        "games": 12,
        "games_free": False,
        "series": None,
        "card_values": {
            "2": 2,
            "3": 3,
            "4": 4,
            "5": 5,
            "6": 6,
            "7": 7,
            "8": 8,
            "9": 9,
            "10": 10,
            "B": 10,
            "D": 10,
            "K": 10,
            "A": 11,
            "Joker": 20,
        },
        "packs": {"3": {"decks": 2, "jokers": 6}, "4": {"decks": 2, "jokers": 6}},
        "rounds": [{"cards_dealt": 13, "contract": None, "extra_cards": 0, "purchases": 0}],
        "bonus_per_game": {"3": 15, "4": 20},
        "handromme": {"bonus": 50, "factor": 1, "surcharge": 0, "full_hands": True},
        "ends_without_finisher": False,
        "finisher_may_hold": 0,
        "grants": [],
        "penalties": [100, 150],
        "options": [],
        "settlement": None,
    }


def test_rule_sets_without_new_options_are_written_as_before() -> None:
    """Tournaments and archives hold these very texts; the number was taken before variants came.

    Since then the Hausregel has its tables of two, and says where hands grow.
    """
    as_before = replace(
        ruleset("hausregel"),
        table_sizes=(4, 3, 5, 6),
        packs=dict.fromkeys((3, 4, 5, 6), Pack(decks=2, jokers=6)),
        bonus_per_game=dict.fromkeys((3, 4, 5, 6), 0),
        growing_at=(),
    )
    written = [
        ruleset_to_dict(as_before if each.id == as_before.id else each) for each in all_rulesets()
    ]
    text = json.dumps(written, ensure_ascii=False)
    text = text.replace("zu zweit und zu dritt beliebig viele", "beliebig viele")

    assert (
        hashlib.sha256(text.encode())
        .hexdigest()
        .startswith("35835c2d42576751c832d8cd63cd390031f268adf")
    )


def test_variants_are_written_by_their_letters_and_come_back() -> None:
    rules = ruleset("hausregel").with_variants([Variant.AS_DEALT, Variant.ACE_AT_ONE_END])

    data = ruleset_to_dict(rules)

    assert data == {**ruleset_to_dict(ruleset("hausregel")), "variants": ["a", "d"]}
    assert ruleset_from_dict(data) == rules


def test_a_key_with_a_default_is_optional() -> None:
    data = as_json()
    for key in ("games_free", "series", "grants", "options", "settlement", "finisher_may_hold"):
        del data[key]
    del data["rounds"][0]["extra_cards"]
    del data["handromme"]["factor"]

    assert ruleset_from_dict(data) == ruleset("rommeordnung")


@pytest.mark.parametrize(
    "key",
    [
        "id",
        "name",
        "source",
        "table_sizes",
        "games",
        "card_values",
        "packs",
        "rounds",
        "bonus_per_game",
    ],
)
def test_a_key_without_a_default_is_required(key: str) -> None:
    data = as_json()
    del data[key]

    assert refusal(data) == [Problem(key, f"Die Angabe „{key}“ fehlt.")]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@given(st.data())
def test_any_change_is_either_a_rule_set_or_refused_with_places(data: st.DataObject) -> None:
    rules = data.draw(rule_sets())
    written = json.loads(json.dumps(ruleset_to_dict(rules)))
    place: Any = written
    while isinstance(place, (dict, list)) and place:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(place[key], (dict, list)) or data.draw(st.booleans()):
            place[key] = data.draw(json_values)
            break
        place = place[key]

    refused: tuple[Problem, ...] = ()
    try:
        rules = ruleset_from_dict(written)
    except ScoringError as error:
        refused = error.problems
    else:
        assert ruleset_from_dict(ruleset_to_dict(rules)) == rules
    assert all(problem.message for problem in refused)
