"""Copying the whole database into one SQLite file, and back.

Every backup is an SQLite file, whichever database the program runs on: one file that can be
checked by itself, opened with common tools, and migrated. SQLite is copied page by page,
PostgreSQL row by row from one snapshot; neither blocks other transactions.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from django.apps import apps
from django.apps.registry import Apps
from django.conf import settings
from django.core.management.color import no_style
from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.backends.sqlite3.base import DatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Model, QuerySet
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournaments.common.errors import BUSY, FULL, TournamentError, failure_of
from tournaments.journal.append_only import triggers_off
from tournaments.machine.hashes import SHORT, hash_of
from tournaments.models import StoredFile

COPY = "copy"  # name of the connection to the file
SECONDS = 30  # to wait for another transaction
BATCH = 500  # rows


class BackupError(TournamentError):
    """Nothing was saved or restored; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class CopyProof:
    """The result of checking a copy: the breaks of its journal, and the ends of all chains."""

    breaks: list[str]
    anchors: dict[str, Any]  # docs/formats.md 5


def database_bytes() -> int:
    """Return the size of the data to copy, in bytes.

    On PostgreSQL it excludes the 14 MB of an empty database and the stored prints.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        else:
            tables = [model._meta.db_table for model in _models(apps) if model is not StoredFile]
            cursor.execute(
                "SELECT sum(pg_table_size(oid)) FROM pg_class"
                " WHERE relnamespace = current_schema()::regnamespace AND relname = ANY(%s)",
                [tables],
            )
        return int(cursor.fetchone()[0])


def copy_out(target: Path) -> None:
    """Write the current state of the database into the new file *target*.

    It has the tables of the database, even if an update has not migrated them yet.

    Raises:
        BackupError: if there is no database yet.
    """
    if connection.vendor == "sqlite":
        check_database_exists()
        _copy_pages(Path(connection.settings_dict["NAME"]), target, is_new=True)
        return
    loader = MigrationLoader(connection)
    applied = _last_applied(loader)
    is_behind = applied != sorted(loader.graph.leaf_nodes())
    shutil.copyfile(_empty_database(applied if is_behind else ()), target)
    registry = loader.project_state(applied).apps if is_behind else apps
    with _connected(target), transaction.atomic(), transaction.atomic(using=COPY):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        for model in _models(registry):
            QuerySet(model, using=COPY).delete()
            _copy_rows(model, DEFAULT_DB_ALIAS, COPY)


def known_migrations(loader: MigrationLoader | None = None) -> set[str]:
    """Return the names of the tournaments' migrations that this version has or has replaced."""
    loader = loader or MigrationLoader(None)
    own = {name for app, name in loader.disk_migrations if app == "tournaments"}
    return own | replaced_migrations(loader)


def replaced_migrations(loader: MigrationLoader | None = None) -> set[str]:
    """Return the names of replaced migrations: every database has them."""
    disk = (loader or MigrationLoader(None)).disk_migrations
    replaced = {old for migration in disk.values() for old in migration.replaces}
    return {name for app, name in replaced if app == "tournaments"}


def _last_applied(loader: MigrationLoader) -> list[tuple[str, str]]:
    """Return the last migration of each app that the database has."""
    nodes = loader.graph.node_map
    applied = loader.applied_migrations.keys() & nodes.keys()
    followed = {
        key
        for key in applied
        for child in nodes[key].children
        if child.key[0] == key[0] and child.key in applied
    }
    return sorted(applied - followed)


def _empty_database(last: Sequence[tuple[str, str]] = ()) -> Path:
    """Return a file with all tables of the database and no rows; made once for each version.

    *last* are the migrations it ends with; none for all.
    """
    applied = sorted(MigrationRecorder(connection).applied_migrations())
    path = Path(settings.DATA_DIR) / f"leer-{hash_of(applied)[:SHORT]}.sqlite3"
    if not path.exists():
        unfinished = path.with_suffix(f".{os.getpid()}")
        prove(unfinished, last=last)
        unfinished.replace(path)
    return path


def check_database_exists() -> None:
    """Check that there is a database to save; opening it with SQLite would create an empty file.

    Raises:
        BackupError: if there is none.
    """
    path = Path(str(connection.settings_dict["NAME"]))
    if connection.vendor == "sqlite" and not path.exists():
        raise BackupError(_("Es gibt noch nichts zu sichern: {path} fehlt.").format(path=path))


