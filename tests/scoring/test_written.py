"""Lists as far as they could be read."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.spielliste import Adjustment, Penalty
from scoring.unclear import Line
from scoring.written import Points, WrittenLine

WHOLE: dict[str, Any] = {"where": "p", "seat": 1, "points": 100, "reason": "§ 8.3"}


def test_points_that_could_be_read_are_returned():
    points = Points(**WHOLE)

    assert points.penalty() == Penalty(seat=1, points=100, reason="§ 8.3")
    assert points.adjustment() == Adjustment(seat=1, points=100, reason="§ 8.3")


@pytest.mark.parametrize("missing", ["seat", "points", "reason"])
def test_points_of_which_a_part_is_missing_are_not(missing):
    points = Points(**WHOLE | {missing: None})

    assert points.penalty() is None
    assert points.adjustment() is None


def test_a_line_keeps_everything_on_its_way_through_the_checks():
    line = Line(
        finisher=(1, None, 2),
        minus=((0, 17), (23,), (45, 45)),
        handromme=(True, False),
        adjustments=(Adjustment(seat=1, points=-50, reason="x"),),
    )

    written = WrittenLine.of(line, 3, "games[2]")

    assert written.is_whole
    assert written.line() == line
