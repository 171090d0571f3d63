"""Do the work of one job, or of many; the program starts this by itself."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext_noop

from scoring.management.base import SpokenCommand
from tournaments.machine import jobs


class Command(SpokenCommand):
    """Takes the key of a job, or without one those that standard input has, until it ends."""

    help = gettext_noop("Erledigt einen Auftrag; wird vom Programm selbst gestartet.")

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the job."""
        parser.add_argument("job", type=int, nargs="?")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it."""
        if options["job"] is None:
            jobs.stay(sys.stdin)
        else:
            jobs.run(options["job"])
