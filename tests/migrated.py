"""Carries out the migrations once, and copies the database they make.

They take longer than a hundred tests, and each process that runs tests needs a database of its own.
On SQLite the database stays in the environment (``.venv``) for as long as the migrations are the
same; on PostgreSQL one worker of a run makes it for the others.
"""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection

SECONDS = 600


def migrate_once(folder: Path) -> None:
    """Replace how this process gets its database; all that share it give the same folder."""
    creation: Any = connection.creation
    make = creation.create_test_db
    made = folder / "migrated"

    def make_or_copy(**options: Any) -> str:
        with in_line(folder):
            if made.exists():
                return _copy(made.read_text(), folder)
            name: str = make(**options)
            connection.close()  # what SQLite still keeps beside its file is put into it
            made.write_text(_keep(name, folder))
            return name

    creation.create_test_db = make_or_copy


@contextmanager
def in_line(folder: Path) -> Iterator[None]:
    """Have what is kept in the folder to oneself, so that one process makes it for all."""
    with closing(sqlite3.connect(folder / "line.sqlite3", timeout=SECONDS)) as line:
        line.execute("BEGIN EXCLUSIVE")
        yield


def kept_for_these_migrations() -> Path:
    """Return the folder that keeps what the migrations of today make with Django of today."""
    migrations = sorted((settings.BASE_DIR / "tournaments" / "migrations").glob("*.py"))
    said = hashlib.sha256()
    for file in (settings.BASE_DIR / "requirements-dev.txt", *migrations):
        said.update(file.name.encode() + b"\0" + file.read_bytes())
    folder = Path(sys.prefix) / "test-databases" / said.hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _keep(name: str, folder: Path) -> str:
    if connection.vendor == "sqlite":
        return shutil.copyfile(name, folder / "migrated.sqlite3").name
    creation: Any = connection.creation
    creation.clone_test_db("migrated", verbosity=0)
    return str(creation.get_test_db_clone_settings("migrated")["NAME"])


def _copy(original: str, folder: Path) -> str:
    creation: Any = connection.creation
    name: str = creation._get_test_db_name()
    connection.settings_dict["TEST"]["TEMPLATE"] = original
    creation._create_test_db(verbosity=0, autoclobber=True)
    if connection.vendor == "sqlite":
        shutil.copyfile(folder / original, name)
    connection.close()
    settings.DATABASES[connection.alias]["NAME"] = connection.settings_dict["NAME"] = name
    return name
