"""Metadata of a wheel that pyproject.toml cannot hold: version, description, dependencies.

The dependencies have the versions that the tests ran with; a wheel can carry no hashes.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

ROOT = Path(__file__).resolve().parent.parent


def version(root: Path = ROOT) -> str:
    """Return the number of a release; of other commits one that comes before it and names them.

    Example: 0.2.0.dev1340+g1a2b3c4. Without Git, as in an image, it is always the number.
    """
    source = (root / "romme_site" / "__init__.py").read_text(encoding="utf-8")
    number: str = re.findall(r'^__version__ = "(.+)"', source, re.MULTILINE)[0]
    if not (root / ".git").exists() or not shutil.which("git"):
        return number
    commit = _git(root, "describe", "--always", "--dirty=.dirty", "--exclude=*")
    if commit[-6:] != ".dirty" and f"v{number}" in _git(root, "tag", "--points-at").split():
        return number
    return f"{number}.dev{_git(root, 'rev-list', '--count', 'HEAD')}+g{commit}"


def _git(root: Path, *arguments: str) -> str:
    return subprocess.check_output(["git", *arguments], cwd=root, text=True).strip()


def described(readme: str) -> str:
    """Return the read-me file without pictures and links that work only in a checkout.

    The project has no public address that pictures and links could name instead.
    """
    text = readme.partition("\n## More")[0]
    text = re.sub(r"^\| \| \|\n.*?\n\n.*?\n\n", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r" \*Deutsch: .*\*$", "", text, flags=re.MULTILINE)
    return re.sub(r"\[([^]]+)\]\((?!https:)[^)]+\)", r"\1", text)


class Pinned(MetadataHookInterface):
    """Called by hatchling, see pyproject.toml."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the description and the dependencies, each with its marker of systems."""
        root = Path(self.root)
        text = described((root / "README.md").read_text(encoding="utf-8"))
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        pins = (root / "requirements.txt").read_text(encoding="utf-8")
        metadata["dependencies"] = re.findall(r"^(\w.*) \\$", pins, re.MULTILINE)
