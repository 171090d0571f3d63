"""Write the last entry of every chain, signed, to be kept elsewhere (``docs/formats.md`` 5)."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_noop

from scoring.reading.strict_json import dump
from tournaments.journal.anchors import anchors
from tournaments.management.base import DatabaseCommand


class Command(DatabaseCommand):
    """Write the file to standard output."""

    help = gettext_noop(
        "Schreibt die letzten Prüfzahlen aller Protokolle, zum Aufheben an anderer Stelle."
    )

    def answer_from_database(self, **_options: Any) -> str:
        """Return the file."""
        return dump(anchors())
