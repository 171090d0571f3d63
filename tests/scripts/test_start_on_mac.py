"""The file that a Mac starts by a double click, from wherever its folder is."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

START = Path(__file__).resolve().parents[2] / "deploy" / "Romme-Turnier.command"
# It says by which words it was called.
PYTHON = '#!/bin/sh\n[ "$1" = -c ] || echo "$PWD" "$@"\n'
UV = f"""#!/bin/sh
echo uv "$@"
mkdir -p .venv/bin
cat >.venv/bin/python <<'END'
{PYTHON}END
chmod +x .venv/bin/python
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the project, and a folder with all commands except uv."""
    for name in ("sh", "dirname", "echo", "cat", "chmod", "mkdir"):
        path = tmp_path / "commands" / name
        path.parent.mkdir(exist_ok=True)
        path.symlink_to(str(shutil.which(name)))
    folder = tmp_path / "mein Turnier"
    (folder / "deploy").mkdir(parents=True)
    shutil.copy(START, folder / "deploy")
    return folder


def put(path: Path, program: str) -> None:
    path.parent.mkdir(parents=True)
    path.write_text(program)
    path.chmod(0o755)


def click(folder: Path) -> subprocess.CompletedProcess[str]:
    home = folder.parent
    return subprocess.run(
        [folder / "deploy" / START.name],
        env={"PATH": str(home / "commands"), "HOME": str(home)},
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_first_start_installs_python_by_uv_and_opens_the_page(folder: Path):
    put(folder.parent / ".local" / "bin" / "uv", UV)

    assert click(folder).stdout.splitlines() == [
        "uv venv --quiet --clear --seed --python 3.13 .venv",
        f"{folder} -m scripts.environment run",
        f"{folder} -X utf8 -m romme_site open",
    ]


def test_a_later_start_downloads_nothing(folder: Path):
    put(folder / ".venv" / "bin" / "python", PYTHON)

    assert click(folder).stdout.splitlines() == [
        f"{folder} -m scripts.environment run",
        f"{folder} -X utf8 -m romme_site open",
    ]


def test_a_failed_preparation_starts_nothing(folder: Path):
    put(folder / ".venv" / "bin" / "python", PYTHON + '[ "$1" = -c ]\n')

    done = click(folder)

    assert done.returncode == 1
    assert done.stdout == f"{folder} -m scripts.environment run\n"


def test_the_message_names_the_command_without_uv(folder: Path):
    done = click(folder)

    assert done.returncode == 1
    assert "brew install uv" in done.stdout
