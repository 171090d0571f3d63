"""The commands for archives and their error messages."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import InterfaceError, OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder

from tests.interchange import programs
from tournaments.management import base

DATA = Path(__file__).parent / "data"
pytestmark = [pytest.mark.django_db, pytest.mark.once]


def test_the_commands_write_and_read_a_file(tmp_path, elsewhere):
    out = StringIO()
    file = tmp_path / "turnier.json"
    file.write_text(elsewhere, encoding="utf-8")

    call_command("import_archive", str(file), stdout=out)
    written = StringIO()
    call_command("export_archive", json.loads(elsewhere)["tournament"]["slug"], stdout=written)

    assert written.getvalue() == elsewhere
    assert json.loads(out.getvalue())["registrations"] == 9


def test_the_command_reports_a_missing_seal(capfd):
    call_command("import_archive", str(DATA / "archive-23x3.json"))

    assert "kam aus einer Datei ohne Siegel" in capfd.readouterr().err


def test_the_command_refuses_an_unknown_tournament_in_json():
    ran = programs.run("export_archive", "gibtsnicht")

    assert (ran.code, ran.errors[0]["where"]) == (2, "slug")


@pytest.mark.parametrize("command", ["export_archive", "import_archive"])
@pytest.mark.parametrize("problem", [OperationalError, InterfaceError, PermissionError])
def test_an_unreachable_database_is_reported_without_a_traceback(command, problem, monkeypatch):
    def fail():
        raise problem("unable to open database file")

    monkeypatch.setattr(base, "bring_up_to_date", fail)

    assert "nicht erreichbar" in refused_by(command, "herbst")


@pytest.mark.parametrize("command", ["export_archive", "standings"])
def test_a_database_of_a_newer_version_is_reported(command):
    MigrationRecorder(connection).record_applied("tournaments", "0999_from_tomorrow")

    assert "von einer neueren Version des Programms (0999_from_tomorrow)" in refused_by(
        command, "herbst"
    )


def refused_by(command, *arguments):
    ran = programs.run(command, *arguments)
    assert (ran.code, ran.out) == (2, b"")
    return ran.errors[0]["message"]
