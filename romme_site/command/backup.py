"""Saves everything the program keeps into one file, and brings it back.

Both work while the program is running, on SQLite and on PostgreSQL, and a file from the one is
brought back into the other: ``tournaments/backup/`` says how.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from romme_site.command.words import parser


def _save(given: str) -> None:
    from tournaments.backup.keeping import save_now  # noqa: PLC0415

    print(f"Gesichert: {save_now(where=Path(given) if given else None)}")


def _restore(given: str) -> None:
    from django.db import connection  # noqa: PLC0415

    from tournaments.backup.copying import BackupError  # noqa: PLC0415
    from tournaments.backup.packing import restore  # noqa: PLC0415
    from tournaments.management.database import bring_up_to_date  # noqa: PLC0415

    if not given:
        raise BackupError("Welche Sicherung? Bitte so: make restore FROM=pfad/zur/datei")
    if connection.vendor != "sqlite":
        bring_up_to_date()  # the tables have to be there; SQLite takes them from the file
    before, breaks = restore(Path(given))
    if before:
        print(f"Der Stand bis eben liegt in {before}.")
    print(f"Zurückgeholt: {given}")
    for entry in breaks:
        print(f"Achtung, das Protokoll darin ist nicht ganz: {entry}")


def _do(act: Callable[[str], None], given: str) -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "romme_site.settings")
    import django  # noqa: PLC0415
    from django.core.management import CommandError  # noqa: PLC0415
    from django.db import DatabaseError  # noqa: PLC0415

    from tournaments.common.errors import TournamentError  # noqa: PLC0415

    try:
        django.setup()
        act(given)
    except (TournamentError, CommandError, ImproperlyConfigured, DatabaseError, OSError) as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


def save_main(words: Sequence[str]) -> int:
    """Save into a folder, ``sicherungen`` of the data if none is given."""
    reading = parser("backup", "Sichert alles in eine Datei.")
    reading.add_argument("folder", nargs="?", default="", metavar="ORDNER")
    return _do(_save, reading.parse_args(words).folder)


def restore_main(words: Sequence[str]) -> int:
    """Bring back what a file holds."""
    reading = parser("restore", "Holt eine Sicherung zurück.")
    reading.add_argument("file", nargs="?", default="", metavar="DATEI")
    return _do(_restore, reading.parse_args(words).file)
