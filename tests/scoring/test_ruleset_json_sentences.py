"""Mistakes in a rule set as JSON: all at once, in sentences, in a file of more."""

from __future__ import annotations

import json

import pytest

from scoring.reading.ruleset_json import read_ruleset
from scoring.reading.strict_json import parse
from tests.scoring.ruleset_files import LEFT_OUT, as_json, places, refusal


@pytest.mark.parametrize(
    ("id_", "place", "value", "sentence"),
    [
        (
            *("rommeordnung", "id", "Ä"),
            (
                "Die Kennung besteht aus kleinen Buchstaben von a bis z und Ziffern, dazwischen "
                "einzelne Bindestriche."
            ),
        ),
        ("rommeordnung", "name", "N" * 81, "Der Text ist länger als 80 Zeichen."),
        ("rommeordnung", "rounds", [], "Die Liste ist leer."),
        ("liverpool", "grants[0].receiver", "x", "Hier kann nur stehen: right_of_dealer."),
        (
            *("hausregel", "options[0].field", "games"),
            "Hier kann nur stehen: finisher_may_hold, extra_cards.",
        ),
        ("rommeordnung", 'packs["3"]', LEFT_OUT, "Für Tische mit 3 Personen fehlt die Angabe."),
        (
            *("rommeordnung", 'bonus_per_game["5"]', 1),
            "Tische mit 5 Personen sind nicht vorgesehen.",
        ),
        ("rommeordnung", "table_sizes", [4, 4, 3], "Eine Tischgröße steht mehrmals da."),
        (
            *("contract", "rounds[6]", LEFT_OUT),
            (
                "6 Einträge passen nicht zu 7 Spielen: Es muss einer für alle sein oder für jedes "
                "Spiel einer."
            ),
        ),
        (
            *("contract", "games_free", True),
            "Wo jedes Spiel eigene Angaben hat, kann die Zahl der Spiele nicht frei sein.",
        ),
        (
            *("rommeordnung", "rounds[0].cards_dealt", 28),
            "Für 4 Personen braucht es 113 Karten, das Paket hat 110.",
        ),
        ("contract", "rounds[3].contract.groups", [], "Der Kontrakt verlangt nichts."),
        (
            *("progressiv", "rounds[12].extra_cards", 0),
            "Der Kontrakt verlangt 15 Karten, eine Hand hat höchstens 12.",
        ),
        (
            *("hausregel", "options[1]", as_json("hausregel")["options"][0]),
            "Dieselbe Wahl wird mehrmals angeboten.",
        ),
        (
            *("hausregel", "options[0].choices[1].value", None),
            "Unter den Werten ist einer, den es hier nicht gibt.",
        ),
        ("hausregel", "variants", ["a", "e", "a"], "Eine Variante steht mehrmals da."),
        ("hausregel", "tie_breaks", ["games"] * 2, "Bei Gleichstand steht etwas mehrmals da."),
        ("hausregel", "variants", ["c"], "Hier kann nur stehen: a, b, d, e, f."),
    ],
)
def test_a_mistake_is_reported_in_a_sentence(
    id_: str, place: str, value: object, sentence: str
) -> None:
    data = as_json(id_, **{place: value})

    assert [problem.message for problem in refusal(data)] == [sentence]


def test_missing_pack_is_named_once_and_does_not_hide_the_deal() -> None:
    data = as_json()
    del data["packs"]["3"]
    data["rounds"][0]["cards_dealt"] = 28

    assert places(data) == ["packs", "rounds[0].cards_dealt"]


def test_rule_set_inside_a_file_names_places_in_the_file() -> None:
    data = as_json()
    data["rounds"][0]["cards_dealt"] = 28
    root = parse(json.dumps({"tournament": {"rules": data}}).encode())

    assert read_ruleset(root.field("tournament").field("rules")) is None
    assert [problem.where for problem in root.problems] == [
        "tournament.rules.rounds[0].cards_dealt"
    ]
