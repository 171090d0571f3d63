"""The whole database as one SQLite file, and such a file as the whole database.

SQLite is what every backup is made of, whichever database the program runs on: it is one file
that can be checked by itself, opened by anybody, and brought up to date by the migrations. Out of
SQLite it comes page by page, out of PostgreSQL row by row from one moment; nobody waits for it.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.management.color import no_style
from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.backends.sqlite3.base import DatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Model, QuerySet
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournaments.common.errors import TournamentError
from tournaments.journal.append_only import triggers_off
from tournaments.machine.hashes import SHORT, hash_of
from tournaments.models import StoredFile

COPY = "copy"  # name of the connection to the file
SECONDS = 30  # that a transaction of somebody else is waited for
AT_A_TIME = 500  # rows


class BackupError(TournamentError):
    """Nothing was saved or brought back; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What came of reading a copy: where its journal does not hold, and the ends of all chains."""

    breaks: list[str]
    anchors: dict[str, Any]  # docs/formats.md 5


def copy_out(target: Path) -> None:
    """Write the database as it is this moment into the new file *target*.

    Raises:
        BackupError: if there is no database yet, or it has to be brought up to date first.
    """
    if connection.vendor == "sqlite":
        demand_database()
        _copy_pages(Path(connection.settings_dict["NAME"]), target)
        return
    shutil.copyfile(_empty(), target)
    with _connected(target), transaction.atomic(), transaction.atomic(using=COPY):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        for model in _models():
            QuerySet(model, using=COPY).delete()
            _copy_rows(model, DEFAULT_DB_ALIAS, COPY)


def _empty() -> Path:
    """Return a file with all tables of the database and no row; made once for each version."""
    applied = sorted(MigrationRecorder(connection).applied_migrations())
    path = Path(settings.DATA_DIR) / f"leer-{hash_of(applied)[:SHORT]}.sqlite3"
    if not path.exists():
        unfinished = path.with_suffix(f".{os.getpid()}")
        prove(unfinished)
        unfinished.replace(path)
    return path


def demand_database() -> None:
    """See to it that there is something to save; asking SQLite would make an empty file.

    Raises:
        BackupError: if there is not.
    """
    path = Path(str(connection.settings_dict["NAME"]))
    if connection.vendor == "sqlite" and not path.exists():
        raise BackupError(_("Es gibt noch nichts zu sichern: {path} fehlt.").format(path=path))


def copy_in(source: Path) -> None:
    """Put what the file *source* holds in the place of everything in the database.

    The file has to be as :func:`prove` left it.
    """
    if connection.vendor == "sqlite":
        connection.close()
        _copy_pages(source, Path(connection.settings_dict["NAME"]))
        return
    models = _models()
    tables = [connection.ops.quote_name(model._meta.db_table) for model in models]
    # One transaction; what refuses changes to records lets the whole record take another's place.
    with _connected(source), triggers_off(), connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE {', '.join(tables)}")
        for model in models:
            _copy_rows(model, COPY, DEFAULT_DB_ALIAS)
        for sql in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(sql)


def prove(file: Path, *, key: str = "") -> Proof:
    """Bring the database in *file* up to date, and hold its journal and data against each other.

    A file that is not there is made, with all tables and no row.

    Args:
        file: with the database.
        key: of the installation that it comes from, in 64 digits; "" for this one's.

    Raises:
        BackupError: if the file is damaged, or none that the program can use.
    """
    # A process of its own: the program's connection is to another database.
    command = [*settings.PROGRAM, "prove_backup"]
    environment = os.environ | {"DATABASE_URL": f"sqlite:///{file}", "ROMME_MODE": "laptop"}
    environment |= {"SECRET_KEY": settings.SECRET_KEY, "DATA_DIR": str(settings.DATA_DIR)}
    environment["LANGUAGE"] = get_language() or settings.LANGUAGE_CODE
    environment |= {"INSTALLATION_KEY": key or settings.INSTALLATION_KEY().hex()}
    answer = subprocess.run(  # noqa: S603 - our own command
        command, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )
    if answer.returncode:
        raise BackupError(answer.stderr.strip().removeprefix("CommandError: "))
    return Proof(**json.loads(answer.stdout))


def check_pages(file: Path) -> None:
    """Have SQLite read every page of *file*.

    Raises:
        BackupError: if it is damaged.
    """
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as reading:
            (found,) = reading.execute("PRAGMA integrity_check").fetchone()
    except sqlite3.Error as problem:
        found = str(problem)
    if found != "ok":
        raise BackupError(_("Die Datenbank ist beschädigt ({why}).").format(why=found))


def _copy_pages(source: Path, target: Path) -> None:
    with (
        connection.wrap_database_errors,
        closing(sqlite3.connect(source, timeout=SECONDS)) as reading,
        closing(sqlite3.connect(target, timeout=SECONDS)) as writing,
    ):
        reading.backup(writing)


def _models() -> list[type[Model]]:
    found = apps.get_models(include_auto_created=True)
    return [model for model in found if model._meta.managed and not model._meta.proxy]


@contextmanager
def _connected(file: Path) -> Iterator[None]:
    """Have a second connection, to *file*, for as long as the block lasts."""
    given = {COPY: {"ENGINE": "django.db.backends.sqlite3", "NAME": str(file)}}
    configured = connections.configure_settings({DEFAULT_DB_ALIAS: {}, **given})[COPY]
    # Of this thread alone, and in no list of connections that are looked after.
    connections[COPY] = DatabaseWrapper(configured, COPY)
    try:
        yield
    finally:
        connections[COPY].close()
        del connections[COPY]


def _copy_rows(model: type[Model], source: str, target: str) -> None:
    if model is StoredFile:  # megabytes that can be made again
        return
    rows: Iterator[Model] = (
        QuerySet(model, using=source).order_by("pk").iterator(chunk_size=AT_A_TIME)
    )
    copied: QuerySet[Any] = QuerySet(model, using=target)
    while batch := list(islice(rows, AT_A_TIME)):
        copied.bulk_create(batch)
