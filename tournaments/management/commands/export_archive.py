"""Write a tournament as one file (``docs/formats.md`` 3)."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from scoring.errors import Problem, ScoringError
from scoring.management.base import JsonCommand
from scoring.texts import _
from tournaments.archive.writing import archive_text
from tournaments.management.database import bring_up_to_date
from tournaments.models import Tournament


class Command(JsonCommand):
    """Write the file to standard output."""

    help = "Schreibt ein Turnier mit allem, was dazu aufbewahrt wird, als JSON."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the tournament's short name."""
        parser.add_argument("slug", metavar="KURZNAME", help="Kurzname des Turniers")

    def answer(self, **options: Any) -> str:
        """Return the file."""
        bring_up_to_date()
        slug = options["slug"]
        tournament = Tournament.objects.filter(slug=slug).first()
        if tournament is None:
            raise ScoringError(
                [Problem("slug", _("Ein Turnier „{slug}“ gibt es nicht.").format(slug=slug))]
            )
        return archive_text(tournament)