def copy_in(source: Path) -> None:
    """Replace the whole content of the database with that of the file *source*.

    The file must have been checked and migrated by :func:`prove`.
    """
    if connection.vendor == "sqlite":
        connection.close()
        _copy_pages(source, Path(connection.settings_dict["NAME"]))
        return
    models = _models(apps)
    tables = [connection.ops.quote_name(model._meta.db_table) for model in models]
    # One transaction; the triggers that keep records append-only are off while it replaces them.
    with _connected(source), triggers_off(), connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE {', '.join(tables)}")
        for model in models:
            _copy_rows(model, COPY, DEFAULT_DB_ALIAS)
        for sql in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(sql)


def prove(file: Path, *, key: str = "", last: Sequence[tuple[str, str]] = ()) -> CopyProof:
    """Migrate the database in *file*, and compare its journal with its data.

    A file that does not exist is created, with all tables and no rows.

    Args:
        key: of the installation that wrote the file, in 64 digits; "" for this one.
        last: the migrations to end with, without comparing anything; none for all.

    Raises:
        BackupError: if the file is damaged, or no database of this program.
    """
    # In a subprocess, because this process is connected to another database.
    command = [*settings.PROGRAM, "prove_backup", *(".".join(migration) for migration in last)]
    environment = os.environ | {"DATABASE_URL": f"sqlite:///{file}", "ROMME_MODE": "laptop"}
    environment |= {"SECRET_KEY": settings.SECRET_KEY, "DATA_DIR": str(settings.DATA_DIR)}
    environment["LANGUAGE"] = get_language() or settings.LANGUAGE_CODE
    environment |= {"INSTALLATION_KEY": key or settings.INSTALLATION_KEY().hex()}
    answer = subprocess.run(  # noqa: S603 - our own command
        command, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )
    if answer.returncode:
        raise BackupError(answer.stderr.strip().removeprefix("CommandError: "))
    return CopyProof(**json.loads(answer.stdout))


def check_pages(file: Path) -> None:
    """Let SQLite check every page of *file*.

    Raises:
        BackupError: if it is damaged.
    """
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as reading:
            (result,) = reading.execute("PRAGMA integrity_check").fetchone()
    except sqlite3.Error as problem:
        failure = failure_of(problem)
        if failure in {FULL, BUSY}:
            raise BackupError(str(failure)) from None
        result = failure.title if failure else problem
    if result != "ok":
        raise BackupError(_("Die Datenbank ist beschädigt ({why}).").format(why=result))


def _copy_pages(source: Path, target: Path, *, is_new: bool = False) -> None:
    with (
        connection.wrap_database_errors,
        closing(sqlite3.connect(source, timeout=SECONDS)) as reading,
        closing(sqlite3.connect(target, timeout=SECONDS)) as writing,
    ):
        if is_new:  # an incomplete one is worthless, so nothing waits for the disk
            writing.execute("PRAGMA synchronous = OFF")
        reading.backup(writing)


def _models(registry: Apps) -> list[type[Model]]:
    models = registry.get_models(include_auto_created=True)
    return [model for model in models if model._meta.managed and not model._meta.proxy]


@contextmanager
def _connected(file: Path) -> Iterator[None]:
    """Open a second connection, to *file*, for the duration of the block."""
    databases = {COPY: {"ENGINE": "django.db.backends.sqlite3", "NAME": str(file)}}
    configured = connections.configure_settings({DEFAULT_DB_ALIAS: {}, **databases})[COPY]
    # For this thread only, and not among the connections that Django manages.
    connections[COPY] = DatabaseWrapper(configured, COPY)
    try:
        yield
    finally:
        connections[COPY].close()
        del connections[COPY]


def _copy_rows(model: type[Model], source: str, target: str) -> None:
    if model._meta.label == StoredFile._meta.label:  # can be generated again
        return
    rows: Iterator[Model] = QuerySet(model, using=source).order_by("pk").iterator(chunk_size=BATCH)
    copied: QuerySet[Any] = QuerySet(model, using=target)
    while batch := list(islice(rows, BATCH)):
        copied.bulk_create(batch)
