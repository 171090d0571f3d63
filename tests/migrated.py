"""Lets the workers of a run migrate one database between them; all others copy it.

The migrations take longer than a hundred tests, and each worker needs a database of its own.
"""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection

SECONDS = 600


def migrate_once(folder: Path) -> None:
    """Replace how this worker gets its database; all workers of the run give the same folder."""
    creation: Any = connection.creation
    make = creation.create_test_db
    made = folder / "migrated"

    def make_or_copy(**options: Any) -> str:
        # Whoever opens this file first has it for itself until it has made the database.
        with closing(sqlite3.connect(folder / "line.sqlite3", timeout=SECONDS)) as line:
            line.execute("BEGIN EXCLUSIVE")
            if made.exists():
                return _copy(made.read_text())
            name: str = make(**options)
            connection.close()  # what SQLite still keeps beside its file is put into it
            creation.clone_test_db("migrated", verbosity=0)
            made.write_text(str(creation.get_test_db_clone_settings("migrated")["NAME"]))
            return name

    creation.create_test_db = make_or_copy


def _copy(original: str) -> str:
    creation: Any = connection.creation
    name: str = creation._get_test_db_name()
    connection.settings_dict["TEST"]["TEMPLATE"] = original
    creation._create_test_db(verbosity=0, autoclobber=True)
    if connection.vendor == "sqlite":
        shutil.copyfile(original, name)
    connection.close()
    settings.DATABASES[connection.alias]["NAME"] = connection.settings_dict["NAME"] = name
    return name
