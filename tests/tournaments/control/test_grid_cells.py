"""What is typed into a cell of the paper grid, and what it says (§§ 2.2.6, 3.2)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import Problem
from scoring.interchange import line_from_json
from scoring.rulesets import ruleset
from scoring.spielliste import Adjustment
from tests.factories_lists import FOUR
from tournaments.control.forms.grid import adjustments_of, granted, read_row, write_row


@pytest.mark.parametrize(
    ("cells", "line"),
    [
        pytest.param(
            ["0", "23", "45", "12"],
            {"finisher": 1, "handromme": False, "minus": [0, 23, 45, 12]},
            id="a usual game",
        ),
        pytest.param(
            ["61", "88", "H", "40"],
            {"finisher": 3, "handromme": True, "minus": [61, 88, 0, 40]},
            id="Handrommé",
        ),
        pytest.param(
            ["61", "88", "0 h", "40"],
            {"finisher": 3, "handromme": True, "minus": [61, 88, 0, 40]},
            id="Handrommé in other words",
        ),
        pytest.param(
            ["12", "17/71", "0", "9"],
            {"finisher": 3, "handromme": False, "minus": [12, [17, 71], 0, 9]},
            id="§ 2.2.6 two readings",
        ),
        pytest.param(
            ["12", "0/30", "9", "0/22"],
            {"finisher": [2, 4], "handromme": False, "minus": [12, 30, 9, 22]},
            id="§ 2.2.6 two may have finished",
        ),
        pytest.param(
            ["12", "0/?", "9", "0/22"],
            {"finisher": [2, 4], "handromme": False, "minus": [12, 0, 9, 22]},
            id="and what one of them held does not stand there",
        ),
        pytest.param(
            ["12", "0/H", "9", "22"],
            {"finisher": 2, "handromme": [True, False], "minus": [12, 0, 9, 22]},
            id="§ 2.2.6 perhaps a Handrommé",
        ),
        pytest.param(
            ["12", "5+", "9", "22"],
            {"finisher": 2, "handromme": False, "minus": [12, 5, 9, 22]},
            id="finished with points left",
        ),
        pytest.param(
            ["12", "30", "9", "22"],
            {"finisher": None, "handromme": False, "minus": [12, 30, 9, 22]},
            id="nobody finished",
        ),
        pytest.param(
            ["12", "0/30", "9", "22"],
            {"finisher": [2, None], "handromme": False, "minus": [12, 30, 9, 22]},
            id="perhaps nobody finished",
        ),
    ],
)
def test_a_row_says_what_stands_on_the_paper(cells: list[str], line: dict[str, Any]):
    assert read_row(cells, 1) == line


@pytest.mark.parametrize(
    ("cells", "where", "sentence"),
    [
        pytest.param(["0", "", "3", "4"], "minus[1]", "Punkte von Platz 2 fehlen", id="empty"),
        pytest.param(["0", "x", "3", "4"], "minus[1]", "„x“ steht auf keiner Liste", id="letters"),
        pytest.param(["0", "17/17", "3", "4"], "minus[1]", "steht auf keiner", id="same twice"),
        pytest.param(["0", "17/", "3", "4"], "minus[1]", "steht auf keiner", id="nothing behind"),
        pytest.param(["0", "7?", "3", "4"], "minus[1]", "steht auf keiner", id="a mark of doubt"),
        pytest.param(["0", "-5", "3", "4"], "minus[1]", "steht auf keiner", id="below zero"),
        pytest.param(["0", "1234", "3", "4"], "minus[1]", "steht auf keiner", id="far too much"),
        pytest.param(["0", "23", "0", "4"], "minus[2]", "Beendet hat nur eine", id="two zeros"),
    ],
)
def test_what_stands_on_no_list_is_named_with_its_place(cells, where, sentence):
    (problem,) = read_row(cells, 3)

    assert isinstance(problem, Problem)
    assert problem.where == f"games[2].{where}"
    assert problem.message.startswith("Spiel 3: ")
    assert sentence in problem.message


@pytest.mark.parametrize("line", FOUR, ids=lambda line: str(line["minus"]))
def test_a_stored_line_comes_back_as_it_was(line):
    assert read_row(write_row(line), 1) == line


points = st.integers(1, 999)
unclear_points = st.lists(points, min_size=1, max_size=3, unique=True)


@st.composite
def lines(draw) -> dict[str, Any]:
    """Any line of a table of four that a grid can show, unclear entries among it."""
    finishers = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4, unique=True))
    minus: list[Any] = []
    for seat in range(1, 5):
        readings = [0] if finishers == [seat] else draw(unclear_points)
        minus.append(readings if len(readings) > 1 else readings[0])
    finishers.sort()
    handromme = draw(st.sampled_from([True, False, [True, False]]))
    return {
        "finisher": finishers if len(finishers) > 1 else finishers[0],
        "handromme": handromme,
        "minus": minus,
    }


@given(lines())
def test_every_reading_survives_being_shown_in_cells(line):
    assert line_from_json(read_row(write_row(line), 1)) == line_from_json(line)


def test_a_grant_is_ticked_and_everything_else_beside_the_hand_is_kept():
    rules = ruleset("liverpool")
    other = {"seat": 1, "points": 30, "reason": "Absprache"}
    data = {"finisher": 1, "handromme": False, "minus": [0, 5, 6, 7], "adjustments": [other]}
    assert granted(data, rules, 1, 4) == set()

    # Place 1 deals game 1, so place 4 sits at the dealer's right.
    found = adjustments_of(data, {0}, rules, 1, 4)

    assert found[0] == Adjustment(**other)
    assert (found[1].seat, found[1].points) == (4, -50)
    assert granted(read_row(["0", "5", "6", "7"], 1, found), rules, 1, 4) == {0}
    assert adjustments_of(None, set(), rules, 1, 4) == []
    assert granted(None, rules, 1, 4) == set()
