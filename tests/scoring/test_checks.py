"""What may stand in a line of a Spielliste: refusals with their places."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.scoring.checked import (
    BOTH,
    CONTRACT,
    GOOD,
    LIVERPOOL,
    MAY_HOLD,
    ROMMEORDNUNG,
    cut,
    line,
    look,
    places,
)

# --- Who finished, and how --------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "rule_set", "expected"),
    [
        pytest.param(line(5, 10, 23, 45, 12), ROMMEORDNUNG, "finisher", id="no such seat"),
        pytest.param(line(0, 10, 23, 45), ROMMEORDNUNG, "finisher", id="seat 0"),
        pytest.param(line(-1, 10, 23, 45), ROMMEORDNUNG, "finisher", id="below 0"),
        pytest.param(
            line([1, 5], 10, 23, 45, 12), ROMMEORDNUNG, "finisher[1]", id="one reading is no seat"
        ),
        pytest.param(
            line([5, 6, 5], 10, 23, 45, 12),
            ROMMEORDNUNG,
            "finisher[0] finisher[1]",
            id="each reading once",
        ),
        pytest.param(line(None, 10, 23, 45), ROMMEORDNUNG, "finisher", id="§ 8.1 nobody finished"),
        pytest.param(
            line([None, 1], 10, 23, 45), ROMMEORDNUNG, "finisher[0]", id="§ 8.1 perhaps nobody"
        ),
        pytest.param(
            line(None, 70, 80, 90, handromme=True),
            ROMMEORDNUNG,
            "finisher",
            id="§ 6.2 a Handrommé of nobody is said once",
        ),
        pytest.param(line(1, 0, 80, 90, handromme=True), CONTRACT, "handromme", id="no Handrommé"),
        pytest.param(
            line(1, 0, 80, 90, handromme=[False, True]),
            CONTRACT,
            "handromme[1]",
            id="perhaps no Handrommé",
        ),
        pytest.param(
            line(None, 70, 80, 90, handromme=True),
            CONTRACT,
            "handromme",
            id="no Handrommé of nobody either",
        ),
        pytest.param(
            line(None, 70, 80, 90, handromme=True),
            BOTH,
            "finisher",
            id="a Handrommé has a finisher",
        ),
        pytest.param(
            line([2, None], 70, 80, 90, handromme=True),
            BOTH,
            "finisher[1]",
            id="a sure Handrommé has a finisher in every reading",
        ),
        pytest.param(
            line(None, 70, 80, 90, handromme=[False, True]),
            BOTH,
            "handromme[1]",
            id="a possible Handrommé has a possible finisher",
        ),
    ],
)
def test_who_finished_and_how_must_be_possible(written, rule_set, expected):
    assert places(look(written, rule_set)) == [f"games[2].{place}" for place in expected.split()]


@pytest.mark.parametrize(
    ("written", "rule_set"),
    [
        pytest.param(GOOD, ROMMEORDNUNG, id="clear"),
        pytest.param(line(None, 10, 23, 45), CONTRACT, id="nobody finished"),
        pytest.param(line([None, 2], 10, 23, 45), CONTRACT, id="perhaps nobody"),
        pytest.param(line([None, 2], 10, 23, 45, handromme=[True, False]), BOTH, id="all of it"),
        pytest.param(line(3, 61, 88, 0, 72, handromme=True), ROMMEORDNUNG, id="Handrommé"),
        pytest.param(line([3, 2], 61, 88, 70, 72, handromme=True), ROMMEORDNUNG, id="of whom?"),
    ],
)
def test_what_the_rules_allow_is_accepted(written, rule_set):
    assert places(look(written, rule_set)) == []


@pytest.mark.parametrize(
    ("written", "rule_set", "expected"),
    [
        (
            line(-1, 10, 23, 45),
            ROMMEORDNUNG,
            "Spiel 3: Platz −1 gibt es nicht: An diesem Tisch sind die Plätze 1 bis 3.",
        ),
        (
            line(None, 10, 23, 45),
            ROMMEORDNUNG,
            "Spiel 3: Es fehlt, wer das Spiel beendet hat; das gibt es nach „Romméordnung“ immer.",
        ),
        (
            line(1, 0, 80, 90, handromme=True),
            CONTRACT,
            "Spiel 3: „Contract Rommé“ kennt kein Handrommé.",
        ),
        (
            line(None, 70, 80, 90, handromme=True),
            BOTH,
            "Spiel 3: Ein Handrommé hat immer jemand gespielt; es fehlt, wer.",
        ),
        (
            line(None, 70, 80, 90, handromme=[True, False]),
            BOTH,
            "Spiel 3: Ein Handrommé hat immer jemand gespielt; es fehlt, wer.",
        ),
    ],
)
def test_the_sentence_says_what_is_wrong(written, rule_set, expected):
    assert [problem.message for problem in look(written, rule_set).problems] == [expected]


# --- Hands ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "rule_set", "expected"),
    [
        pytest.param(line(1, 0, 1, 45, 12), ROMMEORDNUNG, "minus[1]", id="§ 4.2 a loser with 1"),
        pytest.param(
            line(1, [0, 5], 23, 45),
            ROMMEORDNUNG,
            "minus[0][1]",
            id="§ 8.1 the finisher has 0 in every reading",
        ),
        pytest.param(
            line(1, 0, [1, 21, 1, 198], 45),
            ROMMEORDNUNG,
            "minus[1][0] minus[1][3]",
            id="each impossible reading once",
        ),
        pytest.param(
            line(1, 0, [90, 30], 95, handromme=True),
            ROMMEORDNUNG,
            "minus[1][1]",
            id="§ 6.2 in every reading",
        ),
        pytest.param(
            line([1, 2], 30, 30, 90, handromme=True),
            ROMMEORDNUNG,
            "minus[0] minus[1]",
            id="§ 6.2 whoever finished",
        ),
        pytest.param(
            line(1, [0, 5], 23, 45, handromme=True),
            MAY_HOLD,
            "minus[0][1]",
            id="Handrommé: 0 in every reading",
        ),
        pytest.param(line([1, 2], 1, 23, 45), ROMMEORDNUNG, "minus[0]", id="as loser or finisher"),
        pytest.param(
            line([1, None], 0, 23, 0), CONTRACT, "minus[2]", id="0 only for who may have finished"
        ),
        pytest.param(line(1, 0, 23, 45), replace(ROMMEORDNUNG, table_sizes=(4,)), "", id="size"),
    ],
)
def test_every_reading_of_a_hand_must_be_possible_by_itself(written, rule_set, expected):
    assert places(look(written, rule_set)) == [f"games[2].{place}" for place in expected.split()]


@pytest.mark.parametrize(
    ("written", "rule_set"),
    [
        pytest.param(line(1, 0, 2, 197), ROMMEORDNUNG, id="the least and the most"),
        pytest.param(line([1, 2], [0, 17], 23, 45), ROMMEORDNUNG, id="0 if it finished"),
        pytest.param(line([1, 2], 0, 23, 45), ROMMEORDNUNG, id="only 0 given"),
        pytest.param(line([1, 2], 0, 0, 45), ROMMEORDNUNG, id="only 0 given for both"),
        pytest.param(line(1, 7, 23, 45), MAY_HOLD, id="what a finisher may keep"),
        pytest.param(line(1, [7, 0], 23, 45, handromme=[True, False]), MAY_HOLD, id="perhaps"),
        pytest.param(
            line(1, 0, 17, 75, handromme=[True, False]), ROMMEORDNUNG, id="small if not Handrommé"
        ),
    ],
)
def test_what_can_have_happened_is_accepted(written, rule_set):
    assert places(look(written, rule_set)) == []


def test_a_problem_of_a_hand_names_game_and_seat():
    assert (
        look(line(1, 0, 1, 45), number=12)
        .problems[0]
        .message.startswith("Spiel 12: Platz 2: 1 kann nicht sein:")
    )


def test_hands_must_fit_into_one_pack():
    # § 4.1: two hands are together at most 328, three at least 154 after a Handrommé.
    too_much = look(line(1, 0, 197, 132))
    too_little = look(line(1, 0, 40, 41, 42, handromme=True))

    assert places(too_much) == ["games[2].minus"]
    assert too_much.problems[0].message.startswith("Spiel 3: 197 + 132 kann nicht sein")
    assert places(too_little) == ["games[2].minus"]
    assert places(look(line(1, 0, 197, 131))) == []


def test_hands_must_fit_together_whoever_finished():
    # If seat 1 finished, 197 + 197 is too much; if seat 2 did, seat 1 held something.
    assert places(look(line([1, 2], 0, 23, 197, 197))) == ["games[2].minus"]


def test_a_hand_that_is_impossible_by_itself_is_not_named_again_with_the_others():
    assert places(look(line(1, 0, 198, 197))) == ["games[2].minus[1]"]


def test_a_wrong_finisher_is_not_held_against_the_hands():
    # Seat 5 was meant to be seat 1: its 0 is right, and so would be points that it kept.
    assert places(look(line(5, 0, 23, 45, 12))) == ["games[2].finisher"]
    assert places(look(line(5, 0, 1, 45, 12))) == ["games[2].finisher", "games[2].minus[1]"]


@pytest.mark.parametrize(
    ("written", "seats", "expected"),
    [
        (line(1, 0, 23, 45), 4, "Spiel 3: Am Tisch sind 4 Plätze, eingetragen sind 3."),
        (line(1, 0, 23, 45, 12), 3, "Spiel 3: Am Tisch sind 3 Plätze, eingetragen sind 4."),
        (line(1), 3, "Spiel 3: Am Tisch sind 3 Plätze, eingetragen sind 0."),
    ],
)
def test_each_seat_has_an_entry(written, seats, expected):
    findings = look(written, seats=seats)

    assert [(problem.where, problem.message) for problem in findings.problems] == [
        ("games[2].minus", expected)
    ]


def test_entries_beyond_the_table_are_not_judged_as_hands():
    assert places(look(line(1, 0, 1, 45, 0), seats=3)) == ["games[2].minus", "games[2].minus[1]"]


# --- Adjustments ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("adjustment", "expected"),
    [
        pytest.param(cut(seat=5), ["games[2].adjustments[0].seat"], id="no such seat"),
        pytest.param(cut(points=0), ["games[2].adjustments[0].points"], id="0 points"),
        pytest.param(cut(reason=" "), ["games[2].adjustments[0].reason"], id="no reason"),
        pytest.param(
            cut(seat=0, points=0, reason=""),
            [f"games[2].adjustments[0].{key}" for key in ("seat", "reason", "points")],
            id="all wrong",
        ),
    ],
)
def test_an_adjustment_needs_a_seat_points_and_a_reason(adjustment, expected):
    findings = look(line(1, 0, 23, 45, 12, adjustments=(adjustment,)), LIVERPOOL)

    assert places(findings) == expected
    assert findings.warnings == []


def test_the_exact_cut_of_liverpool_is_granted_to_the_right_of_the_dealer():
    # Place 3 deals game 3; to its right sits place 2.
    findings = look(line(1, 0, 23, 45, 12, adjustments=(cut(),)), LIVERPOOL)

    assert (findings.problems, findings.warnings) == ([], [])


def test_the_exact_cut_of_liverpool_is_refused_for_another_seat():
    findings = look(line(1, 0, 23, 45, 12, adjustments=(cut(seat=3),)), LIVERPOOL)

    (problem,) = findings.problems
    assert problem.where == "games[2].adjustments[0]"
    assert problem.message == (
        "Spiel 3: „Liverpool Rommé“ gibt in diesem Spiel nur "
        "Platz 2 −50 (genau abgehoben). Bitte prüfen."
    )
    assert findings.warnings == []


@pytest.mark.parametrize(
    ("adjustments", "rule_set", "where", "message"),
    [
        pytest.param(
            (cut(points=-40),),
            LIVERPOOL,
            "games[2].adjustments[0]",
            "Spiel 3: „Liverpool Rommé“ gibt in diesem Spiel nur "
            "Platz 2 −50 (genau abgehoben). Bitte prüfen.",
            id="other points",
        ),
        pytest.param(
            (cut(), cut()),
            LIVERPOOL,
            "games[2].adjustments[1]",
            "Spiel 3: Dieselben Punkte stehen schon einmal da.",
            id="twice",
        ),
        pytest.param(
            (cut(),),
            ROMMEORDNUNG,
            "games[2].adjustments[0]",
            "Spiel 3: „Romméordnung“ nennt keine Punkte, die neben der Hand zählen. Bitte prüfen.",
            id="no such grant",
        ),
    ],
)
def test_an_adjustment_that_the_rules_do_not_grant_is_doubted(
    adjustments, rule_set, where, message
):
    findings = look(line(1, 0, 23, 45, 12, adjustments=adjustments), rule_set)

    assert findings.problems == []
    assert [(doubt.where, doubt.message) for doubt in findings.warnings] == [(where, message)]


def test_adjustments_of_different_points_are_not_the_same():
    both = (cut(points=-50), cut(points=-40))

    findings = look(line(1, 0, 23, 45, 12, adjustments=both), LIVERPOOL)

    assert [doubt.where for doubt in findings.warnings] == ["games[2].adjustments[1]"]
    assert "nur Platz 2" in findings.warnings[0].message
