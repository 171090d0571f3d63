"""The command line: ``romme-turnier`` starts the program, with a word it does something else."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from romme_site.command import backup, healthcheck, management, serving, standby
from tournaments.common.machine import speak_utf8

OWN: dict[str, Callable[[Sequence[str]], int]] = {
    "run": serving.main,
    "backup": backup.save_main,
    "restore": backup.restore_main,
    "standby": standby.follow_main,
    "takeover": standby.take_over_main,
    "healthcheck": healthcheck.main,
}


def main() -> int:
    """Do what is asked for on the command line; return the exit code."""
    speak_utf8()
    words = sys.argv[1:]
    if not words or words[0].startswith("-"):
        return serving.main(words)
    if own := OWN.get(words[0]):
        return own(words[1:])
    return management.run(words)
