"""Every part of the tests must pass."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from scripts import run_tests


@pytest.mark.parametrize(("rules", "browser"), [(True, True), (True, False), (False, True)])
def test_all_parts_run_and_each_must_pass(
    rules: bool, browser: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[str] = []

    def part(name: str, passed: bool) -> tuple[str, Any]:
        def run(*_: Any) -> bool:
            ran.append(name)
            return passed

        return name, run

    monkeypatch.setitem(run_tests.PARTS, "rules", part("Regeln", rules))
    monkeypatch.setitem(run_tests.PARTS, "browser", part("Browser", browser))
    monkeypatch.setattr(sys, "argv", ["run_tests", "rules", "browser"])

    assert run_tests.main() == (0 if rules and browser else 1)
    assert ran == ["Regeln", "Browser"]


def test_a_part_that_does_not_exist_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["run_tests", "nichts"])

    assert run_tests.main() == 2
    assert "Unbekannt: nichts." in capsys.readouterr().out


def test_failures_are_repeated_at_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def browser(_more: Sequence[str], folder: Path) -> bool:
        (folder / run_tests.REPORT).write_text(
            '<testsuites><testsuite><testcase classname="tests.e2e.test_desk" name="test_paid" />'
            '<testcase classname="tests.e2e.test_desk" name="test_a_till">'
            '<failure message="E">desk.py:7: in paid\nE   Timeout: 30 s</failure>'
            "</testcase></testsuite></testsuites>",
            encoding="utf-8",
        )
        return False

    monkeypatch.setitem(run_tests.PARTS, "browser", ("Browser", browser))
    monkeypatch.setattr(sys, "argv", ["run_tests", "browser"])

    assert run_tests.main() == 1
    assert capsys.readouterr().out.endswith(
        "\nBrowser: tests.e2e.test_desk::test_a_till\n  desk.py:7: in paid\n  E   Timeout: 30 s\n"
        "\nTests: Browser gescheitert\n"
    )
