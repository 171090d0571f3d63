"""Saves everything the program keeps into one file, and brings it back.

    python -m romme_site.command.backup save [FOLDER]      default: data/sicherungen
    python -m romme_site.command.backup restore FILE

Both work while the program is running, on SQLite and on PostgreSQL, and a file from the one is
brought back into the other: ``tournaments/backup/`` says how.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def _do(what: str, given: str) -> None:
    import django  # noqa: PLC0415

    django.setup()
    from django.db import connection  # noqa: PLC0415

    from tournaments.backup.copying import BackupError  # noqa: PLC0415
    from tournaments.backup.keeping import save_now  # noqa: PLC0415
    from tournaments.backup.packing import restore  # noqa: PLC0415
    from tournaments.management.database import bring_up_to_date  # noqa: PLC0415

    if what == "save":
        print(f"Gesichert: {save_now(where=Path(given) if given else None)}")
        return
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


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "romme_site.settings")
    from django.core.management import CommandError  # noqa: PLC0415
    from django.db import DatabaseError  # noqa: PLC0415

    from tournaments.common.errors import TournamentError  # noqa: PLC0415

    try:
        _do(*[*sys.argv[1:], "", ""][:2])
    except (TournamentError, CommandError, ImproperlyConfigured, DatabaseError, OSError) as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
