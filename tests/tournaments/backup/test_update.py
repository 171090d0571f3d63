"""An update saves the data before it changes any table."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.test import override_settings

from tournaments.backup import database_copy, packing
from tournaments.backup.database_copy import BackupError
from tournaments.management import database
from tournaments.management.database import bring_up_to_date
from tournaments.models import Registration

pytestmark = pytest.mark.django_db(transaction=True)
BEFORE = ("tournaments", "0001_initial")


@pytest.fixture
def earlier(tournament):
    """Let the database lack the last migration, with a tournament in it."""
    MigrationExecutor(connection).migrate([BEFORE])
    yield tournament
    call_command("migrate", verbosity=0)


@pytest.fixture
def restarted():
    """Make the database look new."""
    applied = MigrationRecorder(connection).migration_qs.filter(app="tournaments")
    rows = list(applied)
    applied.delete()
    yield
    applied.bulk_create(rows)


def saved() -> list[Path]:
    return sorted(packing.folder().glob(f"romme-*-vor-Version-{settings.VERSION}.tar.gz"))


def test_an_update_keeps_a_backup_of_the_old_schema_and_rows(data, earlier, tmp_path):
    bring_up_to_date()

    packing.thin_out(packing.folder(), "-auto", newest=0, days=0)
    (backup,) = saved()
    with closing(sqlite3.connect(packing.unpack(backup, tmp_path))) as reading:
        migrations = reading.execute("SELECT name FROM django_migrations").fetchall()
        (people,) = reading.execute("SELECT count(*) FROM tournaments_registration").fetchone()
        triggers = reading.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        assert triggers.fetchall() == []  # added by the last migration
    assert (BEFORE[1],) in migrations
    assert ("0002_refuse_changes",) not in migrations
    assert people == Registration.objects.count() == 1


@pytest.mark.once
def test_the_backup_precedes_the_migration_and_is_made_once(data, earlier, monkeypatch):
    def fail(*_words, **_options):
        raise CommandError("mitten darin")

    with monkeypatch.context() as broken:
        broken.setattr(database, "call_command", fail)
        for _try in range(2):
            with pytest.raises(CommandError, match="mitten darin"):
                bring_up_to_date()

    assert len(saved()) == 1


@pytest.mark.once
def test_a_failed_backup_prevents_the_update(data, earlier, monkeypatch):
    def fail(_target):
        raise BackupError("kein Platz")

    with monkeypatch.context() as full:
        full.setattr(packing, "copy_out", fail)
        with pytest.raises(CommandError, match="kein Platz"):
            bring_up_to_date()

    executor = MigrationExecutor(connection)
    assert executor.migration_plan(executor.loader.graph.leaf_nodes())


@pytest.mark.usefixtures("quick")
def test_copies_and_current_databases_are_not_saved(data, tournament):
    bring_up_to_date()
    database_copy.copy_out(data / "copy.sqlite3")

    assert saved() == []


def test_another_version_without_migrations_saves_and_names_the_old(data, tournament):
    database.note_version()
    assert database.save_other_version() is None

    with override_settings(VERSION="9.9.9"):
        before, backup = database.save_other_version() or ("", Path())

        assert before != "9.9.9"
        assert backup.name.endswith("-vor-Version-9.9.9.tar.gz")
        database.note_version()
        assert database.save_other_version() is None


@pytest.mark.usefixtures("restarted")
def test_another_version_starts_without_the_earlier_database(data):
    database.note_version()

    with override_settings(VERSION="9.9.9"):
        assert database.save_other_version() is None
