"""Make backups beside the server until standard input ends; ``make run`` starts this by itself."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_noop

from scoring.management.base import SpokenCommand
from tournaments.backup.watch import watch
from tournaments.desk.online.services import offers


class Command(SpokenCommand):
    """Ends with the server that started it."""

    help = gettext_noop("Sichert von selbst; wird vom Programm selbst gestartet.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Watch."""
        watch([offers.move_up])
