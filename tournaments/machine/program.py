"""Whether the files of the program are those with which the server was started.

After an update under a running server, the processes of its jobs would run other code than the
server. So the jobs of such a server are refused.
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
    """The state of the files at the start of a server."""

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
