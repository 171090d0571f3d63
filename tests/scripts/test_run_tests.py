"""The browser runs beside the others; its few failures get a second try alone, and only one."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
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


def test_what_runs_beside_is_shown_at_the_end_and_may_fail(capsys: pytest.CaptureFixture[str]):
    with run_tests._beside("nichts", ["-x"]) as passed:
        assert not passed()

    assert "Unbekannt: nichts." in capsys.readouterr().out


@pytest.mark.parametrize(("in_turn", "beside"), [(True, True), (True, False), (False, True)])
def test_the_browser_runs_beside_the_others(
    in_turn: bool, beside: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(run_tests.PARTS, "rules", ("Regeln", lambda *_: in_turn))
    monkeypatch.setattr(run_tests, "_beside", lambda *_: nullcontext(lambda: beside))
    monkeypatch.setattr(sys, "argv", ["run_tests", "rules", "browser"])

    assert run_tests.main() == (0 if in_turn and beside else 1)
