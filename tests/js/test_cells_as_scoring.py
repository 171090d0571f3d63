"""The page of a paper list reads a row of cells as the scoring does, whatever is typed."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from scoring.ambiguity import AmbiguousLine
from scoring.plausibility import LineContext
from scoring.reading.cells import read_cell, read_row
from scoring.reading.interchange import lines_to_json
from scoring.ruleset import RuleSet
from scoring.rulesets import ruleset
from tests.js.node import ask_node

SEED = 2031
ORDNUNG = ruleset("rommeordnung")
SITS_OUT = replace(ORDNUNG, dealer_sits_out={3: 15, 4: 20})  # place 1 in the first game
NUMBER_OF_ROWS = 3000
# Valid readings, and invalid ones: too long, below zero, doubt at a number, nothing.
USUAL = ("0", "H", "5+", "5H", "+", "?", "23", "71", "112", "007", "0+", "h", " 4 0 ", "00")
ODD = ("", "x", "1234", "-5", "7?", "٣", "0H+", "1,5")


def some_rows() -> list[list[str]]:
    chance = random.Random(SEED)  # noqa: S311 - the same rows each time
    return [
        [some_cell(chance) for _seat in range(chance.choice((3, 4)))]
        for _row in range(NUMBER_OF_ROWS)
    ]


def some_cell(chance: random.Random) -> str:
    if chance.random() < 0.6:
        return str(chance.randint(1, 120))
    parts = ODD if chance.random() < 0.03 else USUAL
    return "/".join(chance.choice(parts) for _reading in range(chance.choice((1, 1, 2, 3))))


def as_scoring_reads(row: list[str], rule_set: RuleSet) -> list[Any]:
    line = read_row(row, LineContext(rule_set=rule_set, players=len(row), number=1))
    cells = [read_cell(text) for text in row]
    return [
        lines_to_json([line])[0] if isinstance(line, AmbiguousLine) else None,
        [cell is not None and cell.may_have_finished for cell in cells],
    ]


@pytest.mark.parametrize(("rule_set", "sits_out"), [(ORDNUNG, 0), (SITS_OUT, 1)])
def test_the_page_reads_rows_as_the_scoring_does(rule_set: RuleSet, sits_out: int):
    rows = some_rows()
    for row in rows[::2] if sits_out else []:
        row[0] = ("", "–", "- ")[len(row[1]) % 3]

    answer = ask_node("cells.js", {"rows": rows, "sitsOut": sits_out})

    for row, said in zip(rows, answer, strict=True):
        assert said == as_scoring_reads(row, rule_set), row
    # Chance has met both: rows that can be read, unclear ones among them, and others.
    lines = [line for line, _finished in answer]
    assert sum(line is None for line in lines) > NUMBER_OF_ROWS / 10
    assert sum(line is not None for line in lines) > NUMBER_OF_ROWS / 10
    assert any(line and isinstance(line["handromme"], list) for line in lines)
