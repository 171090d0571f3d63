"""``manage.py plan_seating``: the seats of players in one or more Serien."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from scoring.management.base import FileCommand
from scoring.reading.interchange_seating import plan_to_json, read_seating


class Command(FileCommand):
    """Read players and earlier Serien and write a plan (``docs/formats.md`` 2)."""

    help = gettext_noop(
        "Plant die Plätze für eine oder mehrere Serien: JSON herein, Tische als JSON heraus."
    )
    most_bytes = 2**23  # thousands of players with a long history

    def compute(self, data: bytes) -> object:
        """Return the tables of each Serie and the metrics of the plan."""
        return plan_to_json(read_seating(data))
