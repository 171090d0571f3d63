"""Back up all data of the program into one file, and restore it.

Both work while the program is running, on SQLite and on PostgreSQL. A backup of one database can
be restored into the other; see ``tournaments/backup/``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from romme_site.command import language
from romme_site.command.arguments import parser
from romme_site.command.django_setup import set_up_django
from romme_site.command.language import gettext as _
from romme_site.paths import command_to_type


def _save(path: str) -> None:
    from tournaments.backup.saving import save_now  # noqa: PLC0415
    from tournaments.backup.second_folder import is_other_disk  # noqa: PLC0415

    saved = save_now(where=Path(path) if path else None)
    print(_("Gesichert: {file}").format(file=saved))
    if path and not is_other_disk(saved.parent):
        print(_("Achtung: Das ist derselbe Datenträger, auf dem das Programm sichert."))


def _say_status(_given: str) -> None:
    from datetime import datetime  # noqa: PLC0415

    from django.utils import timezone  # noqa: PLC0415

    from tournaments.backup.database_copy import BackupError  # noqa: PLC0415
    from tournaments.backup.packing import folder  # noqa: PLC0415
    from tournaments.backup.status_file import problems, status  # noqa: PLC0415

    last = status()
    file = folder() / last.file
    if last.at and file.is_file():
        at = timezone.localtime(datetime.fromisoformat(last.at))
        sentence = _("Letzte Sicherung: {time}, vor {minutes} Minuten, {size} KB, {file}")
        age = (timezone.now() - at).total_seconds() // 60
        size = file.stat().st_size // 1024
        print(sentence.format(time=f"{at:%d.%m.%Y %H:%M}", minutes=int(age), size=size, file=file))
    if why := problems():
        raise BackupError("\n".join(why))


def _restore(path: str) -> None:
    from django.db import connection  # noqa: PLC0415

    from tournaments.backup.database_copy import BackupError  # noqa: PLC0415
    from tournaments.backup.restoring import restore  # noqa: PLC0415
    from tournaments.management.database import bring_up_to_date  # noqa: PLC0415

    if not path:
        sentence = _("Welche Sicherung? Bitte so: {command}")
        raise BackupError(
            sentence.format(command=command_to_type("restore", FROM=_("pfad/zur/datei")))
        )
    if connection.vendor != "sqlite":
        bring_up_to_date()  # creates the tables; SQLite takes them from the file
    before, breaks = restore(Path(path))
    if before:
        print(_("Der Stand bis eben liegt in {file}.").format(file=before))
    print(_("Zurückgeholt: {file}").format(file=path))
    for entry in breaks:
        print(_("Achtung, das Protokoll darin ist nicht ganz: {entry}").format(entry=entry))


def _run(act: Callable[[str], None], path: str) -> int:
    import sqlite3  # noqa: PLC0415

    from django.core.management import CommandError  # noqa: PLC0415
    from django.db import DatabaseError  # noqa: PLC0415

    from tournaments.common.errors import TournamentError, failure_of  # noqa: PLC0415

    refused = (TournamentError, CommandError, ImproperlyConfigured)
    failed = (DatabaseError, sqlite3.Error, OSError)

    try:
        set_up_django()
        language.activate()
        act(path)
    except (*refused, *failed) as problem:
        print(failure_of(problem) or problem, file=sys.stderr)
        return 1
    return 0


def save_main(words: Sequence[str]) -> int:
    """Make a backup in a folder, by default ``sicherungen`` in the data folder."""
    reading = parser("backup")
    reading.add_argument(
        "folder",
        nargs="?",
        default="",
        metavar=_("ORDNER"),
        help=_("wohin, etwa ein Stick; ohne Angabe zu den anderen Sicherungen"),
    )
    reading.add_argument(
        "--status",
        action="store_true",
        help=_("sagt nur, wann und wo die letzte war; endet mit 1, wenn Sicherungen scheitern"),
    )
    options = reading.parse_args(words)
    return _run(_say_status if options.status else _save, options.folder)


def restore_main(words: Sequence[str]) -> int:
    """Restore a backup file."""
    reading = parser("restore")
    reading.add_argument(
        "file", nargs="?", default="", metavar=_("DATEI"), help=_("eine Sicherung")
    )
    return _run(_restore, reading.parse_args(words).file)
