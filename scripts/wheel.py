"""Says what a wheel of the program depends on: what requirements.txt pins.

Whoever installs it gets the versions that the tests ran with; a wheel can carry no hashes.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class Pinned(MetadataHookInterface):
    """Called by hatchling, see pyproject.toml."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the dependencies, each with its marker of systems."""
        pins = (Path(self.root) / "requirements.txt").read_text(encoding="utf-8")
        metadata["dependencies"] = re.findall(r"^(\w.*) \\$", pins, re.MULTILINE)
