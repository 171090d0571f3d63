"""The table that the benchmarks write, from fictional rows; nothing is measured."""

from datetime import date
from pathlib import Path

import pytest

from benchmarks import __main__ as runner
from benchmarks.results import HEAD, Row, document, table, waits

ROOT = Path(__file__).resolve().parents[2]

BEFORE = """# Benchmarks

| what            | wanted | SQLite | ratio | PostgreSQL | ratio | ratio to |
| --------------- | ------ | ------ | ----- | ---------- | ----- | -------- |
| game entered ¹  | ≥ 0.35 | 40/s   | 0.30  | –          | –     | view     |
| four threads †  | –      | 99/s   | –     | –          | –     | –        |

¹ Under load.

† Once, by hand.
  In another year.
"""


def game(value: float, ratio: float | None = None, **bounds) -> Row:
    """A row of games."""
    return Row("game entered", value, "/s", ratio, "smallest view", **bounds)


def test_each_name_has_one_line_with_both_databases():
    results = [
        ("SQLite", game(42, 0.05, least_ratio=0.35)),
        ("SQLite", Row("page asks", 1.25, "ms", most=2)),
        ("PostgreSQL", game(1042.4, 0.351, least_ratio=0.35)),
    ]

    assert cells_of(table(results)) == [
        list(HEAD),
        ["game entered", "≥ 0.35", "42/s", "**0.05**", "1,042/s", "0.35", "smallest view"],
        ["page asks", "≤ 2 ms", "1.25 ms", "–", "–", "–", "–"],
    ]


@pytest.mark.parametrize(
    ("row", "misses"),
    [
        (game(1, 0.35, least_ratio=0.35), (False, False)),
        (game(1, 0.34, least_ratio=0.35), (False, True)),
        (game(1, 0.35, most_ratio=0.35), (False, False)),
        (game(1, 0.36, most_ratio=0.35), (False, True)),
        (game(1, most_ratio=0.35), (False, False)),
        (Row("page asks", 2, "ms", 3, most=2), (False, False)),
        (Row("page asks", 2.1, "ms", 1, most=2), (True, False)),
        (Row("memory", 900, "MB"), (False, False)),
    ],
)
def test_a_bound_is_of_the_value_or_of_the_ratio(row, misses):
    assert (row.value_misses, row.ratio_misses) == misses


def test_a_missed_value_is_bold_but_its_ratio_is_not():
    assert Row("page asks", 10.5, "ms", 0.4, most=2).cells() == ("**10.5 ms**", "0.40")


def test_few_waits_have_no_median():
    assert [row.name for row in waits("printed", [1, 2])] == ["printed, longest"]
    assert [row.value for row in waits("entered", range(1, 41))] == [21, 39, 40]


def test_the_document_keeps_rows_by_hand_and_their_footnote():
    document_now = document(
        BEFORE, [("SQLite", game(42))], on=date(2026, 8, 1), size="2 cores, Python 3.11"
    )

    assert "2026-08-01 (2 cores, Python 3.11)" in document_now
    assert [row[0] for row in cells_of(document_now)] == ["what", "game entered", "four threads †"]
    assert document_now.endswith("|\n\n† Once, by hand.\n  In another year.\n")


def test_the_written_document_is_as_it_would_be_written():
    written = (ROOT / "docs/benchmarks.md").read_text(encoding="utf-8")
    by_hand = [row for row in cells_of(written) if "†" in row[0]]

    again = document(written, [], on=date(2026, 8, 1), size="2 cores")

    assert cells_of(again) == [list(HEAD), *by_hand]
    assert (
        again.partition("\n|")[0].splitlines()[3:] == written.partition("\n|")[0].splitlines()[3:]
    )


def test_every_script_is_run():
    scripts = {file.stem for file in (ROOT / "benchmarks").glob("*.py") if has_rows(file)}

    assert scripts == {name.partition(".")[0] for name in runner.BENCHMARKS}


def has_rows(file):
    return "\ndef rows(" in file.read_text(encoding="utf-8")


def cells_of(markdown):
    """The cells of a table, without the rule below its head."""
    rows = [line for line in markdown.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows if "---" not in row]
