"""Impossible and improbable values of one hand and of several hands together."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.hand_checks import joint_objection
from scoring.hands import PossibleHands
from scoring.ruleset import OptionField
from scoring.rulesets import ruleset
from tests.scoring.hand_strategies import (
    finisher_problem,
    hand_doubt,
    hand_problem,
    holdings,
    joint_problem,
)

ROMME = ruleset("rommeordnung")


def of_loser(points: int, id_: str = "rommeordnung", players: int = 4, game: int = 1) -> str:
    return hand_problem(points, rule_set=ruleset(id_), players=players, game=game) or ""


# --- One hand -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        pytest.param(
            0,
            "0 Punkte hat nur, wer das Spiel beendet; wer noch Karten hält, hat mindestens 2. "
            "Bitte nachzählen oder prüfen, wer das Spiel beendet hat.",
            id="§ 6 nothing",
        ),
        pytest.param(
            1,
            "1 kann nicht sein: Wer noch Karten hält, hat mindestens 2. Bitte nachzählen.",
            id="§ 4.2 one point",
        ),
        pytest.param(2, "", id="§ 4.2 the lowest card"),
        pytest.param(3, "", id="§ 4.2 a three"),
        pytest.param(104, "", id="an ordinary hand"),
        pytest.param(196, "", id="§ 4.2 six jokers, six aces, a ten"),
        pytest.param(197, "", id="§ 4.2 six jokers, seven aces"),
        pytest.param(
            198,
            "198 kann nicht sein: 13 Karten zählen höchstens 197. Bitte nachzählen.",
            id="§ 4.2 more than any hand",
        ),
        pytest.param(
            -2,
            "-2 kann nicht sein: Wer noch Karten hält, hat mindestens 2. Bitte nachzählen.",
            id="below zero",
        ),
    ],
)
def test_loser_of_the_rommeordnung_counts_2_to_197(points: int, sentence: str) -> None:
    assert of_loser(points) == sentence


@pytest.mark.parametrize(
    ("points", "possible"),
    [(0, False), (30, False), (31, True), (32, True), (197, True), (198, False)],
)
def test_loser_counts_31_to_197_after_a_handromme(points: int, possible: bool) -> None:
    problem = hand_problem(points, rule_set=ROMME, players=3, game=5, after_handromme=True)

    assert (problem is None) is possible


def test_a_hand_too_low_after_a_handromme_names_the_reason() -> None:
    problem = hand_problem(30, rule_set=ROMME, players=4, game=1, after_handromme=True)

    assert problem == (
        "30 kann nicht sein: Nach einem Handrommé halten die anderen noch 13 Karten, und die "
        "zählen mindestens 31. Bitte nachzählen oder prüfen, ob es ein Handrommé war."
    )


@pytest.mark.parametrize(
    ("id_", "game", "highest"),
    [
        pytest.param("rommeordnung", 12, 197, id="rommeordnung"),
        pytest.param("hausregel", 1, 197, id="hausregel"),
        # 872 of the pack less a two for each of three others
        pytest.param("preisromme-1987", 8, 866, id="preisromme-1987"),
        pytest.param("traditionell", 1, 6 * 25 + 4 * 11, id="traditionell"),
        # 8 (54 + 30 + 15) + 3 · 15 = 837, less three twos
        pytest.param("contract", 1, 831, id="contract"),
        pytest.param("liverpool", 7, 831, id="liverpool"),
        # 792 + 4 · 25 = 892, less three twos
        pytest.param("may-i", 1, 886, id="may-i"),
        # 48 · 5 + 48 · 10 + 8 · 20 + 4 · 50 = 1080, less three fives
        pytest.param("shanghai", 7, 1065, id="shanghai"),
        pytest.param("shanghai-powe", 8, 4 * 50 + 8 * 20 + 4 * 10, id="shanghai-powe"),
        pytest.param("shanghai-kolsov", 10, 1065, id="shanghai-kolsov"),
        pytest.param("progressiv", 8, 11 * 20, id="progressiv 8"),
        pytest.param("progressiv", 9, 12 * 20, id="progressiv 9"),
        pytest.param("progressiv", 12, 12 * 20 + 3 * 15, id="progressiv 12"),
        pytest.param("progressiv", 15, 11 * 20, id="progressiv 15"),
    ],
)
def test_highest_hand_follows_from_cards_and_values(id_: str, game: int, highest: int) -> None:
    assert of_loser(highest, id_, game=game) == ""
    assert f"höchstens {highest}" in of_loser(highest + 5, id_, game=game)


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        pytest.param(5, "", id="a seven"),
        pytest.param(
            12,
            "12 kann nicht sein: Die Karten ergeben 10 oder 15, aber nichts dazwischen. "
            "Bitte nachzählen.",
            id="no multiple of 5",
        ),
        pytest.param(
            4,
            "4 kann nicht sein: Wer noch Karten hält, hat mindestens 5. Bitte nachzählen.",
            id="below the lowest card",
        ),
        pytest.param(
            219,
            "219 kann nicht sein: Die Karten ergeben 215 oder 220, aber nichts dazwischen. "
            "Bitte nachzählen.",
            id="next to the highest",
        ),
    ],
)
def test_values_that_the_cards_do_not_give_are_refused(points: int, sentence: str) -> None:
    assert of_loser(points, "progressiv") == sentence


def test_finisher_with_points_is_refused() -> None:
    assert finisher_problem(2, rule_set=ROMME, players=4, game=1) == (
        "Wer das Spiel beendet, hat 0 Punkte, nicht 2. "
        "Bitte die Punkte prüfen oder wer das Spiel beendet hat."
    )


# --- The finisher ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "said"),
    [
        pytest.param(0, None, id="nothing left"),
        pytest.param(
            1,
            "1 kann nicht sein: Wer noch Karten hält, hat mindestens 2. Bitte nachzählen.",
            id="no card counts 1",
        ),
        pytest.param(2, None, id="a two"),
        pytest.param(7, None, id="as much as agreed"),
        pytest.param(
            8,
            "Wer das Spiel beendet, darf höchstens 7 Punkte in der Hand haben, nicht 8. "
            "Bitte die Punkte prüfen oder wer das Spiel beendet hat.",
            id="more than agreed",
        ),
    ],
)
def test_a_finisher_of_the_hausregel_may_keep_the_agreed_points(
    points: int, said: str | None
) -> None:
    rules = ruleset("hausregel").with_option(OptionField.FINISHER_MAY_HOLD, 7)

    assert finisher_problem(points, rule_set=rules, players=4, game=1) == said


# --- Hands together -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "sum_and_bound"),
    [
        pytest.param([197, 131, 130], None, id="458 of three"),
        pytest.param([130, 197, 131], None, id="458 in another order"),
        pytest.param([153, 153, 152], None, id="458 evenly"),
        pytest.param([153, 153, 153], ("153 + 153 + 153", 458), id="459 of three"),
        pytest.param([131, 197], None, id="328 of two"),
        pytest.param([2, 132, 197], ("197 + 132", 328), id="329 of the highest two"),
        pytest.param([2, 2, 2], None, id="three twos"),
        pytest.param([197], None, id="one hand"),
        pytest.param([], None, id="no hand"),
    ],
)
def test_hands_come_from_one_pack(points: list[int], sum_and_bound: tuple[str, int] | None) -> None:
    said = joint_problem(points, rule_set=ROMME, players=4, game=1)

    if sum_and_bound is None:
        assert said is None
    else:
        hands, highest = sum_and_bound
        number = hands.count("+") + 1
        assert said == (
            f"{hands} kann nicht sein: {number} Hände aus einem Kartenpaket zählen zusammen "
            f"höchstens {highest}. Bitte nachzählen."
        )


@pytest.mark.parametrize(
    ("points", "sum_and_bound"),
    [
        pytest.param([31, 51, 72], None, id="154 of three"),
        pytest.param([51, 51, 51], ("51 + 51 + 51", 154), id="153 of three"),
        pytest.param([41, 41, 197], None, id="82 of two"),
        pytest.param([150, 41, 40], ("40 + 41", 82), id="81 of the lowest two"),
        pytest.param([31], None, id="one hand"),
    ],
)
def test_full_hands_after_a_handromme_come_from_one_pack(
    points: list[int], sum_and_bound: tuple[str, int] | None
) -> None:
    said = joint_problem(points, rule_set=ROMME, players=4, game=1, after_handromme=True)

    if sum_and_bound is None:
        assert said is None
    else:
        hands, lowest = sum_and_bound
        number = hands.count("+") + 1
        assert said == (
            f"{hands} kann nicht sein: Nach einem Handrommé zählen {number} Hände aus einem "
            f"Kartenpaket zusammen mindestens {lowest}. "
            "Bitte nachzählen oder prüfen, ob es ein Handrommé war."
        )


def test_low_cards_bound_the_sum_of_hands_without_a_handromme() -> None:
    held = PossibleHands(
        cards=((1, 1), (5, 9)), fewest=1, most=2, usual=2, players=3, nobody_laid_out=False
    )

    assert joint_objection([1, 5], [1, 5], held) is None
    assert joint_objection([1, 1], [1, 1], held) == (
        "1 + 1 kann nicht sein: 2 Hände aus einem Kartenpaket zählen zusammen mindestens 6. "
        "Bitte nachzählen."
    )


def test_readings_are_refused_only_if_all_are_impossible() -> None:
    held = PossibleHands(
        cards=((1, 1), (5, 9)), fewest=1, most=2, usual=2, players=3, nobody_laid_out=False
    )

    assert joint_objection([1, 1], [1, 5], held) is None  # the other hand may count 5
    assert joint_objection([10, 6], [10, 10], held) is None
    assert "höchstens 20" in str(joint_objection([11, 10], [11, 10], held))


@settings(deadline=None)
@given(holdings(most_players=4), st.data())
def test_possible_hands_are_never_refused(held: PossibleHands, data: st.DataObject) -> None:
    deck = [value for value, number in held.cards for _copy in range(number)]
    hands = data.draw(st.integers(1, min(3, held.players)))

    # owner 0 … hands - 1 is a hand, the last one everything else: others, stock, table
    for owners in product(range(hands + 1), repeat=min(len(deck), 7)):
        sizes = Counter(owners)
        rest = sizes[hands] + len(deck) - len(owners)
        if rest < held.players - hands:
            continue
        if all(held.fewest <= sizes[hand] <= held.most for hand in range(hands)):
            values = [0] * hands
            for value, owner in zip(deck, owners, strict=False):
                if owner < hands:
                    values[owner] += value
            assert joint_objection(values, values, held) is None


# --- Doubts ---------------------------------------------------------------------------


def doubt(points: int, id_: str = "rommeordnung", *, after_handromme: bool = False) -> str:
    said = hand_doubt(
        points, rule_set=ruleset(id_), players=4, game=1, after_handromme=after_handromme
    )
    return said or ""


def test_a_very_high_hand_is_doubted() -> None:
    # Counted card by card in test_hands: of all hands of 13 cards fewer than one in
    # 10,000 count more than 160, but not fewer than one in 10,000 more than 159.
    assert doubt(160) == ""
    assert doubt(161) == (
        "161 ist ungewöhnlich viel: Von 10.000 zufälligen Blättern mit 13 Karten zählt höchstens "
        "eines mehr als 160. Bitte nachzählen."
    )


def test_a_very_low_hand_is_doubted_only_after_a_handromme() -> None:
    assert hand_doubt(31, rule_set=ROMME, players=4, game=1) is None
    assert doubt(31, after_handromme=True) == (
        "31 ist nach einem Handrommé ungewöhnlich wenig: Von 10.000 zufälligen Blättern mit 13 "
        "Karten zählt höchstens eines weniger als 60. "
        "Bitte nachzählen und prüfen, ob es ein Handrommé war."
    )
    assert doubt(60, after_handromme=True) == ""
    assert doubt(59, after_handromme=True) != ""


def test_hand_that_may_grow_is_compared_with_a_larger_one() -> None:
    assert "Blättern mit 17 Karten" in doubt(400, "preisromme-1987")
    assert "Blättern mit 16 Karten" in doubt(400, "shanghai-powe")
