"""Mistakes in a rule set as JSON: all at once, in sentences, in a file of more."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from scoring.reading.ruleset_json import read_ruleset
from scoring.reading.strict_json import parse
from scoring.rulesets import ruleset
from tests.scoring.ruleset_files import Data, as_json, places, refusal, set_to, without


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
        pytest.param(
            "hausregel",
            set_to("variants", value=["a", "e", "a"]),
            "Eine Variante steht mehrmals da.",
            id="variant twice",
        ),
        pytest.param(
            "hausregel",
            set_to("variants", value=["c"]),
            "Hier kann nur stehen: a, b, d, e, f.",
            id="variant that is a number",
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
