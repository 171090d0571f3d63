"""Do the waiting jobs of all hosts that share a PostgreSQL, until the process is ended."""

from __future__ import annotations

import logging
from threading import Event
from typing import Any

from django.core.management.base import CommandError
from django.db import DatabaseError, connection, connections
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from scoring.management.base import SpokenCommand
from tournaments.machine import jobs

SECONDS = 1.0

logger = logging.getLogger(__name__)


class Command(SpokenCommand):
    """One job at a time; more of these processes do more at once."""

    help = gettext_noop("Erledigt Drucke und andere lange Arbeit für alle Rechner an PostgreSQL.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Look for jobs every second."""
        if connection.vendor == "sqlite":
            raise CommandError(
                _("Das geht nur mit PostgreSQL; sonst erledigt das Programm selbst, was wartet.")
            )
        ended = Event()
        while not ended.wait(SECONDS):
            try:
                jobs.run_all()
            except DatabaseError:
                logger.exception("The database does not answer")
                connections.close_all()
