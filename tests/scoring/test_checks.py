"""Refusals of lines of a Spielliste, with their places."""

from __future__ import annotations

import pytest

from tests.scoring.checked_lists import (
    BOTH,
    CONTRACT,
    LIVERPOOL,
    ROMMEORDNUNG,
    cut,
    line,
    look,
    places,
)

# --- Finisher and Handrommé -------------------------------------------------------------


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
def test_the_message_names_the_problem(written, rule_set, expected):
    assert [problem.message for problem in look(written, rule_set).problems] == [expected]


def test_a_problem_of_a_hand_names_game_and_seat():
    assert (
        look(line(1, 0, 1, 45), number=12)
        .problems[0]
        .message.startswith("Spiel 12: Platz 2: 1 kann nicht sein:")
    )


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


# --- Adjustments ------------------------------------------------------------------------


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
