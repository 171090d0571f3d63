"""What is packed for Windows; its commands can only be read here."""

from __future__ import annotations

import re
import tomllib
import zipfile
from pathlib import Path

import pytest

from scripts.windows import ROOT, START, pack

FOLDER = "romme-turnier-windows-0.2.0.dev3+g1a2b3c4"


@pytest.fixture
def packed(tmp_path: Path) -> zipfile.ZipFile:
    wheel = tmp_path / "romme_turnier-0.2.0.dev3+g1a2b3c4-py3-none-any.whl"
    wheel.write_bytes(b"the program")
    uv = tmp_path / "uv-0.13.8-py3-none-win_amd64.whl"
    with zipfile.ZipFile(uv, "w") as brought:
        brought.writestr("uv/__init__.py", "")
        brought.writestr("uv-0.13.8.data/scripts/uv.exe", "uv")
        brought.writestr("uv-0.13.8.data/scripts/uvx.exe", "uvx")
        brought.writestr("uv-0.13.8.dist-info/licenses/LICENSE-MIT", "MIT")
    return zipfile.ZipFile(pack(wheel, uv, tmp_path))


def test_one_folder_has_the_file_to_click_the_program_and_uv(packed: zipfile.ZipFile):
    assert Path(packed.filename).name == f"{FOLDER}.zip"
    assert {name: packed.read(f"{FOLDER}/{name}") for name in ("uv.exe", "uv-LICENSE.txt")} == {
        "uv.exe": b"uv",
        "uv-LICENSE.txt": b"MIT",
    }
    wheel = "romme_turnier-0.2.0.dev3+g1a2b3c4-py3-none-any.whl"
    assert packed.read(f"{FOLDER}/{wheel}") == b"the program"
    assert len(packed.namelist()) == 4


def test_lines_end_as_windows_needs_them_to_find_its_labels(packed: zipfile.ZipFile):
    start = packed.read(f"{FOLDER}/{START.name}")

    assert start.count(b"\r\n") == start.count(b"\n") > 20


def test_every_label_and_variable_is_there_and_what_it_starts_is_installed():
    text = START.read_text(encoding="ascii")
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert set(re.findall(r"goto (\w+)", text)) == set(re.findall(r"^:(\w+)$", text, re.MULTILINE))
    used = set(re.findall(r"%([A-Z_]+)%", text)) - {"LOCALAPPDATA"}
    assert used <= set(re.findall(r'set "([A-Z_]+)=', text))
    assert re.findall(r"([\w-]+)\.exe\"\n", text) == [*scripts["gui-scripts"]]
