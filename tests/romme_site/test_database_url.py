"""A ``DATABASE_URL`` that does not do is refused in a sentence, a dead database within seconds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import get_commands, load_command_class
from django.db import connection

from romme_site import env
from romme_site.command import management
from scoring.management.base import JsonCommand

ROOT = Path(__file__).resolve().parents[2]
NOBODY_THERE = "postgres://romme:geheim@127.0.0.1:1/romme"


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("quatsch", "mit sqlite:/// oder postgres:// beginnen"),
        ("mysql://romme@localhost/romme", "mit sqlite:/// oder postgres:// beginnen"),
        ("postgres://localhost", "fehlt der Name der Datenbank"),
        ("postgres://localhost:abc/romme", "Rechnername oder Port"),
        ("postgres://[::1/romme", "Rechnername oder Port"),
        ("sqlite://", "Pfad einer Datei"),
        ("sqlite:///", "Pfad der Datei"),
        ("sqlite://ordner/datei.sqlite3", "Pfad einer Datei"),
        ("sqlite:///{folder}", "ist ein Ordner und keine Datei"),
        ("sqlite:///{folder}/tippfehler/romme.sqlite3", "tippfehler gibt es nicht"),
    ],
)
def test_an_invalid_url_is_refused_with_the_reason(url, sentence, tmp_path, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", url.format(folder=tmp_path))

    with pytest.raises(ImproperlyConfigured, match="nicht zu gebrauchen") as refusal:
        env.database()

    assert sentence in str(refusal.value)
    assert list(tmp_path.iterdir()) == []


def run(*arguments: str, url: str, data: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, str(ROOT / "manage.py"), *arguments],
        env={**os.environ, "DATABASE_URL": url, "DATA_DIR": str(data), "LANGUAGE": "de"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.parametrize(
    ("command", "url", "sentence"),
    [
        pytest.param(["score_list"], "quatsch", "nicht zu gebrauchen", id="needs no database"),
        pytest.param(["verify_journal"], NOBODY_THERE, "Die Datenbank antwortet nicht", id="dead"),
    ],
)
def test_commands_for_programs_fail_in_json_only(command, url, sentence, tmp_path):
    process = run(*command, url=url, data=tmp_path)
    answer, errors = process.communicate()

    assert (process.returncode, answer) == (2, b"")
    assert sentence in json.loads(errors)["errors"][0]["message"]


def test_commands_for_people_fail_with_a_sentence(tmp_path):
    process = run("migrate", url="quatsch", data=tmp_path)
    _answer, errors = process.communicate()

    assert process.returncode == 2
    assert errors.decode().startswith("DATABASE_URL in .env")
    assert errors.count(b"\n") == 1


def test_every_command_for_programs_is_known_before_the_settings_are():
    ours = {
        name: load_command_class(app, name)
        for name, app in get_commands().items()
        if app in {"scoring", "tournaments"}
    }

    for_programs = {name for name, command in ours.items() if isinstance(command, JsonCommand)}
    assert for_programs == management.REFUSE_IN_JSON


@pytest.fixture
def empty_database(tmp_path) -> Iterator[str]:
    """The address of a database without tables."""
    if connection.vendor == "sqlite":
        yield f"sqlite:///{tmp_path / 'empty.sqlite3'}"
        return
    name = f"empty_{os.getpid()}"
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
        yield urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.mark.django_db
def test_a_second_process_waits_while_tables_are_created(empty_database, tmp_path):
    both = [run("verify_journal", url=empty_database, data=tmp_path) for _which in range(2)]
    said = [process.communicate() for process in both]

    assert [process.returncode for process in both] == [0, 0], said
    assert [errors for _answer, errors in said] == [b"", b""]
