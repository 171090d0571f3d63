"""Rule sets as JSON: nothing is lost, and every mistake is named with its place."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.cards import Rank
from scoring.errors import Problem, ScoringError
from scoring.reading.ruleset_json import read_ruleset, ruleset_from_dict, ruleset_to_dict
from scoring.reading.strict_json import parse
from scoring.ruleset import OptionField, RuleSet
from scoring.rulesets import all_rulesets, ruleset

Data = dict[str, Any]


def as_json(id_: str = "rommeordnung") -> Data:
    data: Data = json.loads(json.dumps(ruleset_to_dict(ruleset(id_))))
    return data


def refusal(data: object) -> list[Problem]:
    with pytest.raises(ScoringError) as caught:
        ruleset_from_dict(data)
    return list(caught.value.problems)


def places(data: object) -> list[str]:
    return [problem.where for problem in refusal(data)]


# --- There and back -------------------------------------------------------------------


@pytest.mark.parametrize("rules", all_rulesets(), ids=lambda rules: rules.id)
def test_rule_set_comes_back_as_it_was(rules: RuleSet) -> None:
    text = json.dumps(ruleset_to_dict(rules), ensure_ascii=False)

    assert ruleset_from_dict(json.loads(text)) == rules


@pytest.mark.parametrize("rules", all_rulesets(), ids=lambda rules: rules.id)
def test_json_holds_nothing_but_plain_values(rules: RuleSet) -> None:
    data = ruleset_to_dict(rules)

    assert json.loads(json.dumps(data)) == data


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


def test_equal_rule_sets_make_the_same_text_whatever_the_order_of_the_keys() -> None:
    data = as_json("progressiv")
    turned = {
        key: dict(reversed(value.items())) if isinstance(value, dict) else value
        for key, value in reversed(data.items())
    }

    again = ruleset_to_dict(ruleset_from_dict(turned))

    assert json.dumps(again) == json.dumps(data)


def test_keys_stand_in_the_order_of_cards_and_of_numbers() -> None:
    data = ruleset_to_dict(ruleset("hausregel"))

    assert list(cast("Data", data["card_values"])) == [rank.value for rank in Rank]
    assert list(cast("Data", data["packs"])) == ["3", "4", "5", "6"]


def test_names_of_choices_are_plain_texts() -> None:
    grants = cast("list[Data]", ruleset_to_dict(ruleset("liverpool"))["grants"])

    assert type(grants[0]["receiver"]) is str


def test_chosen_options_are_kept() -> None:
    rules = (
        ruleset("hausregel")
        .with_option(OptionField.FINISHER_MAY_HOLD, 7)
        .with_option(OptionField.EXTRA_CARDS, None)
        .with_games(20)
    )

    assert ruleset_from_dict(ruleset_to_dict(rules)) == rules


def test_what_has_a_preset_may_be_left_out() -> None:
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
def test_what_has_none_is_required(key: str) -> None:
    data = as_json()
    del data[key]

    assert refusal(data) == [Problem(key, f"Die Angabe „{key}“ fehlt.")]


# --- Mistakes -------------------------------------------------------------------------


def set_to(*path: str | int, value: object) -> Callable[[Data], None]:
    def change(data: Data) -> None:
        place: Any = data
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value

    return change


def changes(*several: Callable[[Data], None]) -> Callable[[Data], None]:
    def change(data: Data) -> None:
        for each in several:
            each(data)

    return change


def without(*path: str | int) -> Callable[[Data], None]:
    def change(data: Data) -> None:
        place: Any = data
        for step in path[:-1]:
            place = place[step]
        del place[path[-1]]

    return change


@pytest.mark.parametrize(
    ("id_", "change", "where"),
    [
        pytest.param("rommeordnung", set_to("id", value="Mein Regelwerk"), "id", id="id: spaces"),
        pytest.param("rommeordnung", set_to("id", value="a--b"), "id", id="id: two hyphens"),
        pytest.param("rommeordnung", set_to("id", value="-a"), "id", id="id: hyphen first"),
        pytest.param("rommeordnung", set_to("id", value="a" * 81), "id", id="id: long"),
        pytest.param("rommeordnung", set_to("id", value=7), "id", id="id: number"),
        pytest.param("rommeordnung", set_to("name", value=" "), "name", id="name: blank"),
        pytest.param("rommeordnung", set_to("name", value="N" * 81), "name", id="name: long"),
        pytest.param("rommeordnung", set_to("name", value=None), "name", id="name: null"),
        pytest.param("rommeordnung", set_to("source", value="q" * 201), "source", id="source"),
        pytest.param("rommeordnung", set_to("table_sizes", value=[]), "table_sizes", id="no table"),
        pytest.param("rommeordnung", set_to("table_sizes", value=4), "table_sizes", id="no list"),
        pytest.param(
            "rommeordnung", set_to("table_sizes", value=[4, 1]), "table_sizes[1]", id="one alone"
        ),
        pytest.param(
            "rommeordnung", set_to("table_sizes", value=[9, 4]), "table_sizes[0]", id="nine"
        ),
        pytest.param(
            "rommeordnung", set_to("table_sizes", value=[4, 3, 4]), "table_sizes", id="four twice"
        ),
        pytest.param("rommeordnung", set_to("games", value=0), "games", id="no games"),
        pytest.param("rommeordnung", set_to("games", value=61), "games", id="61 games"),
        pytest.param("rommeordnung", set_to("games", value=True), "games", id="true is no number"),
        pytest.param("rommeordnung", set_to("games", value="12"), "games", id="text is no number"),
        pytest.param(
            "rommeordnung", set_to("games_free", value=1), "games_free", id="1 is no bool"
        ),
        pytest.param("rommeordnung", set_to("series", value=0), "series", id="no Serie"),
        pytest.param("rommeordnung", set_to("series", value=21), "series", id="21 Serien"),
        pytest.param(
            "rommeordnung", without("card_values", "A"), "card_values.A", id="no value for Ass"
        ),
        pytest.param(
            "rommeordnung", set_to("card_values", "X", value=1), "card_values.X", id="unknown card"
        ),
        pytest.param(
            "rommeordnung",
            set_to("card_values", "Joker", value=0),
            "card_values.Joker",
            id="card without value",
        ),
        pytest.param(
            "rommeordnung",
            set_to("card_values", "Joker", value=101),
            "card_values.Joker",
            id="card of 101",
        ),
        pytest.param("rommeordnung", without("packs", "3"), "packs", id="no pack for three"),
        pytest.param(
            "rommeordnung",
            set_to("packs", "5", value={"decks": 2, "jokers": 6}),
            'packs["5"]',
            id="pack for a table that is not",
        ),
        pytest.param(
            "rommeordnung",
            set_to("packs", "9", value={"decks": 2, "jokers": 6}),
            'packs["9"]',
            id="pack for nine",
        ),
        pytest.param(
            "rommeordnung", set_to("packs", "4", "decks", value=0), 'packs["4"].decks', id="no deck"
        ),
        pytest.param(
            "rommeordnung", set_to("packs", "4", "decks", value=5), 'packs["4"].decks', id="5 decks"
        ),
        pytest.param(
            "rommeordnung",
            set_to("packs", "4", "jokers", value=25),
            'packs["4"].jokers',
            id="25 jokers",
        ),
        pytest.param(
            "rommeordnung",
            without("packs", "4", "jokers"),
            'packs["4"].jokers',
            id="jokers missing",
        ),
        pytest.param("rommeordnung", set_to("rounds", value=[]), "rounds", id="no round"),
        pytest.param("rommeordnung", set_to("rounds", value=None), "rounds", id="null for rounds"),
        pytest.param("contract", without("rounds", 6), "rounds", id="six rounds, seven games"),
        pytest.param(
            "rommeordnung",
            set_to("rounds", 0, "cards_dealt", value=0),
            "rounds[0].cards_dealt",
            id="nothing dealt",
        ),
        pytest.param(
            "rommeordnung",
            set_to("rounds", 0, "cards_dealt", value=28),
            "rounds[0].cards_dealt",
            id="four times 28 are more than 110",
        ),
        pytest.param(
            "rommeordnung",
            set_to("rounds", 0, "cards_dealt", value=31),
            "rounds[0].cards_dealt",
            id="31 dealt",
        ),
        pytest.param(
            "rommeordnung",
            set_to("rounds", 0, "extra_cards", value=31),
            "rounds[0].extra_cards",
            id="31 more",
        ),
        pytest.param(
            "progressiv",
            set_to("rounds", 8, "purchases", value=-1),
            "rounds[8].purchases",
            id="purchases below zero",
        ),
        pytest.param(
            "contract",
            set_to("rounds", 3, "contract", value=[3, 3, 3]),
            "rounds[3].contract",
            id="contract as a list",
        ),
        pytest.param(
            "contract",
            set_to("rounds", 3, "contract", "groups", value=[]),
            "rounds[3].contract",
            id="contract that asks for nothing",
        ),
        pytest.param(
            "contract",
            set_to("rounds", 3, "contract", "groups", 1, value=1),
            "rounds[3].contract.groups[1]",
            id="group of one",
        ),
        pytest.param(
            "contract",
            set_to("rounds", 1, "contract", "runs", 0, value=31),
            "rounds[1].contract.runs[0]",
            id="run of 31",
        ),
        pytest.param(
            "progressiv",
            set_to("rounds", 13, "contract", "pairs", value=-1),
            "rounds[13].contract.pairs",
            id="pairs below zero",
        ),
        pytest.param(
            "progressiv",
            set_to("rounds", 12, "extra_cards", value=2),
            "rounds[12].contract",
            id="fifteen cards asked for, fourteen in hand",
        ),
        pytest.param(
            "rommeordnung", without("bonus_per_game", "3"), "bonus_per_game", id="bonus for three"
        ),
        pytest.param(
            "rommeordnung",
            set_to("bonus_per_game", "5", value=20),
            'bonus_per_game["5"]',
            id="bonus for five",
        ),
        pytest.param(
            "rommeordnung",
            set_to("bonus_per_game", "3", value=-15),
            'bonus_per_game["3"]',
            id="bonus with a minus",
        ),
        pytest.param(
            "rommeordnung",
            set_to("bonus_per_game", "3", value=1001),
            'bonus_per_game["3"]',
            id="bonus of 1001",
        ),
        pytest.param(
            "rommeordnung",
            set_to("handromme", "factor", value=0),
            "handromme.factor",
            id="hands counted not at all",
        ),
        pytest.param(
            "rommeordnung",
            set_to("handromme", "factor", value=11),
            "handromme.factor",
            id="hands counted eleven times",
        ),
        pytest.param(
            "rommeordnung",
            set_to("handromme", "bonus", value=-50),
            "handromme.bonus",
            id="bonus of a Handrommé with a minus",
        ),
        pytest.param(
            "rommeordnung",
            set_to("handromme", "surcharge", value=1001),
            "handromme.surcharge",
            id="surcharge of 1001",
        ),
        pytest.param(
            "rommeordnung",
            set_to("handromme", "full_hands", value=None),
            "handromme.full_hands",
            id="full_hands null",
        ),
        pytest.param(
            "rommeordnung",
            set_to("handromme", "double", value=True),
            "handromme.double",
            id="unknown key",
        ),
        pytest.param(
            "contract",
            set_to("ends_without_finisher", value="ja"),
            "ends_without_finisher",
            id="ja is no bool",
        ),
        pytest.param(
            "hausregel",
            set_to("finisher_may_hold", value=201),
            "finisher_may_hold",
            id="finisher with 201",
        ),
        pytest.param(
            "liverpool", set_to("grants", 0, "name", value=""), "grants[0].name", id="grant: name"
        ),
        pytest.param(
            "liverpool",
            set_to("grants", 0, "points", value=-1001),
            "grants[0].points",
            id="grant: points",
        ),
        pytest.param(
            "liverpool",
            set_to("grants", 0, "receiver", value="dealer"),
            "grants[0].receiver",
            id="grant: receiver",
        ),
        pytest.param(
            "liverpool",
            set_to("grants", 0, "receiver", value=["right_of_dealer"]),
            "grants[0].receiver",
            id="grant: receiver as a list",
        ),
        pytest.param(
            "rommeordnung", set_to("penalties", 1, value=0), "penalties[1]", id="no Strafpunkte"
        ),
        pytest.param(
            "rommeordnung",
            set_to("penalties", 1, value=10_001),
            "penalties[1]",
            id="10,001 Strafpunkte",
        ),
        pytest.param(
            "hausregel",
            set_to("options", 0, "field", value="games"),
            "options[0].field",
            id="option: field",
        ),
        pytest.param(
            "hausregel",
            set_to("options", 0, "label", value="l" * 201),
            "options[0].label",
            id="option: label",
        ),
        pytest.param(
            "hausregel",
            set_to("options", 1, "choices", value=[]),
            "options[1].choices",
            id="option: no choices",
        ),
        pytest.param(
            "hausregel",
            set_to("options", 0, "choices", 1, "value", value="sieben"),
            "options[0].choices[1].value",
            id="option: value",
        ),
        pytest.param(
            "hausregel",
            set_to("options", 0, "choices", 1, "value", value=None),
            "options[0]",
            id="option: no limit where there must be one",
        ),
        pytest.param(
            "hausregel",
            set_to("options", 1, "choices", 0, "value", value=31),
            "options[1]",
            id="option: more cards than any hand",
        ),
        pytest.param(
            "hausregel",
            set_to("options", 1, "free", value=0),
            "options[1].free",
            id="option: free",
        ),
        pytest.param(
            "hausregel",
            set_to("options", 1, value=as_json("hausregel")["options"][0]),
            "options",
            id="option: offered twice",
        ),
        pytest.param(
            "traditionell",
            set_to("settlement", "winner_percent", value=40),
            "settlement.winner_percent",
            id="settlement",
        ),
        pytest.param(
            "traditionell",
            set_to("settlement", "kind", value="pot"),
            "settlement.kind",
            id="settlement: kind",
        ),
        pytest.param("contract", set_to("games_free", value=True), "games_free", id="free rounds"),
        pytest.param("rommeordnung", set_to("spiele", value=12), "spiele", id="unknown at the top"),
    ],
)
def test_mistake_is_named_with_its_place(
    id_: str, change: Callable[[Data], None], where: str
) -> None:
    data = as_json(id_)
    change(data)

    assert places(data) == [where]


@pytest.mark.parametrize(
    ("id_", "change"),
    [
        pytest.param("rommeordnung", set_to("id", value="a1-2-b"), id="id with hyphens"),
        pytest.param("rommeordnung", set_to("id", value="a" * 80), id="id of 80"),
        pytest.param("rommeordnung", set_to("name", value="N" * 80), id="name of 80"),
        pytest.param("rommeordnung", set_to("source", value="q" * 200), id="source of 200"),
        pytest.param("rommeordnung", set_to("games", value=1), id="one game"),
        pytest.param("rommeordnung", set_to("games", value=60), id="60 games"),
        pytest.param("rommeordnung", set_to("series", value=1), id="one Serie"),
        pytest.param("rommeordnung", set_to("series", value=20), id="20 Serien"),
        pytest.param("rommeordnung", set_to("card_values", "2", value=1), id="card of 1"),
        pytest.param("rommeordnung", set_to("card_values", "2", value=100), id="card of 100"),
        pytest.param("rommeordnung", set_to("packs", "4", "decks", value=4), id="four decks"),
        pytest.param("rommeordnung", set_to("packs", "4", "jokers", value=0), id="no jokers"),
        pytest.param("rommeordnung", set_to("packs", "4", "jokers", value=24), id="24 jokers"),
        # 4 · 27 + 1 = 109
        pytest.param(
            "rommeordnung",
            changes(
                set_to("rounds", 0, "cards_dealt", value=27),
                set_to("packs", "4", "jokers", value=5),
            ),
            id="27 dealt, not a card left",
        ),
        pytest.param("rommeordnung", set_to("rounds", 0, "cards_dealt", value=27), id="27 dealt"),
        pytest.param("rommeordnung", set_to("rounds", 0, "cards_dealt", value=1), id="one dealt"),
        pytest.param("rommeordnung", set_to("rounds", 0, "extra_cards", value=30), id="30 more"),
        pytest.param("progressiv", set_to("rounds", 8, "purchases", value=30), id="30 bought"),
        # 11 dealt, 3 more, one drawn: 15
        pytest.param("progressiv", set_to("rounds", 12, "extra_cards", value=3), id="just enough"),
        pytest.param("rommeordnung", set_to("bonus_per_game", "3", value=1000), id="bonus of 1000"),
        pytest.param("rommeordnung", set_to("bonus_per_game", "3", value=0), id="no bonus"),
        pytest.param("rommeordnung", set_to("handromme", "factor", value=10), id="ten times"),
        pytest.param("rommeordnung", set_to("handromme", value=None), id="no Handrommé"),
        pytest.param("hausregel", set_to("finisher_may_hold", value=200), id="finisher with 200"),
        pytest.param("liverpool", set_to("grants", 0, "points", value=1000), id="grant of 1000"),
        pytest.param("liverpool", set_to("grants", 0, "points", value=-1000), id="grant of -1000"),
        pytest.param("rommeordnung", set_to("penalties", 1, value=1), id="1 Strafpunkt"),
        pytest.param("rommeordnung", set_to("penalties", 1, value=10_000), id="10,000 Strafpunkte"),
        pytest.param(
            "hausregel", set_to("options", 0, "choices", 1, "value", value=200), id="200 kept"
        ),
        pytest.param("hausregel", set_to("options", 0, "label", value="l" * 200), id="long label"),
        pytest.param("contract", set_to("rounds", 1, "contract", "pairs", value=30), id="30 pairs"),
        pytest.param(
            "contract", set_to("rounds", 1, "contract", "runs", value=[30, 2]), id="long and short"
        ),
        pytest.param("contract", set_to("rounds", 1, "contract", value=None), id="no contract"),
    ],
)
def test_numbers_at_the_bounds_are_accepted(id_: str, change: Callable[[Data], None]) -> None:
    data = as_json(id_)
    change(data)

    assert ruleset_to_dict(ruleset_from_dict(data)) == data


def test_all_mistakes_are_named_at_once() -> None:
    data = as_json()
    del data["name"]
    data["games"] = "zwölf"
    data["packs"]["4"] = {"decks": 0, "jokers": 99}
    data["extra"] = 1

    assert sorted(places(data)) == sorted(
        ["name", "games", 'packs["4"].decks', 'packs["4"].jokers', "extra"]
    )


@pytest.mark.parametrize(
    ("id_", "change", "sentence"),
    [
        pytest.param(
            "rommeordnung",
            set_to("id", value="Ä"),
            "Die Kennung besteht aus kleinen Buchstaben von a bis z und Ziffern, dazwischen "
            "einzelne Bindestriche.",
            id="id",
        ),
        pytest.param(
            "rommeordnung",
            set_to("name", value="N" * 81),
            "Der Text ist länger als 80 Zeichen.",
            id="text",
        ),
        pytest.param(
            "rommeordnung", set_to("rounds", value=[]), "Die Liste ist leer.", id="empty list"
        ),
        pytest.param(
            "liverpool",
            set_to("grants", 0, "receiver", value="x"),
            "Hier kann nur stehen: right_of_dealer.",
            id="choice",
        ),
        pytest.param(
            "hausregel",
            set_to("options", 0, "field", value="games"),
            "Hier kann nur stehen: finisher_may_hold, extra_cards.",
            id="choice of two",
        ),
        pytest.param(
            "rommeordnung",
            without("packs", "3"),
            "Für Tische mit 3 Personen fehlt die Angabe.",
            id="table without pack",
        ),
        pytest.param(
            "rommeordnung",
            set_to("bonus_per_game", "5", value=1),
            "Tische mit 5 Personen sind nicht vorgesehen.",
            id="bonus without table",
        ),
        pytest.param(
            "rommeordnung",
            set_to("table_sizes", value=[4, 4, 3]),
            "Eine Tischgröße steht mehrmals da.",
            id="table twice",
        ),
        pytest.param(
            "contract",
            without("rounds", 6),
            "6 Einträge passen nicht zu 7 Spielen: Es muss einer für alle sein oder für jedes "
            "Spiel einer.",
            id="rounds",
        ),
        pytest.param(
            "contract",
            set_to("games_free", value=True),
            "Wo jedes Spiel eigene Angaben hat, kann die Zahl der Spiele nicht frei sein.",
            id="free rounds",
        ),
        pytest.param(
            "rommeordnung",
            set_to("rounds", 0, "cards_dealt", value=28),
            "Für 4 Personen braucht es 113 Karten, das Paket hat 110.",
            id="deal",
        ),
        pytest.param(
            "contract",
            set_to("rounds", 3, "contract", "groups", value=[]),
            "Der Kontrakt verlangt nichts.",
            id="empty contract",
        ),
        pytest.param(
            "progressiv",
            set_to("rounds", 12, "extra_cards", value=0),
            "Der Kontrakt verlangt 15 Karten, eine Hand hat höchstens 12.",
            id="contract beyond the hand",
        ),
        pytest.param(
            "hausregel",
            set_to("options", 1, value=as_json("hausregel")["options"][0]),
            "Dieselbe Wahl wird mehrmals angeboten.",
            id="option twice",
        ),
        pytest.param(
            "hausregel",
            set_to("options", 0, "choices", 1, "value", value=None),
            "Unter den Werten ist einer, den es hier nicht gibt.",
            id="option value",
        ),
    ],
)
def test_mistake_is_told_in_a_sentence(
    id_: str, change: Callable[[Data], None], sentence: str
) -> None:
    data = as_json(id_)
    change(data)

    assert [problem.message for problem in refusal(data)] == [sentence]


def test_several_contradictions_are_all_named() -> None:
    data = as_json("contract")
    data["games_free"] = True
    data["table_sizes"] = [4, 3, 3]
    del data["rounds"][6]

    assert places(data) == [
        "table_sizes",
        'packs["5"]',
        'bonus_per_game["5"]',
        "rounds",
        "games_free",
    ]


def test_two_rounds_already_fix_the_number_of_games() -> None:
    data = as_json("contract")
    data["games"] = 2
    data["games_free"] = True
    data["rounds"] = data["rounds"][:2]

    assert places(data) == ["games_free"]


def test_missing_pack_is_named_once_and_does_not_hide_the_deal() -> None:
    data = as_json()
    del data["packs"]["3"]
    data["rounds"][0]["cards_dealt"] = 28

    assert places(data) == ["packs", "rounds[0].cards_dealt"]


@pytest.mark.parametrize("data", [None, [], 12, "rommeordnung", True])
def test_something_else_than_an_object_is_refused(data: object) -> None:
    assert "" in places(data)


def test_rule_set_inside_a_file_names_places_in_the_file() -> None:
    data = as_json()
    data["rounds"][0]["cards_dealt"] = 28
    root = parse(json.dumps({"tournament": {"rules": data}}).encode())
    node = root.fields(required=["tournament"])["tournament"].fields(required=["rules"])["rules"]

    assert read_ruleset(node) is None
    assert [problem.where for problem in root.problems] == [
        "tournament.rules.rounds[0].cards_dealt"
    ]


def test_rule_set_inside_a_file_is_read() -> None:
    root = parse(json.dumps({"rules": as_json("liverpool")}).encode())
    node = root.fields(required=["rules"])["rules"]

    assert read_ruleset(node) == ruleset("liverpool")
    assert root.problems == []


def test_earlier_problems_of_a_file_are_not_held_against_the_rule_set() -> None:
    root = parse(json.dumps({"name": 1, "rules": as_json("liverpool")}).encode())
    fields = root.fields(required=["name", "rules"])
    fields["name"].text()

    assert read_ruleset(fields["rules"]) == ruleset("liverpool")
    assert [problem.where for problem in root.problems] == ["name"]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@given(st.data())
def test_any_change_is_either_a_rule_set_or_refused_with_places(data: st.DataObject) -> None:
    written = as_json(data.draw(st.sampled_from([rules.id for rules in all_rulesets()])))
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
