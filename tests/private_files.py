"""Whether files are readable by their owner only, as far as the system has such modes."""

from __future__ import annotations

import sys
from pathlib import Path


def is_private(path: Path) -> bool:
    """Whether nobody else reads *path*.

    Windows has no modes: there, the folder of the account says who does, and no test does.
    """
    return sys.platform == "win32" or path.stat().st_mode & 0o077 == 0
