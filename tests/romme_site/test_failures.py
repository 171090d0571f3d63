"""Failures around the program are reported in a sentence, and work continues afterwards."""

from __future__ import annotations

import errno
import sqlite3
import sys
from contextlib import closing
from types import SimpleNamespace

import psycopg
import pytest
from django.core.files.storage import FileSystemStorage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import InterfaceError, OperationalError, connection

from romme_site.logs import ValueFreeFormatter
from tests.clients import Client
from tests.factories import make_tournament, make_user
from tests.factories_lists import FOUR, list_of, make_seated_serie
from tests.tournaments.lists.helpers import game, keeper_of
from tournaments.backup import database_copy
from tournaments.common import errors as failures
from tournaments.journal import services as journal
from tournaments.models import Game, Person, Spielliste

on_sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite says it in this way")
NEW = "/personen/neu/"


def database_problem(cause: Exception, kind: type[Exception] = OperationalError) -> Exception:
    problem = kind(str(cause))
    problem.__cause__ = cause
    return problem


def of_sqlite(code: int) -> Exception:
    cause = sqlite3.OperationalError("…")
    cause.sqlite_errorcode = code
    return database_problem(cause)


def set_pages(most: int) -> None:
    """Let the database have so many pages, at least those that it needs now."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        cursor.execute(f"PRAGMA max_page_count = {most}")


@pytest.mark.parametrize(
    ("problem", "failure"),
    [
        pytest.param(OSError(errno.ENOSPC, "…"), failures.FULL, id="no room for a file"),
        pytest.param(OSError(errno.EROFS, "…"), failures.READ_ONLY, id="read-only disk"),
        pytest.param(OSError(errno.ENOENT, "…"), None, id="a file that is missing"),
        pytest.param(of_sqlite(sqlite3.SQLITE_FULL), failures.FULL, id="SQLite full"),
        pytest.param(
            of_sqlite(sqlite3.SQLITE_READONLY_DBMOVED), failures.READ_ONLY, id="SQLite read-only"
        ),
        pytest.param(of_sqlite(sqlite3.SQLITE_BUSY_SNAPSHOT), failures.BUSY, id="SQLite locked"),
        pytest.param(of_sqlite(sqlite3.SQLITE_NOTADB), failures.DAMAGED, id="SQLite damaged"),
        pytest.param(of_sqlite(sqlite3.SQLITE_ERROR), None, id="wrong SQL"),
        pytest.param(
            database_problem(psycopg.errors.DiskFull("…")), failures.FULL, id="PostgreSQL full"
        ),
        pytest.param(
            database_problem(psycopg.errors.AdminShutdown("…")), failures.GONE, id="stopped"
        ),
        pytest.param(
            database_problem(psycopg.OperationalError("connection refused")),
            failures.GONE,
            id="PostgreSQL out of reach",
        ),
        pytest.param(
            database_problem(psycopg.InterfaceError("closed"), InterfaceError),
            failures.GONE,
            id="connection closed",
        ),
        pytest.param(
            database_problem(psycopg.errors.LockNotAvailable("…")), failures.BUSY, id="locked"
        ),
        pytest.param(
            database_problem(psycopg.errors.UndefinedTable("…")), None, id="no such table"
        ),
        pytest.param(ValueError("…"), None, id="a mistake"),
    ],
)
def test_failures_are_recognised_by_their_error_code(problem, failure):
    assert failures.failure_of(problem) is failure


def raw(code: int) -> sqlite3.Error:
    cause = of_sqlite(code).__cause__
    assert isinstance(cause, sqlite3.Error)
    return cause


@pytest.mark.parametrize(
    ("free", "failure"),
    [
        pytest.param(1000, failures.FULL, id="no room"),
        pytest.param(10**9, failures.DAMAGED, id="room"),
    ],
)
@pytest.mark.parametrize("made", [of_sqlite, raw])
def test_a_disk_io_error_without_free_space_is_a_full_disk(monkeypatch, made, free, failure):
    monkeypatch.setattr(failures, "disk_usage", lambda _folder: SimpleNamespace(free=free))

    assert failures.failure_of(made(sqlite3.SQLITE_IOERR)) is failure


def test_a_copy_unreadable_on_a_full_disk_is_not_called_damaged(tmp_path, monkeypatch):
    def fail(*_file, **_how):
        raise raw(sqlite3.SQLITE_FULL)

    monkeypatch.setattr(sqlite3, "connect", fail)

    with pytest.raises(database_copy.BackupError, match="Der Datenträger ist voll"):
        database_copy.check_pages(tmp_path / "copy.sqlite3")


@pytest.mark.parametrize(
    ("problem", "is_long"),
    [(of_sqlite(sqlite3.SQLITE_FULL), False), (ValueError("a mistake"), True)],
)
def test_a_full_disk_logs_one_line_and_a_bug_a_traceback(problem, is_long):
    try:
        raise problem
    except type(problem):
        line = ValueFreeFormatter().formatException(sys.exc_info())

    assert ("Traceback" in line) is is_long
    assert ("Der Datenträger ist voll" in line) is not is_long


@pytest.fixture
def admin(transactional_db) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(make_user(is_admin=True))
    return client


def new_person(client: Client, name: str = "Kühn", **headers: str):
    sent = {"first_name": "Anna", "last_name": name, "note": "x" * 150, "anyway": "1"}
    return client.post(NEW, sent, headers=headers)


@on_sqlite
@pytest.mark.once
def test_a_full_disk_is_reported_and_work_continues_with_space(admin: Client):
    set_pages(1)
    done = 0
    while (refused := new_person(admin, f"Person {done}")).status_code == 302:
        done += 1
    stored = Person.objects.count()
    set_pages(1_000_000)

    assert refused.status_code == 507
    assert "Der Datenträger ist voll" in refused.content.decode()
    assert stored == done
    assert new_person(admin, "Neu").status_code == 302


@on_sqlite
@pytest.mark.once
def test_a_game_on_a_full_disk_is_stored_whole_or_not_at_all(transactional_db):
    tournament = make_tournament()
    serie = make_seated_serie(tournament, tables=10)
    devices = [keeper_of(list_of(serie, table)) for table in range(1, 11)]
    for device in devices:
        device.client.raise_request_exception = False
    games = [
        (device, game(number + 1, number, line))
        for device in devices
        for number, line in enumerate(FOUR)
    ]
    set_pages(1)

    answers = (device.send("game", f"spiel-nr-{sent['number']}", **sent) for device, sent in games)
    done, refused = next(
        (at, answer) for at, answer in enumerate(answers) if answer.status_code != 200
    )
    stored = Game.objects.count()
    whole = [
        spielliste.version == spielliste.games.count() for spielliste in Spielliste.objects.all()
    ]
    breaks = list(journal.first_breaks())
    set_pages(1_000_000)
    device, sent = games[done]
    again = [device.send("game", f"spiel-nr-{sent['number']}", **sent) for _time in range(2)]

    assert refused.status_code == 507
    assert refused.json()["refused"].startswith("Der Datenträger ist voll.")
    assert (stored, all(whole), breaks) == (done, True, [])
    assert [answer.status_code for answer in again] == [200, 200]
    assert Game.objects.count() == done + 1


@on_sqlite
@pytest.mark.once
def test_a_read_only_disk_is_reported_and_pages_still_open(admin: Client):
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = 1")

    seen, refused = admin.get("/personen/"), new_person(admin)
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = 0")

    assert seen.status_code == 200
    assert refused.status_code == 503
    assert "kann nicht geschrieben werden" in refused.content.decode()
    assert new_person(admin).status_code == 302


@on_sqlite
@pytest.mark.once
def test_a_locked_database_is_reported_and_the_next_act_succeeds(admin: Client):
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 50")
    with closing(sqlite3.connect(connection.settings_dict["NAME"])) as other:
        other.execute("BEGIN IMMEDIATE")
        page = new_person(admin)
        script = new_person(admin, **{"HX-Request": "true"})

    assert (page.status_code, page["Retry-After"]) == (503, "30")
    assert "Die Datenbank ist gerade beschäftigt" in page.content.decode()
    assert script.json()["refused"].startswith("Die Datenbank ist gerade beschäftigt.")
    assert new_person(admin).status_code == 302
    assert Person.objects.count() == 1


def test_the_wait_for_a_locked_database_ends():
    assert connection.vendor != "sqlite" or connection.settings_dict["OPTIONS"]["timeout"] == 20


@pytest.mark.once
def test_an_upload_on_a_full_disk_is_reported(admin: Client, monkeypatch):
    def full(*_arguments):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(FileSystemStorage, "_save", full)
    archive = {"file": SimpleUploadedFile("a.json", b"{}")}

    refused = admin.post("/archiv-einlesen/", archive)
    monkeypatch.undo()

    assert refused.status_code == 507
    assert "Auf dem Rechner" in refused.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "kind"),
    [
        pytest.param("/konto/anmelden/", "", id="UTF-8"),
        pytest.param("/konto/anmelden/", "; charset=latin-1", id="another charset"),
        pytest.param("/konto/\0/", "; charset=latin-1", id="both"),
        pytest.param("/konto/\0/", "", id="NUL in the address"),
    ],
)
@pytest.mark.parametrize("content", ["name=%00", "&".join(["a=1"] * 1001)], ids=["NUL", "many"])
def test_a_malformed_request_is_answered_as_such(path: str, kind: str, content: str):
    # With the cookie the page of the error may look for the token of a form, in the same body.
    browser = Client(enforce_csrf_checks=True, raise_request_exception=False)
    browser.cookies["csrftoken"] = "t" * 32
    form = f"application/x-www-form-urlencoded{kind}"

    answer = browser.post(path, content, content_type=form)

    assert answer.status_code == 400
    assert "ist nicht zu verstehen" in answer.content.decode()
