"""Keeps the database that the migrations make, for as long as they are the same.

They take longer than a hundred tests, and each process that runs tests needs a database of its own.
On SQLite each has a copy; on PostgreSQL each carries them out.
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

from django.conf import settings

SECONDS = 600


def copy_migrated(file: Path) -> None:
    """Put a database with all tables and no rows where the tests expect theirs."""
    folder = kept_for_these_migrations()
    kept = folder / "migrated.sqlite3"
    with in_line(folder):
        if not kept.exists():
            making = folder / "making.sqlite3"
            making.unlink(missing_ok=True)
            environment = {**os.environ, "DATABASE_URL": f"sqlite:///{making}"}
            command = (sys.executable, settings.BASE_DIR / "manage.py", "migrate", "--verbosity=0")
            subprocess.run(command, env=environment, check=True)
            making.rename(kept)
        shutil.copyfile(kept, file)


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
