"""A data folder of one's own, and a database that is really written to."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.factories import make_registration, make_tournament
from tests.tournaments.backup.helpers import happens
from tournaments.backup import packing
from tournaments.backup.copying import Proof
from tournaments.models import Tournament


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the empty database is that backups of PostgreSQL begin with.

    To make it takes as long as many tests: all workers of a run share the one made first.
    """
    run = tmp_path_factory.getbasetemp()
    folder = (run.parent if "PYTEST_XDIST_WORKER" in os.environ else run) / "leer"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture
def data(tmp_path: Path, settings, shelf: Path) -> Iterator[Path]:
    """Return a data folder, with a space in its path, that the settings point to."""
    folder = tmp_path / "mein Turnier"
    shutil.copytree(shelf, folder)
    settings.DATA_DIR = folder
    yield folder
    for made in folder.glob("leer-*.sqlite3"):
        made.replace(shelf / made.name)  # at once: another worker may be reading


@pytest.fixture
def quick(monkeypatch) -> None:
    """Leave out what a process of its own proves; ``test_copies.py`` has it."""
    monkeypatch.setattr(packing, "prove", lambda *_file, **_key: Proof([], {}))


@pytest.fixture
def tournament(transactional_db):
    """Return a running tournament with somebody in it, and something in the journal."""
    tournament = make_tournament(status=Tournament.Status.RUNNING)
    make_registration(tournament)
    happens(tournament)
    return tournament
