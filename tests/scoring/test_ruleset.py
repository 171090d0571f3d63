"""Questions to a rule set: rounds, dealers, grants, and copies with other numbers."""

from __future__ import annotations

import pytest

from scoring.errors import ScoringError
from scoring.ruleset import Choice, Contract, Option, OptionField
from scoring.rulesets import ruleset


def test_each_game_has_its_round_where_they_differ() -> None:
    rules = ruleset("contract")

    assert [rules.round(game).cards_dealt for game in (1, 3, 4, 7)] == [10, 10, 12, 12]
    assert rules.round(7).contract == Contract(runs=(4, 4, 4), discard=False)


@pytest.mark.parametrize(
    ("players", "dealers"),
    [
        pytest.param(4, [1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4], id="§ 5.9 four"),
        pytest.param(3, [1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3], id="§ 5.9 three"),
    ],
)
def test_place_one_deals_first_then_clockwise(players: int, dealers: list[int]) -> None:
    rules = ruleset("rommeordnung")

    assert [rules.dealer(game, players) for game in range(1, 13)] == dealers


@pytest.mark.parametrize(
    ("players", "receivers"),
    [
        pytest.param(3, [3, 1, 2, 3, 1, 2, 3], id="three"),
        pytest.param(4, [4, 1, 2, 3, 4, 1, 2], id="four"),
        pytest.param(5, [5, 1, 2, 3, 4, 5, 1], id="five"),
    ],
)
def test_cutting_is_for_the_seat_before_the_dealer(players: int, receivers: list[int]) -> None:
    rules = ruleset("liverpool")
    (cut,) = rules.grants

    assert [rules.receiver(cut, game, players) for game in range(1, 8)] == receivers


def test_a_player_can_buy_as_many_cards_as_the_contracts_allow() -> None:
    # Games 9 to 14: one card in four of them, two in the other two
    assert ruleset("progressiv").purchases == 8
    assert ruleset("rommeordnung").purchases == 0


@pytest.mark.parametrize(
    ("contract", "cards"),
    [
        pytest.param(Contract(groups=(3, 3)), 6, id="game 1"),
        pytest.param(Contract(groups=(3,), runs=(4, 4)), 11, id="game 6"),
        pytest.param(Contract(groups=(5,), runs=(5,), pairs=1), 12, id="progressiv game 14"),
    ],
)
def test_a_contract_knows_its_number_of_cards(contract: Contract, cards: int) -> None:
    assert contract.cards == cards


@pytest.mark.parametrize("points", [0, 7, 9, 25, 200])
def test_hausregel_lets_a_finisher_keep_as_many_points_as_agreed(points: int) -> None:
    changed = ruleset("hausregel").with_option(OptionField.FINISHER_MAY_HOLD, points)

    assert changed.finisher_may_hold == points


@pytest.mark.parametrize("points", [-1, 201, None])
def test_points_a_finisher_keeps_are_bounded(points: int | None) -> None:
    with pytest.raises(ScoringError, match="steht nicht zur Wahl"):
        ruleset("hausregel").with_option(OptionField.FINISHER_MAY_HOLD, points)


def test_hausregel_lets_hands_grow_without_limit_if_three_cards_are_taken() -> None:
    rules = ruleset("hausregel")

    changed = rules.with_option(OptionField.EXTRA_CARDS, None)

    assert [each.extra_cards for each in changed.rounds] == [None]
    assert changed.with_option(OptionField.EXTRA_CARDS, 0) == rules


def test_a_restricted_option_is_chosen_from_a_list() -> None:
    with pytest.raises(ScoringError) as refusal:
        ruleset("hausregel").with_option(OptionField.EXTRA_CARDS, 5)

    assert str(refusal.value) == (
        "„Karten, um die eine Hand wachsen kann“: 5 steht nicht zur Wahl."
    )


def test_rule_set_without_an_option_refuses_it() -> None:
    with pytest.raises(ScoringError) as refusal:
        ruleset("rommeordnung").with_option(OptionField.FINISHER_MAY_HOLD, 0)

    assert str(refusal.value) == "Das Regelwerk „Romméordnung“ lässt hier keine Wahl."


@pytest.mark.parametrize(
    ("value", "offered"),
    [(None, True), (0, True), (30, True), (31, False), (-1, False)],
)
def test_free_number_of_cards_is_bounded_or_without_limit(value: int | None, offered: bool) -> None:
    option = Option(
        field=OptionField.EXTRA_CARDS,
        label="…",
        choices=(Choice(value=2, label="zwei"),),
        free=True,
    )

    assert option.offers(value) is offered


@pytest.mark.parametrize("games", [1, 12, 60])
def test_free_number_of_games_can_be_changed(games: int) -> None:
    assert ruleset("traditionell").with_games(games).games == games


@pytest.mark.parametrize("games", [0, -3, 61])
def test_list_cannot_have_no_games_or_very_many(games: int) -> None:
    with pytest.raises(ScoringError) as refusal:
        ruleset("traditionell").with_games(games)

    assert str(refusal.value) == f"Eine Liste hat 1 bis 60 Spiele, nicht {games}."


def test_fixed_number_of_games_stays() -> None:
    with pytest.raises(ScoringError) as refusal:
        ruleset("preisromme-1987").with_games(12)

    assert str(refusal.value) == "Nach „Preisrommé 1987“ hat eine Liste 8 Spiele."
