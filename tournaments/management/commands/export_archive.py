"""Write a tournament as one file (``docs/formats.md`` 3)."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_noop

from tournaments.archive.writing import archive_text
from tournaments.management.base import TournamentCommand, find_tournament


class Command(TournamentCommand):
    """Write the file to standard output."""

    help = gettext_noop("Schreibt ein Turnier mit allem, was dazu aufbewahrt wird, als JSON.")

    def answer_from_database(self, **options: Any) -> str:
        """Return the file.

        Raises:
            ScoringError: if there is no such tournament.
        """
        return archive_text(find_tournament(options["slug"]))
