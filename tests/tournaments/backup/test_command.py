"""Messages of ``make backup`` and ``make restore``; ``test_copies.py`` checks their effects."""

from __future__ import annotations

import pytest
from django.db import connection

from romme_site.command import backup


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("data", "quick")
def test_the_commands_save_and_restore(tmp_path, capsys):
    (tmp_path / "stick").mkdir()
    assert backup.save_main([str(tmp_path / "stick")]) == 0
    (saved,) = (tmp_path / "stick").glob("*.tar.gz")
    assert backup.restore_main([str(saved)]) == 0

    said = capsys.readouterr().out
    assert f"Gesichert: {saved}" in said
    assert "derselbe Datenträger" in said
    assert f"Zurückgeholt: {saved}" in said


def test_the_command_reports_a_missing_file(capsys):
    assert backup.restore_main([]) == 1

    assert "make restore FROM=pfad/zur/datei" in capsys.readouterr().err


def test_saving_without_a_database_is_refused(monkeypatch, capsys, tmp_path):
    if connection.vendor == "postgresql":
        pytest.skip("PostgreSQL has no file that could be missing")
    monkeypatch.setitem(connection.settings_dict, "NAME", str(tmp_path / "nichts.sqlite3"))

    assert backup.save_main([]) == 1

    assert "noch nichts zu sichern" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
