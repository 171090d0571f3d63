"""The entry point of the program: ``romme-turnier``, in a checkout ``python -m romme_site``."""

from __future__ import annotations

import sys
from pathlib import Path

if not __package__:  # called by its path, as the program does itself
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from romme_site.command.cli import main

if __name__ == "__main__":
    sys.exit(main())
