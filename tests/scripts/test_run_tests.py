"""Each part has to pass."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from scripts import run_tests


@pytest.mark.parametrize(("rules", "browser"), [(True, True), (True, False), (False, True)])
def test_all_parts_run_and_each_has_to_pass(
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
