"""Make backups beside the server until standard input ends; ``make run`` starts this by itself."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from tournaments.backup.watch import watch


class Command(BaseCommand):
    """Ends with the server that started it."""

    requires_system_checks = ()  # they would load every page
    help = "Sichert von selbst; wird vom Programm selbst gestartet."

    def handle(self, *args: Any, **options: Any) -> None:
        """Watch."""
        watch()
