"""Messages of ``make run`` about missing system libraries for printing."""

from __future__ import annotations

import dataclasses
import sys
from functools import partial
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from scripts import environment, system


def refuse(name: str) -> None:
    raise OSError(f"{name}: incompatible architecture")


@pytest.fixture
def macos(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Return the module as on macOS, with a brew that records its installations."""
    brew = tmp_path / "brew"
    brew.write_text(f'#!/bin/sh\necho "$@" >>{tmp_path / "asked"}\n', encoding="utf-8")
    brew.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "darwin")
    spec = spec_from_file_location("system_on_macos", system.__file__)
    module: ModuleType = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)  # its dataclass looks there
    spec.loader.exec_module(module)
    return module


def test_pango_is_available_if_it_loads_not_if_a_file_exists(macos: Any):
    asked: list[str] = []

    def find(name: str) -> str | None:
        return None if name == "harfbuzz-subset" else f"/opt/local/lib/lib{name}.dylib"

    assert macos.has_pango(find=find, load=asked.append)
    assert asked == [
        "/opt/local/lib/libpango-1.0.dylib",
        "/opt/local/lib/libpangoft2-1.0.dylib",
        "harfbuzz-subset",
    ]
    assert not macos.has_pango(find=find, load=refuse)


def test_linux_loads_it_by_its_names_there():
    asked: list[str] = []

    assert system.has_pango(load=asked.append)
    assert asked == ["libpango-1.0.so.0", "libpangoft2-1.0.so.0", "libharfbuzz-subset.so.0"]
    assert not system.has_pango(load=refuse)


def test_a_message_names_the_remedy_if_brew_fails(
    macos: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(environment, "system", macos)
    pango = dataclasses.replace(macos.PANGO, is_there=partial(macos.has_pango, load=refuse))

    environment.try_printing(pango)

    assert (tmp_path / "asked").read_text(encoding="utf-8") == "install pango\n"
    assert capsys.readouterr().err == (
        "Drucken ist noch nicht möglich: Es fehlt: die Bibliothek Pango für alles Gedruckte; bitte "
        "„brew install pango“ eingeben und den Befehl wiederholen; hilft das nicht, ist dieses "
        "Python für einen anderen Prozessor: den Ordner .venv löschen und "
        "„make run PYTHON=$(brew --prefix)/bin/python3“ eingeben.\n"
    )


def test_no_message_is_printed_if_pango_loads(capsys: pytest.CaptureFixture[str]):
    environment.try_printing(dataclasses.replace(system.PANGO, is_there=lambda: True))

    assert capsys.readouterr() == ("", "")
