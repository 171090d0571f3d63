"""``manage.py score_list``: the results of a single Spielliste."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from scoring.management.base import FileCommand
from scoring.reading.interchange import read_list, result_to_json


class Command(FileCommand):
    """Read a Spielliste and write the points of every seat (``docs/formats.md`` 1)."""

    help = gettext_noop(
        "Rechnet eine Spielliste aus: JSON herein, Punkte je Platz als JSON heraus."
    )

    def compute(self, data: bytes) -> object:
        """Return seats, completeness and warnings of the list."""
        return result_to_json(read_list(data))
