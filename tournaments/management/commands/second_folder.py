"""Set the folder that every backup is copied to."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext as _

from scoring.management.base import SpokenCommand
from tournaments.backup import services as backup
from tournaments.backup import status_file
from tournaments.backup.database_copy import BackupError
from tournaments.common.actors import Actor


class Command(SpokenCommand):
    """For the operator at the machine; a server has no page for it."""

    help = gettext_noop("Legt den Ordner fest, in den jede Sicherung kopiert wird.")

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the folder."""
        parser.add_argument(
            "folder",
            nargs="?",
            default=None,
            metavar=gettext("ORDNER"),
            help=gettext("etwa ein Stick; „“ für keinen, ohne Angabe wird der jetzige genannt"),
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Set the folder, or say which one it is."""
        folder = options["folder"]
        if folder is not None:
            actor = Actor.command("second_folder")
            try:
                backup.set_second_folder(folder, actor=actor)
            except BackupError as refusal:
                raise CommandError(str(refusal)) from None
        second = status_file.status().second
        self.stdout.write(_("Zweiter Ordner: {folder}").format(folder=second or "–"))
