"""Possible but unlikely lines need a confirmation."""

from __future__ import annotations

import pytest

from scoring.ambiguity import AmbiguousLine
from scoring.errors import Problem
from scoring.plausibility import LineContext, doubts
from scoring.ruleset import RuleSet
from scoring.rulesets import ruleset
from tests.scoring.clear_lines import game, line

ROMME = ruleset("rommeordnung")


def doubted(
    written: AmbiguousLine, *earlier: AmbiguousLine, rules: RuleSet = ROMME, number: int = 1
) -> list[Problem]:
    players = len(written.minus)
    return doubts(written, LineContext(number=number, rule_set=rules, players=players), earlier)


def test_very_high_hand_is_doubted_at_its_place() -> None:
    (doubt,) = doubted(game(0, 23, 161, 12))

    assert doubt.where == "minus[2]"
    assert doubt.message.startswith("161 ist ungewöhnlich viel")


def test_a_low_hand_is_not_doubted_if_the_handromme_is_unclear() -> None:
    assert doubted(line(61, 88, 0, 40, finisher=(3,), handromme=(True, False))) == []


def test_each_reading_of_a_possible_finisher_is_checked() -> None:
    said = doubted(line((23, 170, 170), 20, 30, 165, finisher=(1, 2)))

    assert [(doubt.where, doubt.message[:3]) for doubt in said] == [
        ("minus[0]", "170"),
        ("minus[3]", "165"),
    ]


def test_second_handromme_of_one_seat_is_doubted() -> None:
    before = game(0, 70, 80, 90, handromme=True)
    between = game(70, 0, 80, 91, finisher=2, handromme=True)

    (doubt,) = doubted(game(0, 81, 91, 71, handromme=True), before, between)

    assert doubt == Problem(
        "handromme",
        "Das wäre das 2. Handrommé von Platz 1 auf dieser Liste. Bitte prüfen, ob es eines war.",
    )


@pytest.mark.parametrize(
    ("before", "now"),
    [
        pytest.param(
            game(70, 0, 80, 91, finisher=2, handromme=True),
            game(0, 81, 91, 71, handromme=True),
            id="of another seat",
        ),
        pytest.param(
            game(0, 70, 80, 91), game(0, 81, 91, 71, handromme=True), id="the first of this seat"
        ),
        pytest.param(game(0, 70, 80, 91, handromme=True), game(0, 81, 91, 71), id="none this time"),
        pytest.param(
            line(0, 70, 80, 91, handromme=(True, False)),
            game(0, 81, 91, 71, handromme=True),
            id="perhaps none before",
        ),
        pytest.param(
            line(60, 70, 80, 91, finisher=(1, 2), handromme=(True,)),
            game(0, 81, 91, 71, handromme=True),
            id="perhaps another seat before",
        ),
        pytest.param(
            line(60, 70, 80, 91, finisher=(1, 2), handromme=(True,)),
            line(61, 71, 81, 92, finisher=(1, 2), handromme=(True,)),
            id="unknown seats both times",
        ),
    ],
)
def test_other_handrommes_are_not_doubted(before: AmbiguousLine, now: AmbiguousLine) -> None:
    assert doubted(now, before) == []


def test_a_line_equal_to_the_previous_one_is_doubted() -> None:
    said = doubted(game(0, 23, 45, 12), game(0, 9, 9, 9), game(0, 23, 45, 12))

    assert said == [
        Problem(
            "",
            "Diese Zeile gleicht der vorigen in allem. "
            "Bitte prüfen, ob dasselbe Spiel zweimal eingetragen ist.",
        )
    ]


@pytest.mark.parametrize(
    "before",
    [
        pytest.param([], id="no line"),
        pytest.param([game(0, 23, 45, 13)], id="other points"),
        pytest.param([game(0, 23, 45, 12), game(0, 9, 9, 9)], id="not the last one"),
        pytest.param([game(0, 23, 45, 12, handromme=True)], id="a Handrommé"),
    ],
)
def test_different_lines_are_not_doubted_as_equal(before: list[AmbiguousLine]) -> None:
    assert doubted(game(0, 23, 45, 12), *before) == []


def test_an_equal_line_with_a_single_hand_is_not_doubted() -> None:
    rules = ruleset("traditionell")

    assert doubted(game(0, 10), game(0, 10), rules=rules) == []
    assert doubted(game(0, 10, 20), game(0, 10, 20), rules=rules) != []


def test_an_unclear_line_is_compared_as_written() -> None:
    written = line((17, 71), 0, 30, 12, finisher=(2,))

    assert [doubt.where for doubt in doubted(written, written)] == [""]
    assert doubted(written, game(71, 0, 30, 12, finisher=2)) == []
