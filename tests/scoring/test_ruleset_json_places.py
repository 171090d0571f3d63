"""Each mistake in a rule set as JSON is named with its place, and bounds may be reached."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scoring.reading.ruleset_json import ruleset_from_dict, ruleset_to_dict
from tests.scoring.ruleset_files import Data, as_json, changes, places, set_to, without


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
