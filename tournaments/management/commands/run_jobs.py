"""Do the work of one job; the program starts this by itself."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext_noop

from scoring.management.base import SpokenCommand
from tournaments.machine import jobs


class Command(SpokenCommand):
    """Takes the key of a job."""

    help = gettext_noop("Erledigt einen Auftrag; wird vom Programm selbst gestartet.")

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the job."""
        parser.add_argument("job", type=int)

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it."""
        jobs.run(options["job"])
