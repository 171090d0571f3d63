"""Everything in one file and back, on either database and from one to the other."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tarfile
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest
from django.conf import settings
from django.db import DatabaseError, connection, transaction

from tests.factories import make_person, make_registration
from tests.private_files import is_private
from tests.tournaments.backup.helpers import happens
from tournaments.backup import packing
from tournaments.backup.database_copy import BackupError, copy_out
from tournaments.backup.packing import ENDS, anchors_of, current_ends, ends_of, pack
from tournaments.backup.restoring import restore
from tournaments.journal import anchors
from tournaments.journal import services as journal
from tournaments.journal.append_only import triggers_off
from tournaments.models import JournalEntry, Person, StoredFile, Tournament

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).resolve().parents[3]


def saved_to(path: Path) -> Path:
    assert pack(path) == []
    return path


def names() -> list[str]:
    return sorted(Person.objects.values_list("last_name", flat=True))


def test_a_restore_recovers_everything_and_keeps_the_replaced_data(data, tournament):
    (data / "files").mkdir()
    (data / "files" / "logo.png").write_bytes(b"old")
    saved = saved_to(data / "saved.tar.gz")
    there = names()
    make_person("Zu", "Viel")
    (data / "files" / "logo.png").write_bytes(b"new")

    before, breaks = restore(saved)

    assert breaks == []
    assert names() == there
    assert (data / "files" / "logo.png").read_bytes() == b"old"
    restore(before)
    assert names() == sorted([*there, "Viel"])


def test_the_first_backup_of_postgresql_creates_its_empty_database(data, tournament):
    if connection.vendor == "sqlite":
        pytest.skip("SQLite is copied page by page")
    (kept,) = data.glob("leer-*.sqlite3")
    kept.unlink()

    saved = saved_to(data / "saved.tar.gz")

    assert kept.exists()
    assert ends_of(saved)["state"] == current_ends()["state"]


def test_a_backup_of_postgresql_omits_finished_files(data, tournament):
    StoredFile.objects.create(name="print/a.pdf", content=b"%PDF")

    restore(saved_to(data / "saved.tar.gz"))

    # SQLite is copied page by page, and there such files lie on the disk.
    assert StoredFile.objects.exists() == (connection.vendor == "sqlite")


def test_a_restored_database_has_triggers_and_sequences(data, tournament):
    restore(saved_to(data / "saved.tar.gz"))

    with pytest.raises(DatabaseError), transaction.atomic():
        JournalEntry.objects.update(reason="anders")
    make_registration(tournament)  # numbers of rows go on
    happens(tournament)
    assert list(journal.first_breaks()) == []


def test_a_backup_of_postgresql_survives_sqlite(data, tournament, tmp_path):
    other = tmp_path / "other"
    environment = os.environ | {"DATABASE_URL": f"sqlite:///{other / 'romme.sqlite3'}"}
    environment |= {"DATA_DIR": str(other), "ROMME_MODE": "laptop"}
    environment["INSTALLATION_KEY"] = settings.INSTALLATION_KEY().hex()
    saved, state = saved_to(data / "saved.tar.gz"), current_ends()

    def command(*given: str) -> None:
        line = [sys.executable, "-m", "romme_site", *given]
        subprocess.run(line, env=environment, cwd=ROOT, check=True)

    (tmp_path / "stick").mkdir()
    command("restore", str(saved))
    command("backup", str(tmp_path / "stick"))
    (again,) = (tmp_path / "stick").glob("*.tar.gz")
    JournalEntry.objects.first()  # the connection is open meanwhile
    make_person("Zu", "Viel")
    restore(again)

    assert "Viel" not in names()
    assert current_ends()["chains"].items() >= state["chains"].items()
    revision = Tournament.objects.get().revision
    assert revision > tournament.revision + 1000  # open pages notice
    restore(again)
    assert Tournament.objects.get().revision != revision  # that it is the same backup too
    assert JournalEntry.objects.last().action == "restored"
    assert list(journal.first_breaks()) == []


@pytest.mark.once
def test_a_backup_of_an_earlier_version_is_restored(data, tournament):
    copy_out(data / "copy.sqlite3")
    with tarfile.open(data / "old.tar.gz", "w:gz") as archive:
        archive.add(data / "copy.sqlite3", "datenbank.sqlite3")
        outside = ("files/../../draussen", "/files/draussen", "romme.sqlite3", "neu/draussen")
        for name in (
            *outside,
            r"files/C:\Start\draussen",
            r"files/..\..\draussen",
            "files/a:draussen",
        ):
            archive.addfile(tarfile.TarInfo(name), BytesIO())
    there = names()
    make_person("Zu", "Viel")

    restore(data / "old.tar.gz")

    assert names() == there
    assert ends_of(data / "old.tar.gz") == {}
    assert list(data.parent.rglob("*draussen")) == []


def test_a_backup_does_not_set_file_modes(data, tournament, tmp_path):
    copy_out(data / "copy.sqlite3")
    with tarfile.open(data / "old.tar.gz", "w:gz") as archive:
        archive.add(data / "copy.sqlite3", "datenbank.sqlite3")
        runs = tarfile.TarInfo("files/unten/a.sh")
        runs.mode = 0o6777
        archive.addfile(runs, BytesIO())

    packing.unpack(data / "old.tar.gz", tmp_path)

    unpacked = (tmp_path / "files/unten/a.sh", tmp_path / "datenbank.sqlite3")
    owner_only = 0o666 if sys.platform == "win32" else 0o600  # it has no others
    assert {path.stat().st_mode & 0o7777 for path in unpacked} == {owner_only}


def test_a_backup_too_large_for_the_disk_is_refused(data, tmp_path):
    with tarfile.open(data / "zeros.tar.gz", "w:gz") as archive:
        zeros = tarfile.TarInfo("files/zeros")
        zeros.size = shutil.disk_usage(tmp_path).free * 2
        archive.fileobj.write(zeros.tobuf())  # its zeros need not be there to be refused

    with pytest.raises(BackupError, match="nicht genug Platz; es wurde nichts geändert"):
        packing.unpack(data / "zeros.tar.gz", tmp_path)

    assert list(tmp_path.rglob("zeros")) == []


def test_a_backup_has_journal_anchors_and_private_permissions(data, tournament):
    saved = saved_to(data / "saved.tar.gz")

    ends, last = ends_of(saved), JournalEntry.objects.last()
    assert ends["chains"] == {f"turnier-{tournament.pk}": [last.number, last.hash]}
    assert ends["state"] == current_ends()["state"]
    assert is_private(saved)
    kept = anchors_of(saved).read_bytes()
    assert list(anchors.breaks(kept)) == []
    with transaction.atomic(), triggers_off():
        JournalEntry.objects.all().delete()  # as if an older state came back
    assert [fault.number for fault in anchors.breaks(kept)] == [last.number]


@pytest.mark.once
def test_a_manipulated_journal_is_saved_and_reported(data, tournament):
    chain = tournament.journal_chain
    chain.last_hash = "0" * 64
    chain.save()

    breaks = pack(data / "saved.tar.gz")

    assert "Eintrag 2" in breaks[0]
    assert (data / "saved.tar.gz").exists()


@pytest.mark.once
def test_a_damaged_file_is_refused_and_changes_nothing(data, tournament):
    there = names()
    saved = saved_to(data / "saved.tar.gz")
    (data / "cut.tar.gz").write_bytes(saved.read_bytes()[:-100])
    (data / "text.tar.gz").write_bytes(b"kein Archiv")
    (data / "empty.tar.gz").write_bytes(b"")
    (data / "datenbank.sqlite3").write_bytes(b"SQLite format 3\x00" + b"\xff" * 4096)
    with tarfile.open(data / "broken.tar.gz", "w:gz") as archive:
        archive.add(data / "datenbank.sqlite3", "datenbank.sqlite3")
    with tarfile.open(data / "other.tar.gz", "w:gz") as archive:
        archive.addfile(tarfile.TarInfo(ENDS), BytesIO())

    refusals = {
        "cut": "ist beschädigt",
        "text": "keine Sicherung",
        "empty": "keine Sicherung",
        "broken": "beschädigt",
        "other": "keine Sicherung",
        "nothing": "gibt es nicht",
    }
    for name, said in refusals.items():
        with pytest.raises(BackupError, match=said):
            restore(data / f"{name}.tar.gz")

    assert names() == there
    assert list((data / "sicherungen").iterdir()) == []


@pytest.mark.once
def test_another_program_s_database_is_no_backup(data, tournament):
    with closing(sqlite3.connect(data / "datenbank.sqlite3")) as made:
        made.execute("CREATE TABLE club (name TEXT)")
        made.execute("CREATE TABLE tournaments_tournament (name TEXT)")
    with tarfile.open(data / "other.tar.gz", "w:gz") as archive:
        archive.add(data / "datenbank.sqlite3", "datenbank.sqlite3")

    with pytest.raises(BackupError):
        restore(data / "other.tar.gz")

    assert Tournament.objects.get() == tournament


def test_uncommitted_rows_are_not_saved(data, tournament):
    if connection.vendor == "postgresql":
        pytest.skip("a second connection is needed; SQLite has a file to open")
    there = names()
    with closing(sqlite3.connect(connection.settings_dict["NAME"])) as other:
        other.execute("DELETE FROM tournaments_registration")
        saved = saved_to(data / "saved.tar.gz")
        other.rollback()

    restore(saved)

    assert names() == there
