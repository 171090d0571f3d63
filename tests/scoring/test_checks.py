"""What may stand in a line of a Spielliste: refusals with their places."""

from __future__ import annotations

import pytest

from tests.scoring.checked import (
    BOTH,
    CONTRACT,
    GOOD,
    LIVERPOOL,
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


def test_a_problem_of_a_hand_names_game_and_seat():
    assert (
        look(line(1, 0, 1, 45), number=12)
        .problems[0]
        .message.startswith("Spiel 12: Platz 2: 1 kann nicht sein:")
    )


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
