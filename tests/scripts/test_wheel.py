"""The version of a wheel, and its description on a package index."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from packaging.version import Version

from scripts.wheel import ROOT, described, version


def git(folder: Path, *asked: str) -> str:
    told = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", *asked]
    return subprocess.check_output(told, cwd=folder, text=True).strip()


def commit(folder: Path, number: str) -> str:
    """Commit the source of a version and return the commit."""
    (folder / "romme_site").mkdir(exist_ok=True)
    (folder / "romme_site" / "__init__.py").write_text(f'__version__ = "{number}"\n')
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", number)
    return git(folder, "rev-parse", "--short", "HEAD")


def test_only_a_release_commit_has_the_release_number(tmp_path):
    git(tmp_path, "init", "--quiet")
    first = commit(tmp_path, "0.1.0")
    before = version(tmp_path)
    git(tmp_path, "tag", "v0.1.0")
    release = version(tmp_path)
    second = commit(tmp_path, "0.2.0")
    after = version(tmp_path)

    assert (before, release) == (f"0.1.0.dev1+g{first}", "0.1.0")
    assert after == f"0.2.0.dev2+g{second}"
    assert Version(before) < Version(release) < Version(after) < Version("0.2.0")

    git(tmp_path, "checkout", "--quiet", "v0.1.0")
    (tmp_path / "romme_site" / "__init__.py").write_text('__version__ = "0.1.0"\nX = 1\n')
    assert version(tmp_path) == f"0.1.0.dev1+g{first}.dirty"


def test_without_git_the_version_is_that_of_the_source(tmp_path, monkeypatch):
    (tmp_path / "romme_site").mkdir()
    (tmp_path / "romme_site" / "__init__.py").write_text('__version__ = "0.3.0"\n')

    assert version(tmp_path) == "0.3.0"

    (tmp_path / ".git").mkdir()
    monkeypatch.setenv("PATH", "")
    assert version(tmp_path) == "0.3.0"


def test_the_description_is_the_readme_without_pictures_or_local_links():
    text = described((ROOT / "README.md").read_text(encoding="utf-8"))

    assert text.startswith("# Rommé-Turnier\n")
    assert set(re.findall(r"\]\((\w+:)", text)) == {"https:"}
    assert len(re.findall(r"\]\(", text)) == len(re.findall(r"\]\(https:", text))
    assert not re.search(r"!\[|LIESMICH|pictures|\| \| \||\n\n\n", text)
    assert "## Two commands" in text
    assert "## On the command line" in text
