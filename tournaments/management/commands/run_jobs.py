"""Do the waiting jobs of one kind; the program starts this by itself."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext_noop

from scoring.management.base import SpokenCommand
from tournaments.machine import jobs


class Command(SpokenCommand):
    """Takes a kind of jobs."""

    help = gettext_noop("Erledigt die wartenden Aufträge; wird vom Programm selbst gestartet.")

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the kind."""
        parser.add_argument("kind")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the waiting jobs of this kind one after the other."""
        jobs.run_queue(options["kind"])
