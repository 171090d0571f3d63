"""Saving everything into one file and bringing it back, while others work with it."""

from __future__ import annotations

import sqlite3
import tarfile
from collections.abc import Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest

from romme_site import env
from scripts import backup


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a data folder, with a space in its path, that the settings point to."""
    folder = tmp_path / "mein Turnier"
    folder.mkdir()
    monkeypatch.setattr(env, "DATA_DIR", folder)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{folder / 'romme.sqlite3'}")
    return folder


@pytest.fixture
def program(data: Path) -> Iterator[sqlite3.Connection]:
    """Return the connection of a program that is running and has one club."""
    with closing(sqlite3.connect(data / "romme.sqlite3")) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE club (name TEXT)")
        connection.execute("INSERT INTO club VALUES ('SC Altenburg')")
        connection.commit()
        yield connection


def clubs(connection: sqlite3.Connection) -> list[str]:
    return [name for (name,) in connection.execute("SELECT name FROM club ORDER BY name")]


def test_restore_brings_back_what_was_saved_while_the_program_is_running(data, program):
    (data / "files").mkdir()
    (data / "files" / "logo.png").write_bytes(b"old")
    saved = backup.save(data / "sicherungen")
    program.execute("INSERT INTO club VALUES ('Zu viel')")
    program.commit()
    (data / "files" / "logo.png").write_bytes(b"new")

    before = backup.restore(saved)

    assert clubs(program) == ["SC Altenburg"]
    assert (data / "files" / "logo.png").read_bytes() == b"old"
    assert before is not None
    backup.restore(before)
    assert clubs(program) == ["SC Altenburg", "Zu viel"]


def test_a_transaction_that_is_not_finished_is_not_saved(data, program, tmp_path):
    program.execute("INSERT INTO club VALUES ('Noch nicht')")

    saved = backup.save(tmp_path / "stick")

    program.rollback()
    backup.restore(saved)
    assert clubs(program) == ["SC Altenburg"]


def test_two_backups_in_one_second_are_two_files(data, program):
    first, second = backup.save(data / "s"), backup.save(data / "s")

    assert first != second
    assert sorted((data / "s").iterdir()) == sorted([first, second])


def test_a_backup_is_for_its_owner_only(data, program):
    saved = backup.save(data / "s")

    assert saved.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("content", [b"", b"kein Archiv", b"\x1f\x8b\x08\x00"])
def test_a_file_that_is_no_backup_is_refused_and_changes_nothing(data, program, content):
    wrong = data / "falsch.tar.gz"
    wrong.write_bytes(content)

    with pytest.raises(backup.CannotSaveError, match="keine Sicherung dieses Programms"):
        backup.restore(wrong)

    assert clubs(program) == ["SC Altenburg"]
    assert not (data / "sicherungen").exists()


def test_a_backup_that_was_cut_off_is_refused_and_changes_nothing(data, program):
    saved = backup.save(data / "s")
    saved.write_bytes(saved.read_bytes()[:-100])

    with pytest.raises(backup.CannotSaveError, match="es wurde nichts geändert"):
        backup.restore(saved)

    assert clubs(program) == ["SC Altenburg"]


def test_a_damaged_database_is_refused_and_changes_nothing(data, program, tmp_path):
    damaged = tmp_path / "datenbank.sqlite3"
    damaged.write_bytes(b"SQLite format 3\x00" + b"\xff" * 4096)
    with tarfile.open(tmp_path / "s.tar.gz", "w:gz") as archive:
        archive.add(damaged, "datenbank.sqlite3")

    with pytest.raises(backup.CannotSaveError, match="beschädigt"):
        backup.restore(tmp_path / "s.tar.gz")

    assert clubs(program) == ["SC Altenburg"]


def test_what_does_not_belong_into_a_backup_stays_out(data, program, tmp_path):
    saved = backup.save(tmp_path / "s")
    with tarfile.open(saved) as archive:
        archive.extract("datenbank.sqlite3", tmp_path)
    with tarfile.open(tmp_path / "boese.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "datenbank.sqlite3", "datenbank.sqlite3")
        for name in ("files/../../draussen", "/files/draussen", "romme.sqlite3", "neu/draussen"):
            archive.addfile(tarfile.TarInfo(name), BytesIO())

    backup.restore(tmp_path / "boese.tar.gz")

    assert clubs(program) == ["SC Altenburg"]
    assert list(tmp_path.rglob("draussen")) == []


def test_a_file_that_does_not_exist_is_named(data, program):
    with pytest.raises(backup.CannotSaveError, match=r"nix\.tar\.gz gibt es nicht"):
        backup.restore(data / "nix.tar.gz")


def test_without_a_database_there_is_nothing_to_save(data):
    with pytest.raises(backup.CannotSaveError, match="noch nichts zu sichern"):
        backup.save(data / "s")


def test_a_postgresql_database_is_left_to_its_own_tools(data, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgres://romme:geheim@localhost/romme")

    with pytest.raises(backup.CannotSaveError, match="pg_dump"):
        backup.save(data / "s")
