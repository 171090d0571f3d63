"""Whether the files of the program are still those with which the server was started.

An update under a running server would let the processes of its jobs run other code than it has,
which ends in nothing that anybody could read. So the jobs of such a server are refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tournaments.common.errors import ReplacedProgramError
from tournaments.machine.hashes import hash_of

ROOT = Path(__file__).parents[2]
PACKAGES = ("romme_site", "scoring", "tournaments")


@dataclass(slots=True)
class Server:
    """What a server remembers of its files."""

    files: str = ""  # empty in a process that is no server


SERVER = Server()


def remember_files() -> None:
    """Remember the files of the program; called once when a server starts."""
    SERVER.files = files()


def files() -> str:
    """Return a hash of the names, sizes and times of all modules."""
    modules = (path for name in PACKAGES for path in Path(ROOT, name).rglob("*.py"))
    states = ((str(path.relative_to(ROOT)), path.stat()) for path in modules)
    return hash_of(sorted([name, state.st_size, state.st_mtime_ns] for name, state in states))


def check_files_unchanged() -> None:
    """Check that the program was not updated since the server was started.

    Raises:
        ReplacedProgramError: if it was.
    """
    if SERVER.files and SERVER.files != files():
        raise ReplacedProgramError
