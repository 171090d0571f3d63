"""Each mistake in a rule set as JSON is named with its place, and bounds may be reached."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.reading.ruleset_json import ruleset_from_dict, ruleset_to_dict
from tests.scoring.ruleset_files import LEFT_OUT, as_json, places

PACK = {"decks": 2, "jokers": 6}
OFFERED = as_json("hausregel")["options"][0]

# By rule set and place: values that are refused there.
REFUSED: dict[str, dict[str, list[Any]]] = {
    "rommeordnung": {
        "id": ["Mein Regelwerk", "a--b", "-a", "a" * 81, 7],
        "name": [" ", "N" * 81, None],
        "source": ["q" * 201],
        "table_sizes": [[], 4, [4, 3, 4]],
        "games": [0, 61, True, "12"],
        "games_free": [1],
        "series": [0, 21],
        "card_values.A": [LEFT_OUT],
        "card_values.X": [1],
        "card_values.Joker": [0, 101],
        'packs["5"]': [PACK],
        'packs["9"]': [PACK],
        'packs["4"].decks': [0, 5],
        'packs["4"].jokers': [25, LEFT_OUT],
        "rounds": [[], None],
        "rounds[0].cards_dealt": [0, 28, 31],  # 4 · 28 are more than 110
        "rounds[0].extra_cards": [31],
        'bonus_per_game["5"]': [20],
        'bonus_per_game["3"]': [-15, 1001],
        "handromme.factor": [0, 11],
        "handromme.bonus": [-50],
        "handromme.surcharge": [1001],
        "handromme.full_hands": [None],
        "handromme.double": [True],
        "penalties[1]": [0, 10_001],
        "spiele": [12],
    },
    "contract": {
        "rounds[3].contract": [[3, 3, 3]],
        "rounds[3].contract.groups[1]": [1],
        "rounds[1].contract.runs[0]": [31],
        "ends_without_finisher": ["ja"],
        "games_free": [True],
    },
    "progressiv": {"rounds[8].purchases": [-1], "rounds[13].contract.pairs": [-1]},
    "hausregel": {
        "finisher_may_hold": [201],
        "options[0].field": ["games"],
        "options[0].label": ["l" * 201],
        "options[1].choices": [[]],
        "options[0].choices[1].value": ["sieben"],
        "options[1].free": [0],
    },
    "liverpool": {
        "grants[0].name": [""],
        "grants[0].points": [-1001],
        "grants[0].receiver": ["dealer", ["right_of_dealer"]],
    },
    "traditionell": {"settlement.winner_percent": [40], "settlement.kind": ["pot"]},
}

# By rule set and place: values that are accepted there.
ACCEPTED: dict[str, dict[str, list[Any]]] = {
    "rommeordnung": {
        "id": ["a1-2-b", "a" * 80],
        "name": ["N" * 80],
        "source": ["q" * 200],
        "games": [1, 60],
        "series": [1, 20],
        'card_values["2"]': [1, 100],
        'packs["4"].decks': [4],
        'packs["4"].jokers': [0, 24],
        "rounds[0].cards_dealt": [1, 27],
        "rounds[0].extra_cards": [30],
        'bonus_per_game["3"]': [0, 1000],
        "handromme.factor": [10],
        "handromme": [None],
        "penalties[1]": [1, 10_000],
    },
    "progressiv": {
        "rounds[8].purchases": [30],
        "rounds[12].extra_cards": [3],  # 11 dealt, 3 more, one drawn: 15
    },
    "hausregel": {
        "finisher_may_hold": [200],
        "options[0].choices[1].value": [200],
        "options[0].label": ["l" * 200],
    },
    "liverpool": {"grants[0].points": [1000, -1000]},
    "contract": {
        "rounds[1].contract.pairs": [30],
        "rounds[1].contract.runs": [[30, 2]],
        "rounds[1].contract": [None],
    },
}


def rows(table: dict[str, dict[str, list[Any]]]) -> list[tuple[str, str, Any]]:
    return [
        (id_, place, value)
        for id_, by_place in table.items()
        for place, values in by_place.items()
        for value in values
    ]


@pytest.mark.parametrize(("id_", "place", "value"), rows(REFUSED))
def test_mistake_is_named_with_its_place(id_: str, place: str, value: object) -> None:
    assert places(as_json(id_, **{place: value})) == [place]


@pytest.mark.parametrize(
    ("id_", "place", "value", "where"),
    [
        ("rommeordnung", "table_sizes", [4, 1], "table_sizes[1]"),
        ("rommeordnung", "table_sizes", [9, 4], "table_sizes[0]"),
        ("rommeordnung", 'packs["3"]', LEFT_OUT, "packs"),
        ("rommeordnung", 'bonus_per_game["3"]', LEFT_OUT, "bonus_per_game"),
        ("contract", "rounds[6]", LEFT_OUT, "rounds"),
        ("contract", "rounds[3].contract.groups", [], "rounds[3].contract"),
        # fifteen cards asked for, fourteen in hand
        ("progressiv", "rounds[12].extra_cards", 2, "rounds[12].contract"),
        # no limit where there must be one, and more cards than any hand
        ("hausregel", "options[0].choices[1].value", None, "options[0]"),
        ("hausregel", "options[1].choices[0].value", 31, "options[1]"),
        ("hausregel", "options[1]", OFFERED, "options"),
    ],
)
def test_mistake_between_places_is_named_where_it_shows(
    id_: str, place: str, value: object, where: str
) -> None:
    assert places(as_json(id_, **{place: value})) == [where]


@pytest.mark.parametrize(("id_", "place", "value"), rows(ACCEPTED))
def test_numbers_at_the_bounds_are_accepted(id_: str, place: str, value: object) -> None:
    data = as_json(id_, **{place: value})

    assert ruleset_to_dict(ruleset_from_dict(data)) == data


def test_the_pack_may_be_dealt_to_its_last_card() -> None:
    # 4 · 27 + 1 = 109 of 2 · 52 + 5
    data = as_json(**{"rounds[0].cards_dealt": 27, 'packs["4"].jokers': 5})

    assert ruleset_to_dict(ruleset_from_dict(data)) == data


def test_an_unusual_order_of_ties_is_written() -> None:
    other = as_json("hausregel", tie_breaks=["last_serie", "games"])
    usual = as_json("hausregel", tie_breaks=["games", "handromme"])

    assert ruleset_to_dict(ruleset_from_dict(other))["tie_breaks"] == ["last_serie", "games"]
    assert "tie_breaks" not in ruleset_to_dict(ruleset_from_dict(usual))
