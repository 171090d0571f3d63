"""Keeps the database that the migrations make, for as long as they are the same.

They take longer than a hundred tests, and each process that runs tests needs a database of its own.
On SQLite each has a copy of a file; on PostgreSQL a copy of a database, which is made of a dump.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from django.conf import settings

from scripts.system import find_postgresql

SECONDS = 600


def copy_migrated(file: Path) -> None:
    """Put a database with all tables and no rows where the tests expect theirs."""
    folder = kept_for_these_migrations()
    kept = folder / "migrated.sqlite3"
    with in_line(folder):
        if not kept.exists():
            making = folder / "making.sqlite3"
            making.unlink(missing_ok=True)
            _migrate(f"sqlite:///{making}")
            making.rename(kept)
        shutil.copyfile(kept, file)


def _migrate(url: str) -> None:
    command = (sys.executable, settings.BASE_DIR / "manage.py", "migrate", "--verbosity=0")
    subprocess.run(command, env={**os.environ, "DATABASE_URL": url}, check=True)


def migrated_template() -> str | None:
    """Return the name of a database of this server that has all tables and no rows, to be copied.

    It is made of a dump. None where the programs of this server are not here to make that.
    """
    folder, programs = kept_for_these_migrations(), find_postgresql()
    name, making = f"test_template_{folder.name}", f"test_making_{folder.name}"
    address = os.environ["DATABASE_URL"]
    url = urlsplit(address)._replace(path=f"/{making}").geturl()
    with in_line(folder), psycopg.connect(address, autocommit=True) as server:
        version = str(server.info.server_version // 10_000)
        if programs is None or programs.parent.name != version:
            return None
        if server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
            return name
        dump, half = folder / f"migrated-{version}.sql", folder / "making.sql"
        server.execute(f"DROP DATABASE IF EXISTS {making}")
        server.execute(f"CREATE DATABASE {making}")
        if dump.exists():
            psql = (programs / "psql", "-qX", "-v", "ON_ERROR_STOP=1", "-f", dump, url)
            subprocess.run(psql, stdout=subprocess.DEVNULL, check=True)
        else:
            _migrate(url)
            subprocess.run((programs / "pg_dump", "-O", "-f", half, url), check=True)
            half.rename(dump)
        server.execute(f"ALTER DATABASE {making} RENAME TO {name}")
    return name


@contextmanager
def in_line(folder: Path) -> Iterator[None]:
    """Lock the cache folder, so that one process builds it for all."""
    with closing(sqlite3.connect(folder / "line.sqlite3", timeout=SECONDS)) as line:
        line.execute("BEGIN EXCLUSIVE")
        yield


def kept_for_these_migrations() -> Path:
    """Return the cache folder for the current migrations and Django version."""
    migrations = sorted((settings.BASE_DIR / "tournaments" / "migrations").glob("*.py"))
    said = hashlib.sha256()
    for file in (settings.BASE_DIR / "requirements-dev.txt", *migrations):
        said.update(file.name.encode() + b"\0" + file.read_bytes())
    folder = Path(sys.prefix) / "test-databases" / said.hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    return folder
