"""The file that a Mac starts by a double click, from wherever its folder is."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
START = ROOT / "deploy" / "Romme-Turnier.command"


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Folders of commands, without uv."""
    commands = tmp_path / "commands"
    commands.mkdir()
    for name in ("sh", "dirname", "echo"):
        (commands / name).symlink_to(str(shutil.which(name)))
    return str(commands)


def started(path: str, home: Path) -> subprocess.CompletedProcess[str]:
    env = {"PATH": path, "HOME": str(home)}
    return subprocess.run([START], env=env, cwd=home, capture_output=True, text=True, check=False)


def test_it_starts_the_program_of_its_own_folder_with_the_pinned_packages(
    path: str, tmp_path: Path
):
    uv = tmp_path / ".local" / "bin" / "uv"
    uv.parent.mkdir(parents=True)
    uv.write_text('#!/bin/sh\necho "$PWD" "$@"\n')
    uv.chmod(0o755)

    done = started(path, tmp_path)

    assert done.returncode == 0
    assert done.stdout.startswith(f"{ROOT} run ")
    assert "--with-requirements requirements.txt" in done.stdout
    assert done.stdout.endswith("-m romme_site open\n")


def test_without_uv_it_says_what_to_type(path: str, tmp_path: Path):
    done = started(path, tmp_path)

    assert done.returncode == 1
    assert "brew install uv" in done.stdout
