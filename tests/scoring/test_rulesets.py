"""The rule sets of the program, each against its source."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoring.cards import Rank
from scoring.errors import ScoringError
from scoring.hands import possible_hands
from scoring.payments.settlement import ByRank, Pairwise, RingGamePot
from scoring.reading.ruleset_json import ruleset_from_dict, ruleset_to_dict
from scoring.ruleset import Contract, Grant, Handromme, OptionField, Receiver, RuleSet
from scoring.rulesets import all_rulesets, offered_variants, origin, ruleset

IDS = (
    "rommeordnung",
    "hausregel",
    "preisromme-1987",
    "traditionell",
    "contract",
    "liverpool",
    "may-i",
    "shanghai",
    "shanghai-powe",
    "shanghai-kolsov",
    "progressiv",
)
CONTRACT_KIN = IDS[4:]

# 2 3 4 5 6 7 8 9 10 B D K A Joker
BY_NUMBER = (2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)
SHANGHAI = (5, 5, 5, 5, 5, 5, 10, 10, 10, 10, 10, 10, 20, 50)


def test_rule_sets_are_listed_in_the_order_of_their_description() -> None:
    assert tuple(each.id for each in all_rulesets()) == IDS


def test_an_unknown_rule_set_is_refused_and_the_known_ones_are_named() -> None:
    with pytest.raises(ScoringError) as refusal:
        ruleset("skat")

    (problem,) = refusal.value.problems
    assert "„skat“" in problem.message
    assert "rommeordnung, hausregel" in problem.message


def test_names_of_rule_sets_are_distinct() -> None:
    assert len({each.name for each in all_rulesets()}) == len(IDS)


@pytest.mark.parametrize(
    ("id_", "values"),
    [
        pytest.param("rommeordnung", (*BY_NUMBER, 11, 20), id="rommeordnung §§ 4.2, 4.4.3"),
        pytest.param("hausregel", (*BY_NUMBER, 11, 20), id="hausregel"),
        pytest.param("preisromme-1987", (*BY_NUMBER, 10, 20), id="preisromme-1987 13"),
        pytest.param("traditionell", (*BY_NUMBER, 11, 25), id="traditionell"),
        pytest.param("contract", (*BY_NUMBER, 15, 15), id="contract"),
        pytest.param("liverpool", (*BY_NUMBER, 15, 15), id="liverpool"),
        pytest.param("may-i", (*BY_NUMBER, 15, 25), id="may-i 6"),
        pytest.param("shanghai", SHANGHAI, id="shanghai"),
        pytest.param("shanghai-powe", SHANGHAI, id="shanghai-powe"),
        pytest.param("shanghai-kolsov", SHANGHAI, id="shanghai-kolsov"),
        pytest.param(
            "progressiv", (20, 5, 5, 5, 5, 5, 5, 5, 5, 10, 10, 10, 15, 20), id="progressiv"
        ),
    ],
)
def test_card_values_agree_with_the_source(id_: str, values: tuple[int, ...]) -> None:
    assert tuple(ruleset(id_).card_values[rank] for rank in Rank) == values


@pytest.mark.parametrize(
    ("id_", "sizes", "games", "free", "series"),
    [
        pytest.param("rommeordnung", (4, 3), 12, False, None, id="rommeordnung §§ 2.1.1, 2.2.1"),
        pytest.param("hausregel", (4, 3, 5, 6, 2), 12, True, None, id="hausregel"),
        pytest.param("preisromme-1987", (4, 3), 8, False, 2, id="preisromme-1987 1"),
        pytest.param("traditionell", (4, 3, 5, 6, 2), 12, True, None, id="traditionell"),
        pytest.param("contract", (4, 3, 5), 7, False, None, id="contract"),
        pytest.param("liverpool", (4, 3, 5), 7, False, None, id="liverpool"),
        pytest.param("may-i", (4, 3, 5), 7, False, None, id="may-i"),
        pytest.param("shanghai", (4, 3, 5), 7, False, None, id="shanghai"),
        pytest.param("shanghai-powe", (4, 3, 5), 8, False, None, id="shanghai-powe"),
        pytest.param("shanghai-kolsov", (4, 3, 5), 10, False, None, id="shanghai-kolsov"),
        pytest.param("progressiv", (4, 3, 5), 15, False, None, id="progressiv"),
    ],
)
def test_table_and_list_sizes_agree_with_the_source(
    id_: str, sizes: tuple[int, ...], games: int, free: bool, series: int | None
) -> None:
    rules = ruleset(id_)

    assert (rules.table_sizes, rules.games, rules.games_free, rules.series) == (
        sizes,
        games,
        free,
        series,
    )


@pytest.mark.parametrize(
    ("id_", "packs"),
    [
        pytest.param("rommeordnung", {3: (2, 6), 4: (2, 6)}, id="rommeordnung § 4.1"),
        pytest.param(
            "hausregel", dict.fromkeys(range(2, 7), (2, 6)), id="hausregel: mostly 3 each"
        ),
        pytest.param("preisromme-1987", {3: (2, 6), 4: (2, 6)}, id="preisromme-1987: silent"),
        pytest.param(
            "traditionell",
            {2: (2, 6), 3: (2, 6), 4: (2, 6), 5: (2, 6), 6: (2, 6)},
            id="traditionell: silent",
        ),
        pytest.param("contract", {3: (2, 2), 4: (2, 3), 5: (2, 4)}, id="contract: players - 1"),
        pytest.param("liverpool", {3: (2, 2), 4: (2, 3), 5: (2, 4)}, id="liverpool"),
        pytest.param("may-i", {3: (2, 4), 4: (2, 4), 5: (3, 6)}, id="may-i 1: a deck for two"),
        pytest.param("shanghai", {3: (2, 4), 4: (2, 4), 5: (2, 4)}, id="shanghai"),
        pytest.param("shanghai-powe", {3: (2, 4), 4: (2, 4), 5: (2, 4)}, id="shanghai-powe"),
        pytest.param("shanghai-kolsov", {3: (2, 4), 4: (2, 4), 5: (2, 4)}, id="shanghai-kolsov"),
        pytest.param("progressiv", {3: (2, 4), 4: (2, 4), 5: (2, 4)}, id="progressiv"),
    ],
)
def test_packs_have_the_decks_and_jokers_of_the_source(
    id_: str, packs: dict[int, tuple[int, int]]
) -> None:
    rules = ruleset(id_)

    assert {players: (p.decks, p.jokers) for players, p in rules.packs.items()} == packs


@pytest.mark.parametrize(
    ("id_", "dealt", "extra"),
    [
        pytest.param("rommeordnung", (13,), (0,), id="rommeordnung § 5.7"),
        pytest.param("hausregel", (13,), (0,), id="hausregel"),
        pytest.param("preisromme-1987", (13,), (None,), id="preisromme-1987 3-5: knocking"),
        pytest.param("traditionell", (10,), (0,), id="traditionell"),
        pytest.param("contract", (10, 10, 10, 12, 12, 12, 12), (None,) * 7, id="contract"),
        pytest.param("liverpool", (10, 10, 10, 12, 12, 12, 12), (None,) * 7, id="liverpool"),
        pytest.param("may-i", (10, 10, 10, 12, 12, 12, 12), (None,) * 7, id="may-i"),
        pytest.param("shanghai", (11,) * 7, (None,) * 7, id="shanghai: cards drawn by Shanghai"),
        pytest.param("shanghai-powe", (10,) * 8, (6,) * 8, id="shanghai-powe: twice 1 + 2"),
        pytest.param("shanghai-kolsov", (11,) * 10, (None,) * 10, id="shanghai-kolsov"),
        pytest.param(
            "progressiv",
            (11,) * 15,
            (0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 4, 4, 1, 0),
            id="progressiv: twice 1 bought + 1 taken in games 12 and 13",
        ),
    ],
)
def test_hand_sizes_agree_with_the_source(
    id_: str, dealt: tuple[int, ...], extra: tuple[int | None, ...]
) -> None:
    rounds = ruleset(id_).rounds

    assert tuple(each.cards_dealt for each in rounds) == dealt
    assert tuple(each.extra_cards for each in rounds) == extra


def test_cards_are_bought_in_games_9_to_14_of_progressiv_only() -> None:
    for rules in all_rulesets():
        bought = [each.purchases for each in rules.rounds]

        if rules.id == "progressiv":
            assert bought == [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 1, 0]
        else:
            assert not any(bought)


@pytest.mark.parametrize(
    ("id_", "handromme"),
    [
        pytest.param(
            "rommeordnung", Handromme(bonus=50, full_hands=True), id="rommeordnung §§ 3.2.2, 6.2"
        ),
        pytest.param("hausregel", Handromme(factor=2), id="hausregel: doubled"),
        pytest.param("preisromme-1987", Handromme(factor=2), id="preisromme-1987 13: doubled"),
        pytest.param("traditionell", Handromme(surcharge=25), id="traditionell: 25 more"),
        *(pytest.param(id_, None, id=f"{id_}: none") for id_ in CONTRACT_KIN),
    ],
)
def test_handromme_agrees_with_the_source(id_: str, handromme: Handromme | None) -> None:
    assert ruleset(id_).handromme == handromme


@pytest.mark.parametrize("id_", IDS)
def test_only_contract_and_its_kin_end_games_without_a_finisher(id_: str) -> None:
    assert ruleset(id_).ends_without_finisher == (id_ in CONTRACT_KIN)


@pytest.mark.parametrize("id_", IDS)
def test_only_the_rommeordnung_gives_a_bonus_for_finished_games(id_: str) -> None:
    rules = ruleset(id_)

    expected = {4: 20, 3: 15} if id_ == "rommeordnung" else dict.fromkeys(rules.table_sizes, 0)
    assert rules.bonus_per_game == expected


def test_only_the_rommeordnung_names_strafpunkte() -> None:
    named = {each.id: each.penalties for each in all_rulesets() if each.penalties}

    assert named == {"rommeordnung": (100, 150)}  # § 8.3


def test_only_liverpool_grants_points_for_cutting_exactly() -> None:
    granted = {each.id: each.grants for each in all_rulesets() if each.grants}

    cut = Grant(name="genau abgehoben", points=-50, receiver=Receiver.RIGHT_OF_DEALER)
    assert granted == {"liverpool": (cut,)}


def test_a_finisher_holds_nothing_unless_the_organiser_chooses_so() -> None:
    assert {each.finisher_may_hold for each in all_rulesets()} == {0}


def test_only_the_hausregel_leaves_choices() -> None:
    choices = {
        each.id: {option.field: [c.value for c in option.choices] for option in each.options}
        for each in all_rulesets()
        if each.options
    }

    assert choices == {
        "hausregel": {
            OptionField.FINISHER_MAY_HOLD: [0, 7, 9],  # variant c
            OptionField.EXTRA_CARDS: [0, None],  # variant g
        }
    }
    may_hold, extra_cards = ruleset("hausregel").options
    assert may_hold.free  # "nine or more"
    assert not extra_cards.free


@pytest.mark.parametrize(
    ("players", "highest"),
    [
        # 110 cards less one of the other person: 6 × 20 + 8 × 11 + 32 × 10 + 2 × 4 × 44 − 2.
        pytest.param(2, 878, id="variant g for two"),
        pytest.param(3, 876, id="variant g for three"),
        # Thirteen cards as ever: 6 Joker and 7 Asse.
        pytest.param(4, 197, id="not for four"),
        pytest.param(6, 197, id="nor for six"),
    ],
)
def test_hands_grow_without_limit_for_two_and_three_only(players: int, highest: int) -> None:
    chosen = ruleset("hausregel").with_option(OptionField.EXTRA_CARDS, None)

    assert possible_hands(chosen, players=players, game=1).highest() == highest
    assert possible_hands(ruleset("hausregel"), players=players, game=1).highest() == 197


def test_growing_hands_are_stored_with_a_rule_set() -> None:
    chosen = ruleset("hausregel").with_option(OptionField.EXTRA_CARDS, None)

    assert ruleset_from_dict(ruleset_to_dict(chosen)) == chosen
    # One that was kept before it was said is played as it was: at all tables.
    before = ruleset_to_dict(chosen)
    del before["growing_at"]
    assert ruleset_from_dict(before).extra_cards(1, 4) is None


def test_only_copies_of_the_hausregel_offer_its_variants() -> None:
    offered = {each.id: offered_variants(each) for each in all_rulesets()}
    own = replace(ruleset("hausregel"), id="unsere", source="angepasst nach: Hausregel")

    assert {id_ for id_, variants in offered.items() if variants} == {"hausregel"}
    assert "".join(offered_variants(own)) == "abdef"  # c and g are numbers
    assert offered_variants(replace(own, source="Turnierbuch")) == ()


@pytest.mark.parametrize("id_", IDS)
def test_a_copy_knows_its_original(id_: str) -> None:
    own = replace(ruleset(id_), id="unsere", source=f"angepasst nach: {ruleset(id_).name}")

    assert origin(own) is origin(ruleset(id_)) is ruleset(id_)


def test_settlements_agree_with_the_sources() -> None:
    kept = {each.id: each.settlement for each in all_rulesets() if each.settlement is not None}

    assert kept == {
        "hausregel": Pairwise(cents_per_point=1),
        "traditionell": RingGamePot(stake_cents=100, winner_percent=75, within_points=80),
        "progressiv": ByRank(step_cents=2, card_cents=1, pot_weights=(1,)),
    }


def contracts(rules: RuleSet) -> list[str]:
    """Return the contract of each game: groups, runs and pairs, as in „3 3 · 4 · 2“."""
    laid_out = [each.contract or Contract() for each in rules.rounds]
    return [
        " · ".join(" ".join(map(str, sizes)) or "–" for sizes in (each.groups, each.runs))
        + " · 2" * each.pairs
        for each in laid_out
    ]


SEVEN = ["3 3 · –", "3 · 4", "– · 4 4", "3 3 3 · –", "3 3 · 4", "3 · 4 4", "– · 4 4 4"]


@pytest.mark.parametrize(
    ("id_", "expected"),
    [
        *((id_, SEVEN) for id_ in ("contract", "liverpool", "may-i", "shanghai")),
        ("shanghai-powe", [*SEVEN[:6], "3 3 3 3 · –", SEVEN[6]]),
        (
            "shanghai-kolsov",
            [*SEVEN[:4], "3 · 7", "3 3 · 5", "– · 4 4 4", "3 · 10", "3 3 3 · 5", "– · 5 5 5"],
        ),
        (
            "progressiv",
            [
                *("3 3 · –", "3 · 4", "4 4 · –", "– · 4 4", "3 3 · 4", "4 · 5", "5 5 · –"),
                *("– · 5 5", "3 3 3 3 · –", "– · 4 4 4", "4 4 4 · –", "– · 3 3 3 3 3"),
                *("3 3 3 3 3 · –", "5 · 5 · 2", "3 3 · 5"),
            ],
        ),
    ],
)
def test_contracts_agree_with_the_source(id_: str, expected: list[str]) -> None:
    assert contracts(ruleset(id_)) == expected


@pytest.mark.parametrize("id_", IDS[:4])
def test_rules_without_contracts_require_none(id_: str) -> None:
    assert [each.contract for each in ruleset(id_).rounds] == [None]


@pytest.mark.parametrize(
    ("id_", "without"),
    [
        pytest.param("contract", [7], id="contract: game 7"),
        pytest.param("liverpool", [7], id="liverpool: as contract"),
        pytest.param("may-i", [], id="may-i 5: nothing is special about game 7"),
        pytest.param("shanghai", [7], id="shanghai: game 7"),
        pytest.param("shanghai-powe", [1, 2, 3, 4, 5, 6, 7, 8], id="shanghai-powe 3: always"),
        pytest.param("shanghai-kolsov", [], id="shanghai-kolsov: not named"),
        pytest.param("progressiv", [], id="progressiv: either way"),
    ],
)
def test_some_games_are_finished_without_a_discard(id_: str, without: list[int]) -> None:
    games = [
        game
        for game, each in enumerate(ruleset(id_).rounds, start=1)
        if each.contract is not None and not each.contract.discard
    ]

    assert games == without
