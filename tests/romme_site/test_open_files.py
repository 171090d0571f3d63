"""The limit of open files, which each connection counts towards; Windows has none."""

from __future__ import annotations

import pytest

from romme_site.command import open_files

resource = pytest.importorskip("resource", reason="Windows has no such limit")
FEW, MANY = 256, 100_000


@pytest.mark.parametrize(
    ("soft", "hard", "set_to"),
    [
        pytest.param(FEW, resource.RLIM_INFINITY, open_files.OPEN_FILES, id="macOS"),
        pytest.param(FEW, MANY, open_files.OPEN_FILES, id="may have more"),
        pytest.param(FEW, 4096, 4096, id="may have less, but enough"),
        pytest.param(MANY, MANY, None, id="has more"),
        pytest.param(resource.RLIM_INFINITY, resource.RLIM_INFINITY, None, id="has no limit"),
    ],
)
def test_open_files_are_raised_and_never_lowered(
    soft: int, hard: int, set_to: int | None, monkeypatch, capsys
):
    given = []
    monkeypatch.setattr(resource, "getrlimit", lambda _which: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _which, limits: given.append(limits))

    files = open_files.raise_open_files()

    assert given == ([] if set_to is None else [(set_to, hard)])
    assert files >= open_files.ENOUGH_FILES
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("hard", [FEW, MANY])
def test_too_few_open_files_are_reported_with_a_remedy(hard: int, monkeypatch, capsys):
    def refuse(_which: int, _limits: tuple[int, int]) -> None:
        raise ValueError("not allowed to raise maximum limit")

    monkeypatch.setattr(resource, "getrlimit", lambda _which: (FEW, hard))
    monkeypatch.setattr(resource, "setrlimit", refuse)

    assert open_files.raise_open_files() == FEW

    said = capsys.readouterr().out
    assert "nur 256 offene Dateien und Verbindungen" in said
    assert "ulimit -n 8192" in said
