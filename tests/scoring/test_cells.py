"""Typed cells of a line and their meaning (§§ 2.2.6, 3.2)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.ambiguity import AmbiguousLine, count_line, explain, unclear_entries
from scoring.checks import check_list
from scoring.plausibility import LineContext
from scoring.reading.cells import read_row, write_row
from scoring.reading.interchange import line_from_json
from scoring.rulesets import ruleset

ORDNUNG = ruleset("rommeordnung")
FIRST, THIRD = (LineContext(rule_set=ORDNUNG, players=4, number=number) for number in (1, 3))


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
def test_a_row_is_read_as_written_on_paper(cells: list[str], line: dict[str, Any]):
    assert read_row(cells, FIRST) == line_from_json(line)


@pytest.mark.parametrize(
    ("cells", "where", "sentence"),
    [
        pytest.param(["0", "", "3", "4"], "minus[1]", "Punkte von Platz 2 fehlen", id="empty"),
        pytest.param(["0", "x", "3", "4"], "minus[1]", "„x“ steht auf keiner Liste", id="letters"),
        pytest.param(["0", "17/17", "3", "4"], "minus[1]", "steht auf keiner", id="same twice"),
        pytest.param(["0", "17/", "3", "4"], "minus[1]", "steht auf keiner", id="nothing behind"),
        pytest.param(["0", "7?", "3", "4"], "minus[1]", "steht auf keiner", id="a mark of doubt"),
        pytest.param(["0", "17/?", "3", "4"], "minus[1]", "? allein", id="partly unreadable"),
        pytest.param(["0", "-5", "3", "4"], "minus[1]", "steht auf keiner", id="below zero"),
        pytest.param(["0", "1234", "3", "4"], "minus[1]", "steht auf keiner", id="far too much"),
        pytest.param(["0", "23", "0", "4"], "minus[2]", "Beendet hat nur eine", id="two zeros"),
    ],
)
def test_an_unreadable_cell_is_named_with_its_place(cells, where, sentence):
    row = read_row(cells, THIRD)

    assert isinstance(row, list)
    (problem,) = row
    assert problem.where == f"games[2].{where}"
    assert problem.message.startswith("Spiel 3: ")
    assert sentence in problem.message


points = st.integers(0, 999)
unclear_points = st.lists(points, min_size=1, max_size=3, unique=True).map(tuple)


@st.composite
def lines(draw) -> AmbiguousLine:
    """Any line of a table of four, unclear entries and hands that cannot be among it."""
    finisher = tuple(sorted(draw(st.sets(st.integers(1, 4), max_size=4)))) or (None,)
    if len(finisher) == 1 and finisher != (None,) and draw(st.booleans()):
        finisher = (*finisher, None)
    handromme = draw(st.sampled_from([(True,), (False,), (True, False)]))
    return AmbiguousLine(
        finisher=finisher,
        minus=tuple(draw(unclear_points) for _seat in range(4)),
        # Without a finisher no seat has a cell for the mark.
        handromme=(False,) if finisher == (None,) else handromme,
    )


@given(lines())
def test_every_reading_survives_being_shown_in_cells(line: AmbiguousLine):
    assert read_row(write_row(line, FIRST), FIRST) == line


def test_cells_equal_to_the_list_keep_the_stored_line():
    # A possible finisher, or none, is the same for all seats.
    stored = AmbiguousLine(finisher=(4, 2, None), minus=((12,), (30,), (9,), (22,)))
    cells = ["12", "0/30", "9", "0/22"]

    assert read_row(cells, FIRST, stored) == stored
    assert read_row([*cells[:3], "0/23"], FIRST, stored) == AmbiguousLine(
        finisher=(2, 4), minus=((12,), (30,), (9,), (23,))
    )


@pytest.mark.parametrize(
    ("cells", "readings"),
    [
        pytest.param(["0", "?", "45", "12"], (2, 197), id="§ 2.2.6 one card to 13"),
        pytest.param(["H", "?", "88", "40"], (31, 197), id="§ 6.2 thirteen cards"),
        pytest.param(["0/H", "?", "88", "40"], (2, 197), id="§ 2.2.6 perhaps a Handrommé"),
    ],
)
def test_an_illegible_hand_counts_its_highest_possible_value(cells, readings):
    line = read_row(cells, FIRST)

    assert isinstance(line, AmbiguousLine)
    assert line.minus[1] == readings
    assert count_line(line, ORDNUNG)[1].minus == 197
    assert write_row(line, FIRST) == cells
    assert explain(line, ORDNUNG, FIRST.unreadable(line))[1].reasons == (
        "Nicht zu lesen; es zählt das Höchste, was diese Hand sein kann: 197 (§ 2.2.6).",
    )
    assert "Punkte von Platz 2 („?“ kann bis 197 sein)" in unclear_entries(line, readings)


def test_two_illegible_hands_both_count_the_highest_value():
    # Two hands together are at most 328, but each counts by itself (§ 2.2.6).
    line = read_row(["0", "?", "?", "190"], FIRST)

    assert isinstance(line, AmbiguousLine)
    findings = check_list([line], rule_set=ORDNUNG, seats=4)
    assert findings.problems == []
    said = [warning.message for warning in findings.warnings]
    assert "Platz 2 („?“ kann bis 197 sein), Punkte von Platz 3 („?“ kann bis 197 sein)" in said[0]
    # The 190 is doubted; an illegible hand is not called unusual.
    assert [warning.where for warning in findings.warnings] == ["games[0]", "games[0].minus[3]"]
