"""Bring a database from a backup up to date and verify its journal; started by the program."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from scoring.management.base import SpokenCommand
from tournaments.common.errors import TournamentError
from tournaments.journal import anchors, proof
from tournaments.management.database import bring_up_to_date


class Command(SpokenCommand):
    """Writes JSON: the problems, and the ends of the chains; exits 1 if it cannot be read."""

    help = gettext_noop("Prüft eine gesicherte Datenbank; wird vom Programm selbst gestartet.")

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the migrations to end with."""
        parser.add_argument("last", nargs="*")

    def handle(self, *args: Any, **options: Any) -> None:
        """Check the database of ``DATABASE_URL``, and leave nothing beside its file."""
        breaks: list[str] = []
        try:
            if options["last"]:
                last = [tuple(migration.split(".", 1)) for migration in options["last"]]
                MigrationExecutor(connection).migrate(last)
            else:
                bring_up_to_date(is_a_copy=True)
                breaks = [
                    f"{broken.scope}: {broken.sentence}" for broken in proof.of_installation()
                ]
            ends = {} if options["last"] else anchors.anchors()
            self.stdout.write(json.dumps({"breaks": breaks, "anchors": ends}))
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA journal_mode=DELETE")
        except (DatabaseError, TournamentError) as problem:
            raise CommandError(_("Die Datenbank ist beschädigt: {}").format(problem)) from None
        finally:
            connection.close()
