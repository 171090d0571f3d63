"""The command line: ``romme-turnier`` starts the program; a word selects another command."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from romme_site.command import (
    arguments,
    backup,
    healthcheck,
    launcher,
    management,
    serving,
    standby,
)
from romme_site.paths import VERSION
from tournaments.machine.operating_system import use_utf8

COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {
    "run": serving.main,
    "open": launcher.main,
    "backup": backup.save_main,
    "restore": backup.restore_main,
    "standby": standby.follow_main,
    "takeover": standby.take_over_main,
    "healthcheck": healthcheck.main,
}


def main() -> int:
    """Run the command of the command line; return the exit code."""
    use_utf8()
    given = sys.argv[1:]
    first = given[0] if given else ""
    arguments.translate_argparse()
    if first in {"-h", "--help", "help"} and len(given) == 1:
        print(arguments.overview())
        return 0
    if first == "--version":
        print(f"Rommé-Turnier {VERSION}")
        return 0
    if not first or first.startswith("-"):
        return serving.main(given)
    if own := COMMANDS.get(first):
        return own(given[1:])
    return management.run(given)
