"""The tests' own PostgreSQL server is removed completely."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 30


@pytest.fixture
def started():
    """Start a command that has a server of its own; return it and the server's folder."""
    says_its_url = "import os; print(os.environ['DATABASE_URL'], flush=True); input()"
    command = [sys.executable, "-m", "scripts.throwaway_postgres"]
    with subprocess.Popen(
        [*command, sys.executable, "-c", says_its_url],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        url = process.stdout.readline().strip()
        folder = Path(parse_qs(urlsplit(url).query)["host"][0])
        assert (folder / "data" / "postmaster.pid").exists()
        yield process, folder
        process.kill()


def wait_until_gone(folder: Path) -> bool:
    deadline = time.monotonic() + SECONDS
    while folder.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    return not folder.exists()


def test_server_and_folder_are_removed_when_the_command_ends(started):
    process, folder = started

    process.communicate("\n", timeout=SECONDS)

    assert process.returncode == 0
    assert not folder.exists()


def test_server_and_folder_are_removed_when_the_parent_is_killed(started):
    process, folder = started
    server = int((folder / "data" / "postmaster.pid").read_text().splitlines()[0])

    process.kill()

    assert wait_until_gone(folder)
    assert not Path(f"/proc/{server}").exists()
