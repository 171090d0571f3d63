"""Whole lines: impossible ones, clear or with several readings."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.ambiguity import AmbiguousLine
from scoring.errors import Problem
from scoring.plausibility import LineContext as GameOfList
from scoring.plausibility import impossible_readings, misfit
from scoring.ruleset import OptionField, RuleSet
from scoring.rulesets import ruleset
from tests.scoring.clear_lines import Game, game, line

ROMME = ruleset("rommeordnung")
NO_WAY = (
    "Wie man den Eintrag auch liest, die Punkte der Plätze passen nicht zusammen. "
    "Bitte nachzählen oder die Lesarten prüfen."
)


def found(written: AmbiguousLine, rules: RuleSet = ROMME, number: int = 1) -> list[Problem]:
    at = GameOfList(number=number, rule_set=rules, players=len(written.minus))
    impossible = impossible_readings(written, at)
    alone = [Problem(f"minus[{seat - 1}]", why) for seat, _points, why in impossible]
    together = misfit(written, at)
    return [*alone, Problem("minus", together)] if together else alone


def places(written: AmbiguousLine, rules: RuleSet = ROMME, number: int = 1) -> list[str]:
    return [problem.where for problem in found(written, rules, number)]


# --- Clear lines ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "written",
    [
        pytest.param(game(0, 23, 45, 12), id="an ordinary game"),
        pytest.param(game(61, 88, 0, 40, finisher=3, handromme=True), id="§ 3.2.2 Handrommé"),
        pytest.param(game(0, 197, 131, 130), id="as much as the pack gives"),
        pytest.param(game(0, 2, 2, 2), id="as little as the pack gives"),
        pytest.param(game(0, 31, 51, 72, handromme=True), id="§ 6.2 as little as full hands count"),
        pytest.param(game(0, 2, 197), id="three at the table"),
    ],
)
def test_possible_lines_have_no_problem(written: AmbiguousLine) -> None:
    assert found(written) == []


@pytest.mark.parametrize(
    ("written", "where"),
    [
        pytest.param(game(0, 23, 1, 12), ["minus[2]"], id="§ 4.2 no card counts 1"),
        pytest.param(game(0, 0, 45, 12), ["minus[1]"], id="§ 8.2 a loser with nothing"),
        pytest.param(game(5, 23, 45, 12), ["minus[0]"], id="§ 6 a finisher with cards"),
        pytest.param(game(0, 198, 45, 12), ["minus[1]"], id="§ 4.2 above 197"),
        pytest.param(game(0, 1, 300, 0), ["minus[1]", "minus[2]", "minus[3]"], id="all of them"),
        pytest.param(game(0, 30, 80, 80, handromme=True), ["minus[1]"], id="§ 6.2 after Handrommé"),
        pytest.param(game(0, 197, 132, 2), ["minus"], id="§ 4.1 two hands, one pack"),
        pytest.param(game(0, 51, 51, 51, handromme=True), ["minus"], id="§ 6.2 three full hands"),
        pytest.param(game(0, 197, 197, 1), ["minus[3]", "minus"], id="a hand and two others"),
        pytest.param(game(7, 197, 132, 2), ["minus[0]", "minus"], id="the finisher and two others"),
    ],
)
def test_impossible_entries_are_named_with_their_place(
    written: AmbiguousLine, where: list[str]
) -> None:
    assert places(written) == where


def test_all_seats_count_without_a_finisher() -> None:
    rules = ruleset("contract")

    assert found(game(12, 30, 9, 22, finisher=None), rules) == []
    assert places(game(0, 30, 9, 22, finisher=None), rules) == ["minus[0]"]


def test_points_that_the_finisher_keeps_come_from_the_same_pack() -> None:
    rules = ruleset("hausregel").with_option(OptionField.FINISHER_MAY_HOLD, 200)

    assert found(game(130, 197, 131), rules) == []
    # three hands of 13 cards: 6 · 20 + 8 · 11 + 25 · 10 = 458
    assert places(game(131, 197, 131), rules) == ["minus"]


def test_finisher_of_a_handromme_keeps_nothing() -> None:
    rules = ruleset("hausregel").with_option(OptionField.FINISHER_MAY_HOLD, 7)

    assert found(game(5, 60, 70, 80), rules) == []
    (problem,) = found(game(5, 60, 70, 80, handromme=True), rules)
    assert problem.where == "minus[0]"
    assert problem.message.startswith("Wer das Spiel beendet, hat 0 Punkte, nicht 5.")


def test_points_that_the_finisher_keeps_are_not_a_full_hand() -> None:
    # Hands are full after a Handrommé, those of the others.
    rules = replace(ROMME, finisher_may_hold=7)

    assert found(game(5, 60, 70, 80), rules) == []


# --- Unclear lines --------------------------------------------------------------------


@pytest.mark.parametrize(
    "written",
    [
        pytest.param(line((17, 71), 0, 30, 12, finisher=(2,)), id="points, both possible"),
        pytest.param(line(22, 35, 41, 18, finisher=(1, 3)), id="who finished"),
        pytest.param(line(12, 30, 9, 22, finisher=(2, 4)), id="the example of the format"),
        pytest.param(line(0, 35, 41, 18, finisher=(1, 3)), id="one has nothing: that one finished"),
        pytest.param(
            line(60, 75, 82, 0, finisher=(4,), handromme=(True, False)), id="whether by Handrommé"
        ),
        pytest.param(
            line(10, 75, 82, 0, finisher=(4,), handromme=(True, False)),
            id="it was no Handrommé then",
        ),
        pytest.param(line(0, (100, 197), (132, 60), 2), id="one pair of readings fits"),
        pytest.param(line((0, 4), 20, 30, 40, finisher=(1, 2)), id="nothing or a little"),
    ],
)
def test_possible_readings_have_no_problem(written: AmbiguousLine) -> None:
    assert found(written) == []


@pytest.mark.parametrize(
    ("written", "where"),
    [
        pytest.param(line((17, 1), 0, 30, 12, finisher=(2,)), ["minus[0]"], id="one reading"),
        pytest.param(
            line((1, 198), 0, 30, 12, finisher=(2,)), ["minus[0]", "minus[0]"], id="both readings"
        ),
        pytest.param(line((1, 1), 0, 30, 12, finisher=(2,)), ["minus[0]"], id="the same twice"),
        pytest.param(line((0, 3), 20, 30, 12), ["minus[0]"], id="a finisher who may have cards"),
        pytest.param(line(1, 35, 41, 18, finisher=(1, 3)), ["minus[0]"], id="a hand of 1"),
        pytest.param(
            line(10, 75, 82, 0, finisher=(4,), handromme=(True, True)),
            ["minus[0]"],
            id="a Handrommé however it is read",
        ),
        pytest.param(
            line(0, (180, 197), (180, 190), 2), ["minus"], id="two hands, however they are read"
        ),
        pytest.param(
            line(0, (40, 45), (50, 51), 51, handromme=(True,)),
            ["minus"],
            id="full hands, however they are read",
        ),
    ],
)
def test_impossible_readings_are_named(written: AmbiguousLine, where: list[str]) -> None:
    assert places(written) == where


def test_the_message_for_a_possible_finisher_names_its_hand() -> None:
    (problem,) = found(line(1, 35, 41, 18, finisher=(1, 3)))

    assert "Wer noch Karten hält, hat mindestens 2" in problem.message


def test_upper_bounds_check_lowest_readings_and_lower_bounds_highest() -> None:
    (too_much,) = found(line(0, (180, 197), (180, 190), 2))
    (too_little,) = found(line(0, (40, 45), (50, 51), 51, handromme=(True,)))

    assert too_much.message.startswith("180 + 180 kann nicht sein")
    assert too_little.message.startswith("45 + 51 + 51 kann nicht sein")


def test_two_finishers_of_one_game_are_impossible() -> None:
    assert found(line(0, 35, 0, 18, finisher=(1, 3))) == [Problem("minus", NO_WAY)]


def test_points_of_a_possible_finisher_prove_nothing() -> None:
    # All four cannot be: if seat 1 finished, the others remain with 160 + 160 + 138 = 458.
    assert found(line(160, 160, 160, 138, finisher=(1, 2))) == []
    assert places(line(160, 160, 160, 139, finisher=(1, 2))) == ["minus"]


def test_a_game_without_a_certain_finisher_is_plausible_either_way() -> None:
    rules = ruleset("contract")

    assert found(line(12, 30, 9, 22, finisher=(1, None)), rules) == []
    assert found(line(0, 30, 9, 22, finisher=(1, None)), rules) == []
    assert places(line(0, 30, 0, 22, finisher=(1, None)), rules) == ["minus[2]"]


clear_lines = st.builds(
    lambda finisher, minus, handromme: Game(
        finisher=finisher, minus=tuple(minus), handromme=handromme
    ),
    st.integers(1, 4),
    st.lists(st.integers(0, 200), min_size=4, max_size=4),
    st.booleans(),
)


@given(clear_lines, clear_lines)
def test_possible_line_stays_possible_with_another_possible_reading(
    first: Game, second: Game
) -> None:
    both = AmbiguousLine(
        finisher=(first.finisher, second.finisher),
        minus=tuple(zip(first.minus, second.minus, strict=True)),
        handromme=(first.handromme, second.handromme),
    )

    if not found(first.line) and not found(second.line):
        assert found(both) == []
