"""The table at the end of docs/rules.md: every paragraph, where it is, which test holds it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scoring.rulesets import offered_rulesets, ruleset
from tournaments.rulebook.queries import rules_of_play

ROOT = Path(__file__).resolve().parent.parent
# The paragraphs of the Romméordnung, counted from the order itself.
ORDER = """
    1.1 1.2 1.3 1.4 1.5
    2.1.1 2.1.2 2.1.3 2.2.1 2.2.2 2.2.3 2.2.4 2.2.5 2.2.6 2.3.1 2.3.2 2.3.3 2.3.4 2.3.5
    3.1 3.2 3.2.1 3.2.2
    4.1 4.2 4.3 4.3.1 4.3.2 4.4 4.4.1 4.4.2 4.4.3
    5.1 5.2 5.3 5.4 5.5 5.6 5.7 5.8 5.9 5.10 5.11
    6 6.1 6.2 6.3 6.4 6.5 6.6 6.7 6.8 6.9 6.10 6.11
    7.1 7.2 7.3
    8.1 8.2 8.3
    III.1 III.2 III.3 III.4 III.5 III.6 III.7
"""


def rows() -> list[list[str]]:
    table = (ROOT / "docs/rules.md").read_text(encoding="utf-8").split("\n## 14. ")[1]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.splitlines()]
    return [row for row in cells if len(row) == 4 and not set(row[0]) <= set("-| ")]


ROWS = [row for row in rows() if row[0] not in {"§", "Regelwerk"}]


def test_every_paragraph_and_every_rule_set_has_its_row():
    named = [paragraph for row in ROWS for paragraph in row[0].replace("`", "").split(" · ")]

    assert [paragraph for paragraph in named if paragraph[0] in "12345678I"] == ORDER.split()
    assert list(
        dict.fromkeys(paragraph for paragraph in named if paragraph not in ORDER.split())
    ) == [rule_set.id for rule_set in offered_rulesets()]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]} {row[1]}")
def test_files_and_tests_of_a_row_exist(row: list[str]):
    files = re.findall(r"`([^`]+)`", row[2])
    tests = re.findall(r"`([^`:]+)::([^`]+)`", row[3])

    assert files
    assert tests
    assert [name for name in files if not (ROOT / name).is_file()] == []
    for file, test in tests:
        assert f"\ndef {test}(" in (ROOT / file).read_text(encoding="utf-8"), test


def test_paragraphs_to_be_read_only_have_a_text():
    chapters = rules_of_play.chapters(ruleset("rommeordnung"))
    readable = {paragraph.number for chapter in chapters for paragraph in chapter.paragraphs}
    told = [row[0] for row in ROWS if "/texts/" in row[2] and not row[0].startswith("`")]

    assert {number for numbers in told for number in numbers.split(" · ")} <= readable
