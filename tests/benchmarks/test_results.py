"""The table that the benchmarks write, from rows made up here; nothing is measured."""

from datetime import date
from pathlib import Path

import pytest

from benchmarks import __main__ as runner
from benchmarks.results import Row, document, written

ROOT = Path(__file__).resolve().parents[2]

GAME = {"name": "game entered", "unit": "/s", "beside": "smallest view", "wanted": 0.35}
PAGE = {"name": "page asks", "unit": "ms", "wanted": 2, "wanted_of": "value"}


def test_each_name_has_one_line_with_both_databases():
    table = [
        ("SQLite", Row(**GAME, value=42, ratio=0.05, is_floor=True)),
        ("SQLite", Row(**PAGE, value=1.25)),
        ("PostgreSQL", Row(**GAME, value=1042.4, ratio=0.351, is_floor=True)),
    ]

    assert [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines(table)] == [
        ["what", "wanted", "SQLite", "ratio", "PostgreSQL", "ratio", "ratio to"],
        ["game entered", "≥ 0.35", "42/s", "**0.05**", "1,042/s", "0.35", "smallest view"],
        ["page asks", "≤ 2 ms", "1.25 ms", "–", "–", "–", "–"],
    ]


@pytest.mark.parametrize(
    ("row", "misses"),
    [
        (Row(**GAME, value=1, ratio=0.35, is_floor=True), False),
        (Row(**GAME, value=1, ratio=0.34, is_floor=True), True),
        (Row(**GAME, value=1, ratio=0.35), False),
        (Row(**GAME, value=1, ratio=0.36), True),
        (Row(**GAME, value=1), False),
        (Row(**PAGE, value=2, ratio=3), False),
        (Row(**PAGE, value=2.1, ratio=1), True),
        (Row(name="memory", value=900, unit="MB"), False),
    ],
)
def test_a_target_is_a_floor_or_a_ceiling_of_ratio_or_value(row, misses):
    assert row.misses is misses


def test_a_missed_value_is_bold_but_its_ratio_is_not():
    (_head, line) = lines([("SQLite", Row(**PAGE, value=10.5, ratio=0.4))])

    assert "| **10.5 ms** | 0.40  |" in line


def test_the_document_names_date_and_machine_and_contains_the_table():
    row = Row(name="memory", value=900, unit="MB")

    said = document([("SQLite", row)], on=date(2026, 8, 1), size="2 cores, 4 GB, Python 3.11")

    assert "2026-08-01: 2 cores, 4 GB, Python 3.11" in said
    assert said.endswith(written([("SQLite", row)]))


def test_every_script_is_run():
    scripts = {file.stem for file in (ROOT / "benchmarks").glob("*.py") if has_rows(file)}

    assert scripts == set(runner.BENCHMARKS)


def has_rows(file):
    return "\ndef rows(" in file.read_text(encoding="utf-8")


def lines(table):
    head, _rule, *others = written(table).splitlines()
    return [head, *others]
