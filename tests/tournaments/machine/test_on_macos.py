"""Where libraries are looked for on macOS, as far as another system can play it."""

from __future__ import annotations

import os
import platform
import sys
from ctypes.macholib.dyld import dyld_find
from pathlib import Path

import pytest

from tournaments.machine import operating_system

if sys.platform == "win32":
    pytest.skip("paths of a Mac have no letter of a drive", allow_module_level=True)
VARIABLE = "DYLD_FALLBACK_LIBRARY_PATH"
find_pango = operating_system.find_pango.__wrapped__  # it is done once in a process


@pytest.fixture(autouse=True)
def macos(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setenv(VARIABLE, "")  # so that it is as before after the test
    monkeypatch.delenv(VARIABLE)


@pytest.mark.parametrize(
    ("processor", "first"), [("arm64", "/opt/homebrew/lib"), ("x86_64", "/usr/local/lib")]
)
def test_libraries_of_this_processor_come_first(
    monkeypatch: pytest.MonkeyPatch, processor: str, first: str
):
    monkeypatch.setattr(platform, "machine", lambda: processor)

    find_pango()

    folders = os.environ[VARIABLE].split(":")
    assert folders[0] == first
    assert folders[-3:] == ["/opt/local/lib", "/usr/local/lib", "/usr/lib"]


def test_configured_folders_stay_and_are_read_after_the_start(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    (tmp_path / "libpango-1.0.dylib").touch()
    with pytest.raises(ValueError, match="could not be found"):
        dyld_find("libpango-1.0.dylib")
    monkeypatch.setenv(VARIABLE, str(tmp_path))

    find_pango()

    assert dyld_find("libpango-1.0.dylib") == str(tmp_path / "libpango-1.0.dylib")
