"""Data of earlier versions are updated, restored and imported, with the same ranking.

``scripts/version_data.py`` makes the folder of a version. Two folders are named after a day before
versions were counted; of the older one only the archive is readable, because its migrations were
replaced.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import sqlite3
import subprocess
import sys
import tarfile
from contextlib import closing
from pathlib import Path

import pytest

from romme_site import __version__
from scripts.version_data import SLUG
from tests.server import ROOT, Server

VERSIONS = sorted(folder for folder in Path(__file__).parent.iterdir() if folder.is_dir())
ARCHIVES = [folder for folder in VERSIONS if (folder / "archive.json.gz").exists()]
BACKUPS = [folder for folder in VERSIONS if (folder / "backup.tar.gz").exists()]
MIGRATED = "SELECT name FROM django_migrations WHERE app = 'tournaments'"
NO_OTHER = {"DATABASE_URL": "", "SECRET_KEY": "", "INSTALLATION_KEY": "", "DEMO": "0"}

pytestmark = pytest.mark.once


def run(data: Path, *words: str | Path) -> str:
    environment = os.environ | NO_OTHER | {"DATA_DIR": str(data)}
    command = [sys.executable, "-m", "romme_site", *map(str, words)]
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stdout.decode() + ran.stderr.decode()
    return ran.stdout.decode()


def assert_as_it_was(data: Path, version: Path) -> None:
    then = json.loads((version / "standings.json").read_text(encoding="utf-8"))

    assert json.loads(run(data, "standings", SLUG)) == then
    assert "vollständig" in run(data, "verify-journal")


def test_each_released_version_has_stored_data():
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.findall(r"^## (\d+\.\d+\.\d+), \d{4}-", changes, re.M)

    assert {folder.name for folder in BACKUPS} == {*released, "2026-11-28"}
    assert {folder.name for folder in ARCHIVES} == {*released, "2026-11-23", "2026-11-28"}


@pytest.mark.parametrize("version", BACKUPS, ids=lambda folder: folder.name)
def test_a_backup_of_an_earlier_version_is_restored(version: Path, tmp_path: Path):
    run(tmp_path, "restore", version / "backup.tar.gz")

    assert_as_it_was(tmp_path, version)


@pytest.mark.parametrize("version", BACKUPS, ids=lambda folder: folder.name)
def test_data_of_an_earlier_version_are_saved_and_updated_at_the_start(
    version: Path, tmp_path: Path
):
    with tarfile.open(version / "backup.tar.gz") as backup:
        backup.extractall(tmp_path, filter="data")
    file = (tmp_path / "datenbank.sqlite3").rename(tmp_path / "romme.sqlite3")
    with closing(sqlite3.connect(file)) as stored:
        applied = {name for (name,) in stored.execute(MIGRATED)}
    migrations = {path.stem for path in (ROOT / "tournaments" / "migrations").glob("0*.py")}
    is_older = not migrations <= applied

    with Server(tmp_path, database="", SECRET_KEY="", INSTALLATION_KEY=""):
        pass

    saved = list((tmp_path / "sicherungen").glob(f"*-vor-Version-{__version__}.tar.gz"))
    assert len(saved) == is_older
    assert_as_it_was(tmp_path, version)


@pytest.mark.parametrize("version", ARCHIVES, ids=lambda folder: folder.name)
def test_an_archive_of_an_earlier_version_is_imported(version: Path, tmp_path: Path):
    archive = tmp_path / "archive.json"
    archive.write_bytes(gzip.decompress((version / "archive.json.gz").read_bytes()))

    run(tmp_path, "import-archive", archive)

    assert_as_it_was(tmp_path, version)
