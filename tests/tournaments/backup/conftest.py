"""A data folder of one's own, a database that is really written to, and a second laptop."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.factories import make_registration, make_tournament
from tests.first_start import lay_in_empty
from tests.tournaments.backup.helpers import happens
from tests.tournaments.backup.two_laptops import URL, Hall
from tournaments.backup import packing, replication, restoring, standby
from tournaments.backup.database_copy import CopyProof
from tournaments.journal.proof import baseline_proof
from tournaments.models import Tournament


@pytest.fixture(autouse=True)
def database_of_a_club(monkeypatch) -> None:
    """Let a laptop be paired however much other tests left behind in the database of PostgreSQL."""
    monkeypatch.setattr(standby, "MOST_MEGABYTES", 10_000)


@pytest.fixture
def data(tmp_path: Path, settings) -> Path:
    """Return a data folder, with a space in its path, that the settings point to."""
    folder = tmp_path / "mein Turnier"
    folder.mkdir()
    lay_in_empty(folder)
    settings.DATA_DIR = folder
    return folder


@pytest.fixture
def quick(monkeypatch) -> None:
    """Skip the proof of a copy in its own process; ``test_copies.py`` has it."""
    for module in (packing, restoring):
        monkeypatch.setattr(module, "prove", lambda *_file, **_key: CopyProof([], {}))


@pytest.fixture
def tournament(transactional_db):
    """Return a running tournament with a registration and a journal entry."""
    tournament = make_tournament(status=Tournament.Status.RUNNING)
    make_registration(tournament)
    baseline_proof(tournament)
    happens(tournament)
    return tournament


@pytest.fixture
def hall(data, settings, tmp_path, monkeypatch):
    settings.DATA_DIR = shutil.copytree(data, tmp_path / "zweiter")
    hall = Hall(settings, data, settings.DATA_DIR)
    monkeypatch.setattr(replication, "_open", hall.open)
    return hall


@pytest.fixture
def connected(hall):
    return replication.connect(URL, hall.at_first(standby.new_code), 8001)
