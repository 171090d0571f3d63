"""A list as rows and cells, whatever shows it (§§ 2.2.6, 3.2)."""

from __future__ import annotations

import pytest

from scoring.ambiguity import AmbiguousLine
from scoring.list_rows import PlayedRow, played_rows
from scoring.rulesets import ruleset
from scoring.spielliste import Adjustment

ROMMEORDNUNG = ruleset("rommeordnung")


def rows(*lines: AmbiguousLine, rule_set: str = "rommeordnung") -> tuple[PlayedRow, ...]:
    return played_rows(lines, ruleset(rule_set), len(lines[0].minus))


@pytest.mark.parametrize(
    ("players", "ends"),
    [
        pytest.param(4, [4, 8, 12], id="four"),
        pytest.param(3, [3, 6, 9, 12], id="three"),
        pytest.param(5, [5, 10], id="after the last game of five nobody has dealt three times"),
    ],
)
def test_a_round_ends_after_each_seat_has_dealt(players: int, ends: list[int]):
    assert [game for game in range(1, 13) if ROMMEORDNUNG.ends_round(game, players)] == ends
    line = AmbiguousLine(finisher=(1,), minus=((0,), *(((20,),) * (players - 1))))
    assert [row.number for row in rows(*[line] * 12) if row.ends_round] == ends


def test_an_unclear_entry_lists_its_readings_and_counts_the_worst():
    (row,) = rows(
        AmbiguousLine(
            finisher=(2, 4), minus=((17, 71), (30,), (9,), (22,)), handromme=(True, False)
        )
    )

    assert [cell.readings for cell in row.cells] == ["17/71", "0/H/30", "", "0/H/22"]
    assert [cell.points for cell in row.cells] == ["17/71", "0/H/30", "9", "0/H/22"]
    assert [cell.running for cell in row.cells] == [71, 30, 9, 22]
    assert row.unclear.startswith("wer beendet hat (Platz 2 oder Platz 4)")
    assert row.cells[0].reasons == ("Gelesen werden kann 17 oder 71; es zählt 71 (§ 2.2.6).",)


def test_an_unclear_handromme_is_unclear_at_the_finisher_only():
    (row,) = rows(AmbiguousLine(finisher=(1,), minus=((0,), (5,), (6,)), handromme=(True, False)))

    assert [cell.readings for cell in row.cells] == ["0/H", "", ""]


def test_points_added_by_rules_count_but_are_not_on_paper():
    # Hausregel: a Handrommé of another player doubles the hand.
    (row,) = rows(
        AmbiguousLine(finisher=(1,), minus=((0,), (20,), (35,)), handromme=(True,)),
        rule_set="hausregel",
    )

    assert [cell.points for cell in row.cells] == ["0", "40", "70"]
    assert [cell.written for cell in row.cells] == ["0", "20", "35"]
    assert [cell.running for cell in row.cells] == [0, 40, 70]
    assert row.unclear == ""


def test_granted_points_are_not_in_the_running_sum():
    granted = (Adjustment(seat=2, points=-50, reason="genau abgehoben"),)
    first, second = rows(
        AmbiguousLine(finisher=(1,), minus=((0,), (20,), (35,)), adjustments=granted),
        AmbiguousLine(finisher=(2,), minus=((11,), (0,), (5,))),
    )

    assert [cell.running for cell in first.cells] == [0, 20, 35]
    assert [cell.running for cell in second.cells] == [11, 20, 40]
    assert first.cells[1].count.adjustment == -50


def test_the_games_of_one_person_are_marked():
    line = AmbiguousLine(finisher=(1,), minus=((0,), (20,), (35,)))

    marked = played_rows([line, line], ROMMEORDNUNG, 3, own={(1, 2), (2, 3)})

    assert [[cell.is_own for cell in row.cells] for row in marked] == [
        [False, True, False],
        [False, False, True],
    ]
