"""The selection of Python, and the message without a suitable one."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project without .venv, and a folder that is the whole PATH."""
    (tmp_path / "mein Turnier" / "scripts").mkdir(parents=True)
    shutil.copy(ROOT / "scripts" / "find-python.sh", tmp_path / "mein Turnier" / "scripts")
    (tmp_path / "bin").mkdir()
    for name in ("dirname", "uname"):
        program = shutil.which(name)
        assert program is not None
        (tmp_path / "bin" / name).symlink_to(program)
    return tmp_path


def make_python(path: Path, version: str) -> None:
    """Write a program that answers as a Python of that version does."""
    recent = int(version.split(".")[1]) >= 11
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "#!/bin/sh\n"
        f'[ "$1" = --version ] && {{ echo "Python {version}"; exit 0; }}\n'
        f"exit {0 if recent else 1}\n"
    )
    path.chmod(0o755)


def find(project: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/sh", str(project / "mein Turnier" / "scripts" / "find-python.sh")],
        env={"PATH": str(project / "bin"), "LC_ALL": os.environ.get("LC_ALL", "C")} | environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_python_that_is_too_old_is_refused_in_one_sentence(project):
    make_python(project / "bin" / "python3", "3.9.18")

    run = find(project)

    assert run.returncode == 1
    assert run.stdout == ""
    assert run.stderr.startswith(
        "Gebraucht wird Python 3.11 oder neuer, gefunden wurde nur Python 3.9.18; bitte „"
    )
    assert run.stderr.count("\n") == 1


def test_a_newer_python_beside_an_old_one_is_taken(project):
    make_python(project / "bin" / "python3", "3.9.18")
    make_python(project / "bin" / "python3.12", "3.12.1")

    assert find(project).stdout.strip() == str(project / "bin" / "python3.12")


def test_the_project_environment_comes_first_unless_it_is_broken(project):
    make_python(project / "bin" / "python3", "3.13.0")
    own = project / "mein Turnier" / ".venv" / "bin" / "python"
    make_python(own, "3.11.2")

    assert find(project).stdout.strip() == str(own)

    own.unlink()
    own.symlink_to(project / "gone")
    assert find(project).stdout.strip() == str(project / "bin" / "python3")


def test_a_named_python_is_preferred_to_the_system(project):
    make_python(project / "bin" / "python3", "3.13.0")
    make_python(project / "andere" / "python", "3.12.0")

    run = find(project, PYTHON=str(project / "andere" / "python"))

    assert run.stdout.strip() == str(project / "andere" / "python")


def test_the_message_names_the_command_without_any_python(project):
    run = find(project)

    assert run.returncode == 1
    assert run.stderr.startswith("Gebraucht wird Python 3.11 oder neuer; bitte „")
