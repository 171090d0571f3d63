"""A whole Spielliste: how many games and people, Strafpunkte, everything at its place."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoring.cards import Pack
from scoring.rulesets import ruleset
from scoring.spielliste import Penalty
from tests.scoring.checked_lists import (
    CONTRACT,
    GOOD,
    HAUSREGEL,
    ROMMEORDNUNG,
    cut,
    doubts,
    line,
    look_at_list,
    places,
)


def test_more_games_than_the_rule_set_has_are_refused():
    lines = [line(1, 0, 20 + number, 45, 12) for number in range(12)]

    [problem] = look_at_list(lines, ruleset("preisromme-1987")).problems

    assert problem.where == "games[8]"
    assert problem.message == (
        "Die Liste hat 12 Spiele, nach „Preisrommé 1987“ sind es höchstens 8."
    )


@pytest.mark.parametrize(
    ("rule_set", "seats", "message"),
    [
        (ROMMEORDNUNG, 5, "Nach „Romméordnung“ sitzen 3 oder 4 Personen an einem Tisch, nicht 5."),
        (
            HAUSREGEL,
            7,
            "Nach „Hausregel“ sitzen 2, 3, 4, 5 oder 6 Personen an einem Tisch, nicht 7.",
        ),
        (
            replace(ROMMEORDNUNG, table_sizes=(4,)),
            3,
            "Nach „Romméordnung“ sitzen 4 Personen an einem Tisch, nicht 3.",
        ),
    ],
)
def test_the_rule_set_must_allow_the_number_of_people(rule_set, seats, message):
    problems = look_at_list([], rule_set, seats=seats).problems

    assert [(problem.where, problem.message) for problem in problems] == [("players", message)]


@pytest.mark.parametrize(("seats", "nearest"), [(6, 5), (5, 5), (3, 3), (2, 3)])
def test_hands_are_judged_by_the_nearest_table(seats, nearest):
    # 13 cards of one pack count at most 4 · 11 + 9 · 10 = 134, of four packs 13 · 11 = 143.
    packs = {3: Pack(decks=1, jokers=0), 5: Pack(decks=4, jokers=0)}
    rules = replace(ROMMEORDNUNG, table_sizes=(3, 5), packs=packs)

    warned = places(look_at_list([line(1, 0, 140, *[23] * (seats - 2))], rules, seats=seats))

    assert ("games[0].minus[1]" in warned) == (nearest == 3)


def test_the_message_names_missing_parts_of_strafpunkte_and_adjustments():
    adjustments = (cut(points=0, reason=""),)

    problems = look_at_list(
        [line(1, 0, 23, 45, 12, adjustments=adjustments)],
        penalties=[Penalty(seat=1, points=100, reason="")],
    ).problems

    assert [problem.message for problem in problems] == [
        "Spiel 1: Es fehlt die Begründung.",
        "Spiel 1: 0 Punkte ändern nichts.",
        "Es fehlt die Begründung.",
    ]


def test_strafpunkte_are_never_a_gift():
    [problem] = look_at_list([], penalties=[Penalty(seat=1, points=-100, reason="x")]).problems

    assert problem.message == "Strafpunkte müssen mehr als 0 sein, nicht −100."


@pytest.mark.parametrize(
    ("points", "rule_set", "expected"),
    [
        pytest.param(100, ROMMEORDNUNG, [], id="§ 8.3 had laid out"),
        pytest.param(150, ROMMEORDNUNG, [], id="§ 8.3 had not"),
        pytest.param(
            50,
            ROMMEORDNUNG,
            ["Ungewöhnlich: „Romméordnung“ nennt 100 oder 150 Strafpunkte, nicht 50."],
            id="§ 8.3 others",
        ),
        pytest.param(1, CONTRACT, [], id="rules that name none"),
    ],
)
def test_strafpunkte_that_the_rules_do_not_name_are_doubted(points, rule_set, expected):
    findings = look_at_list(
        [], rule_set, penalties=[Penalty(seat=1, points=points, reason="§ 8.3")]
    )

    assert [message for __, message in doubts(findings)] == expected
    assert {where for where, __ in doubts(findings)} <= {"penalties[0].points"}


def test_repeated_lines_of_a_list_are_doubted():
    assert [where for where, __ in doubts(look_at_list([GOOD, GOOD]))] == ["games[1]"]
