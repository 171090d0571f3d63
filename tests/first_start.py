"""The files of a server's first start, kept for the next starts."""

# ruff: noqa: SLF001 - asks what is private in a module of ours

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from django.db import connection
from django.test import override_settings

from romme_site.command.static_collection import static_fingerprint
from tests.migrated_database import in_line, kept_for_these_migrations
from tests.server import ROOT
from tournaments.backup import database_copy


def make_ready(data: Path) -> Path:
    """Fill a data folder with the slow results of a first start, and return it.

    These are the static files and the empty database that backups of PostgreSQL start with. They
    are cached and rebuilt on changes. ``test_wheel.py`` has a real first start.
    """
    folder = kept_for_these_migrations()
    kept = folder / "server"
    with in_line(folder):
        state = kept / "static.state"
        if not state.exists() or state.read_text(encoding="ascii") != static_fingerprint():
            shutil.rmtree(kept, ignore_errors=True)
            kept.mkdir()
            command = (sys.executable, "-m", "romme_site", "run", "--collect-only")
            environment = {**os.environ, "DATA_DIR": str(kept)}
            subprocess.run(command, cwd=ROOT, env=environment, check=True)
        shutil.copytree(kept, data, dirs_exist_ok=True)
    lay_in_empty(data)
    return data


def lay_in_empty(data: Path) -> None:
    """Put into a data folder the empty database that backups of PostgreSQL begin with.

    It is kept too. ``backup/test_copies.py`` has it made from nothing.
    """
    if connection.vendor == "postgresql":
        folder = kept_for_these_migrations()
        with in_line(folder), override_settings(DATA_DIR=folder):
            shutil.copy(database_copy._empty_database(), data)
