"""A second laptop is admitted by a pairing code and keeps its token."""

from __future__ import annotations

import os
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from tests.private_files import is_private
from tests.tournaments.backup.two_laptops import URL
from tournaments.backup import replication, standby
from tournaments.backup.database_copy import BackupError, database_bytes
from tournaments.common.errors import TournamentError
from tournaments.models import StoredFile

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("quick"),
    pytest.mark.once,
]


def test_a_pairing_code_admits_one_laptop_once(hall):
    code = hall.at_first(standby.new_code)

    replication.connect(URL, code.lower(), 8001)

    assert hall.at_first(standby.standby_laptop)["address"] == "http://127.0.0.1:8001"
    with pytest.raises(BackupError, match="gilt nicht"):
        replication.connect(URL, code, 8001)


def test_a_pairing_code_ends_by_time_and_by_wrong_tries(data):
    late = standby.new_code(now=timezone.now() - timedelta(minutes=16))
    with pytest.raises(TournamentError, match="gilt nicht"):
        standby.admit(late, address="")

    code = standby.new_code()
    for _try in range(standby.MOST_TRIES):
        with pytest.raises(TournamentError):
            standby.admit("AAAA-AAAA-AAAA", address="")
    with pytest.raises(TournamentError):
        standby.admit(code, address="")


def test_a_wrong_code_without_a_pairing_writes_nothing(data):
    file = data / "sicherungen" / "ersatz.json"
    for _try in range(2):
        with pytest.raises(TournamentError, match="gilt nicht"):
            standby.admit("AAAA-AAAA-AAAA", address="")
    written = [file.exists()]
    standby.admit(standby.new_code(), address="http://192.0.2.7:8001")
    before = file.read_bytes()
    with pytest.raises(TournamentError, match="gilt nicht"):
        standby.admit("AAAA-AAAA-AAAA", address="")
    written.append(file.read_bytes() != before)

    assert written == [False, False]


def test_the_standby_token_is_readable_by_its_owner_only(hall, connected):
    agreed = hall.second / "sicherungen" / "ersatz" / "verbindung.json"

    assert is_private(agreed)
    known = (hall.first / "sicherungen" / "ersatz.json").read_text()
    assert connected.token not in known
    assert len(connected.token) >= 32


def test_the_standby_page_needs_the_token(hall, connected):
    for token in ("", "falsch", connected.token[:-1]):
        with pytest.raises(BackupError, match="404"):
            replication.fetch(replication.Connection(connected.url, token), "")
    hall.at_first(standby.shut_out)
    with pytest.raises(BackupError, match="404"):
        replication.fetch(connected, "")


def test_an_unreachable_address_is_named(hall):
    hall.is_on = False

    with pytest.raises(BackupError, match="laptop-1:8000"):
        replication.connect(URL, "AAAA", 8001)


@pytest.mark.parametrize(
    ("size", "sentence"),
    [
        (1, "1 MB Daten und voller Last bis zu etwa 10 Sekunden"),
        (102_000_000, "102 MB"),
        (0, "0 MB"),
    ],
)
def test_missing_requirements_are_named_before_pairing(monkeypatch, size, sentence):
    monkeypatch.setattr(standby, "database_bytes", lambda: size)

    assert sentence in standby.loss_warning()


@pytest.mark.both
def test_the_size_is_that_of_the_copied_data(tournament):
    before = database_bytes()
    StoredFile.objects.create(name="print/large.pdf", content=os.urandom(3_000_000))

    assert before > 100_000
    if connection.vendor == "postgresql":  # printed again, and so in no backup
        assert database_bytes() < before + 1_000_000


@pytest.mark.both
def test_a_large_postgresql_database_gets_no_pairing_code(monkeypatch):
    monkeypatch.setattr(standby, "database_bytes", lambda: 21_000_000)
    monkeypatch.setattr(standby, "MOST_MEGABYTES", 20)
    if connection.vendor == "sqlite":
        assert standby.new_code()
        return

    with pytest.raises(TournamentError, match="Streaming Replication"):
        standby.new_code()
