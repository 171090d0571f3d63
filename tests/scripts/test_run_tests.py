"""Each part has to pass; the few failures of the browser get a second try alone, and only one."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from scripts import run_tests

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


@pytest.mark.parametrize(
    ("failed", "second", "runs", "passed"),
    [
        ([], True, 1, True),
        (["a"], True, 2, True),
        (["a"], False, 2, False),
        (["a", "b", "c", "d", "e", "f"], True, 1, False),
    ],
    ids=["nothing fails", "passes alone", "fails alone too", "too many fail"],
)
def test_few_failed_pages_are_tried_once_more(
    failed: list[str],
    second: bool,
    runs: int,
    passed: bool,
    *,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked: list[Sequence[str]] = []

    def fake_pytest(tests: Sequence[str], more: Sequence[str], **_: Any) -> bool:
        asked.append(tests)
        if len(asked) > 1:
            return second
        kept = tmp_path / "cache" / "v" / "cache"
        kept.mkdir(parents=True)
        (kept / "lastfailed").write_text(json.dumps(dict.fromkeys(failed, True)))
        return not failed

    monkeypatch.setattr(run_tests, "_pytest", fake_pytest)

    assert run_tests._browser([], tmp_path) is passed
    assert len(asked) == runs
    assert ("Erst beim zweiten Mal" in capsys.readouterr().out) is (passed and runs > 1)


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
