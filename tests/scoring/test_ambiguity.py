"""Unclear lines: the least favourable reading counts for every participant (§ 2.2.6)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoring.ambiguity import alternatives, count_line, explain, score, unclear_entries
from scoring.rulesets import ruleset
from scoring.spielliste import Adjustment, Penalty, SeatCount
from tests.scoring.checked_lists import line
from tests.scoring.clear_lines import Game

ROMMEORDNUNG = ruleset("rommeordnung")
HAUSREGEL = ruleset("hausregel")
TRADITIONELL = ruleset("traditionell")


def counted(written, rule_set=ROMMEORDNUNG):
    return [count.minus for count in count_line(written, rule_set)]


def credited(written, rule_set=ROMMEORDNUNG):
    return [
        "Handrommé" if count.handromme else "beendet" if count.finished else "–"
        for count in count_line(written, rule_set)
    ]


# --- Points -----------------------------------------------------------------------------


def test_the_least_favourable_counts_for_each_seat_by_itself():
    # 17 | 71 and 1 | 7 tens for seat 4: both cannot be the larger one at once, yet are.
    assert counted(line(2, [17, 71], 0, 30, [12, 72])) == [71, 0, 30, 72]


# --- The finish -------------------------------------------------------------------------


def test_an_unclear_finish_is_not_credited_and_keeps_the_points():
    written = line([1, 3], 22, 35, 41, 18)

    assert counted(written) == [22, 35, 41, 18]
    assert credited(written) == ["–", "–", "–", "–"]


# --- The Handrommé ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule_set", "expected"),
    [
        pytest.param(ROMMEORDNUNG, [60, 75, 82, 0], id="§ 3.2.2 the others carry no more"),
        pytest.param(HAUSREGEL, [120, 150, 164, 0], id="hausregel doubles"),
        pytest.param(TRADITIONELL, [85, 100, 107, 0], id="traditionell adds 25"),
    ],
)
def test_an_unclear_handromme_counts_the_finish_and_adds_for_the_others(rule_set, expected):
    written = line(4, 60, 75, 82, 0, handromme=[True, False])

    assert counted(written, rule_set) == expected
    assert credited(written, rule_set) == ["–", "–", "–", "beendet"]


@pytest.mark.parametrize("handromme", [True, [True, False], [False, True]])
@pytest.mark.parametrize(
    ("rule_set", "expected"),
    [(HAUSREGEL, [120, 150, 164, 180]), (TRADITIONELL, [85, 100, 107, 115])],
)
def test_an_unclear_finisher_adds_the_handromme_to_every_seat_with_points(
    rule_set, expected, handromme
):
    written = line([3, 4], 60, 75, 82, 90, handromme=handromme)

    assert counted(written, rule_set) == expected
    assert credited(written, rule_set) == ["–", "–", "–", "–"]


def test_only_a_handromme_of_another_player_adds_points():
    # Seat 2 finished, or no seat did: no Handrommé affects seat 2.
    rules = replace(HAUSREGEL, ends_without_finisher=True)
    written = line([None, 2], 60, 75, 82, handromme=[True, False])

    assert counted(written, rules) == [120, 75, 164]


# --- Whole lists ------------------------------------------------------------------------


def test_a_list_with_unclear_lines_is_summed_up():
    lines = [
        line(1, 0, 23, 45, 12),
        line(3, 61, 88, 0, [40, 46], handromme=True),
        line([2, 4], 12, 30, 9, 22),
    ]

    results = score(
        lines,
        rule_set=ROMMEORDNUNG,
        players=4,
        penalties=[Penalty(seat=2, points=100, reason="§ 8.3")],
    )

    # 73 − 20; 141 + 100; 54 − 20 − 50; 80
    assert [result.total for result in results] == [53, 241, -16, 80]
    assert [result.seat for result in results] == [1, 2, 3, 4]


def test_a_clear_line_counts_as_the_game_it_is():
    game = Game(
        finisher=3,
        minus=(61, 88, 0, 40),
        handromme=True,
        adjustments=(Adjustment(seat=1, points=-50, reason="genau abgehoben"),),
    )

    assert game.line.is_clear
    assert count_line(game.line, HAUSREGEL) == (
        SeatCount(seat=1, hand=61, added=61, adjustment=-50),
        SeatCount(seat=2, hand=88, added=88),
        SeatCount(seat=3, hand=0, finished=True, handromme=True),
        SeatCount(seat=4, hand=40, added=40),
    )


# --- How it was computed ----------------------------------------------------------------


def reasons(written, rule_set=ROMMEORDNUNG):
    return [list(explained.reasons) for explained in explain(written, rule_set)]


def test_the_explanation_names_the_readings_of_the_points():
    assert reasons(line(2, [71, 17, 77], 0, 30)) == [
        ["Gelesen werden kann 17, 71 oder 77; es zählt 77 (§ 2.2.6)."],
        [],
        [],
    ]


def test_the_explanation_says_that_an_unclear_finish_is_not_credited():
    not_credited = (
        "Ob dieser Platz das Spiel beendet hat, ist unklar: "
        "Es wird ihm nicht gutgeschrieben (§ 2.2.6)."
    )

    assert reasons(line([1, 3], 22, 35, 41)) == [[not_credited], [], [not_credited]]


def test_the_explanation_names_the_effect_of_an_unclear_handromme():
    assert reasons(line(1, 0, 35, 41, handromme=[False, True]), TRADITIONELL) == [
        ["Ob es ein Handrommé war, ist unklar: Es wird nicht gutgeschrieben (§ 2.2.6)."],
        ["Jemand anders kann Handrommé gespielt haben: Dafür kommen 25 dazu (§ 2.2.6)."],
        ["Jemand anders kann Handrommé gespielt haben: Dafür kommen 25 dazu (§ 2.2.6)."],
    ]


def test_the_explanation_names_the_points_added_by_a_handromme():
    assert reasons(line(1, 0, 35, [41, 47], handromme=True), HAUSREGEL) == [
        [],
        ["Für das Handrommé kommen 35 dazu."],
        [
            "Gelesen werden kann 41 oder 47; es zählt 47 (§ 2.2.6).",
            "Für das Handrommé kommen 47 dazu.",
        ],
    ]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        pytest.param(line([2, 4], 12, 30, 9, 22), "wer beendet hat (Platz 2 oder Platz 4)"),
        pytest.param(line([None, 2], 12, 30, 9), "wer beendet hat (niemand oder Platz 2)"),
        pytest.param(line([2, 2, 3], 12, 30, 9), "wer beendet hat (Platz 2 oder Platz 3)"),
        pytest.param(line(1, 0, 30, 9, handromme=[True, False]), "ob es ein Handrommé war"),
        pytest.param(line(1, 0, [80, 30, 30], 9), "Punkte von Platz 2 (30 oder 80)"),
        pytest.param(
            line([1, 2], [12, 72], 30, [9, 6], handromme=[True, False]),
            "wer beendet hat (Platz 1 oder Platz 2), ob es ein Handrommé war, "
            "Punkte von Platz 1 (12 oder 72), Punkte von Platz 3 (6 oder 9)",
        ),
        pytest.param(line(1, 0, 30, 9), "", id="nothing"),
    ],
)
def test_unclear_parts_of_a_line_are_named(written, expected):
    assert unclear_entries(written) == expected


@pytest.mark.parametrize(
    ("readings", "expected"),
    [(["8"], "8"), (["8", "7"], "8 oder 7"), (["8", "7", "3"], "8, 7 oder 3")],
)
def test_readings_are_joined_as_in_german(readings, expected):
    assert alternatives(readings) == expected
