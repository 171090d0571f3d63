"""A second laptop follows over the network, and takes over."""

# ruff: noqa: SLF001 - asks what is private in a module of ours

from __future__ import annotations

import errno
import os
from datetime import datetime, timedelta, tzinfo
from email.message import Message
from http import HTTPStatus
from http.client import IncompleteRead
from io import BytesIO
from pathlib import Path
from time import time
from typing import Self
from urllib.error import HTTPError

import pytest
from django.utils import timezone

from tests.factories import make_person
from tests.private_files import is_private
from tests.tournaments.backup.helpers import happens
from tests.tournaments.backup.two_laptops import URL
from tournaments import migrations
from tournaments.backup import changes, database_copy, packing, replication, standby
from tournaments.backup.database_copy import BackupError
from tournaments.models import JournalEntry, Person, Tournament

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("quick"),
    pytest.mark.once,
]


@pytest.mark.both
def test_the_standby_gets_each_new_state_once(hall, connected, tournament):
    name, path = replication.fetch(connected, "")
    assert is_private(path)
    assert replication.fetch(connected, name)[1] is None

    happens(tournament)
    newer, other = replication.fetch(connected, name)
    assert newer != name
    assert other != path
    assert replication.fetch(connected, newer)[1] is None


def test_a_large_state_is_sent_in_several_answers(hall, connected, tournament, monkeypatch):
    # In each some of the state, besides its head, which has the time.
    monkeypatch.setattr(changes, "MOST_BYTES", changes.PAGE)
    answers = []

    def counted(*asked, **more):
        answers.append(asked)
        return hall.open(*asked, **more)

    monkeypatch.setattr(replication, "_open", counted)

    name, path = replication.fetch(connected, "")

    assert len(answers) > 1
    assert packing.ends_of(path)["state"] == name.partition(".")[0]
    assert replication.fetch(connected, name)[1] is None


def test_a_damaged_state_is_fetched_again_whole(hall, connected, tournament, monkeypatch):
    known, path = replication.fetch(connected, "")
    asked: list[str] = []
    answers = iter([BackupError("beschädigt"), (known, path)])

    def fetch(_first, name):
        asked.append(name)
        answer = next(answers)
        if isinstance(answer, BackupError):
            raise answer
        (replication._replica_folder() / replication.TAKEN_OVER).touch()
        return answer

    monkeypatch.setattr(replication, "fetch", fetch)
    monkeypatch.setattr(replication, "sleep", lambda _seconds: None)
    replication.replicate(connected, lambda _line: None)

    assert asked == ["", ""]


def test_the_first_laptop_knows_the_lag_of_the_second(hall, connected, tournament):
    def fetched_at(seconds: int) -> str:
        name, _path = replication.fetch(connected, "")
        return f"{name.partition('.')[0]}.{int(time()) - seconds}"

    replication.fetch(connected, fetched_at(600))
    assert hall.at_first(standby.lag)["behind"] <= 1  # nothing happened meanwhile

    known = fetched_at(12)
    happens(tournament)
    replication.fetch(connected, known)
    assert hall.at_first(standby.lag)["behind"] in range(12, 20)
    assert hall.at_first(standby.lag)["is_late"]


def test_invalid_requests_to_the_first_laptop_are_refused(hall, connected, tournament):
    known = replication.fetch(connected, "")[0].partition(".")[0]
    happens(tournament)

    for name in (f"{known}.²", f"{known}.{'9' * 5000}"):
        with pytest.raises(BackupError, match="400"):
            replication.fetch(connected, name)


@pytest.mark.both
def test_the_standby_takes_over_with_the_newest_complete_state(hall, connected, tournament):
    _name, path = replication.fetch(connected, "")
    damaged = path.with_name("romme-2020-01-01-000000-00002-ersatz.tar")
    damaged.write_bytes(b"halb")
    revision = Tournament.objects.get().revision
    make_person("Zu", "Spaet")
    with pytest.raises(BackupError, match="antwortet noch"):
        replication.take_over()
    hall.is_on = False
    with pytest.raises(BackupError) as asked:
        replication.take_over()

    taken, _at = replication.take_over(older=True)

    assert f"{damaged.name}: " in str(asked.value)
    assert "Ältere Stände gibt es: 1." in str(asked.value)
    assert "make takeover OLDER=1" in str(asked.value)
    assert taken == path
    assert not Person.objects.filter(last_name="Spaet").exists()
    assert (hall.second / "files").exists() == (hall.first / "files").exists()
    assert Tournament.objects.get().revision > revision + 1000
    assert JournalEntry.objects.latest("at").action == "taken_over"


@pytest.mark.both
def test_the_state_fetched_last_wins_whatever_the_clock(hall, connected, tournament, monkeypatch):
    """The second laptop was five minutes fast at its pairing, and was then set right."""
    with monkeypatch.context() as fast:
        fast.setattr(packing, "datetime", Fast)
        for _state in range(replication.NEWEST + 1):
            happens(tournament)
            name, _path = replication.fetch(connected, "")
    kept = []
    for _state in range(replication.NEWEST + 1):
        happens(tournament)
        name, path = replication.fetch(connected, name)
        kept.append(path.exists())
    hall.is_on = False

    taken, _at = replication.take_over()

    assert all(kept)
    assert taken == path


class Fast(datetime):
    """A clock that is five minutes ahead."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        """Return a clock five minutes ahead."""
        return super().now(tz) + timedelta(minutes=5)


def follow_for(monkeypatch, connected, *answers) -> list[str]:
    """Follow while the first laptop answers so, and return the messages."""
    said: list[str] = []
    left = iter(answers)

    def wait(_seconds) -> None:
        if (answer := next(left, None)) is None:
            (replication._replica_folder() / replication.TAKEN_OVER).touch()
        else:
            monkeypatch.setattr(replication, "_open", answer)

    monkeypatch.setattr(replication, "sleep", wait)
    replication.replicate(connected, said.append)
    return said


def answered(status: int, content: bytes = b"", problem: Exception | None = None, **headers):
    """Return an ``_open`` that gets this answer, or the *problem* while it is read."""

    class Nonsense(BytesIO):
        def __init__(self) -> None:
            super().__init__()
            self.status, self.headers = status, Message()

        def read(self, *_size) -> bytes:
            if problem:
                raise problem
            return content

    def open_(question, _body=None, timeout: float = 0):
        answer = Nonsense()
        for header, value in headers.items():
            answer.headers[header] = value
        if status >= HTTPStatus.BAD_REQUEST:
            raise HTTPError(URL, status, "", Message(), answer)
        return answer

    return open_


@pytest.mark.usefixtures("tournament")
@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        pytest.param(answered(200, problem=IncompleteRead(b"")), "antwortet nicht", id="cut off"),
        pytest.param(answered(204), "antwortet ein anderes Gerät", id="portal without content"),
        pytest.param(answered(200, b"<html>"), "antwortet ein anderes Gerät", id="portal"),
        pytest.param(answered(200, b"<html>", ETag="x"), "ist beschädigt", id="nonsense"),
        pytest.param(answered(500, problem=IncompleteRead(b"")), "mit 500", id="cut off refusal"),
        pytest.param(answered(502, b'["refused"]'), "mit 502", id="another refusal"),
        pytest.param(
            answered(200, problem=RuntimeError("Unsinn")), "nichts ablegen: Unsinn", id="a mistake"
        ),
    ],
)
def test_invalid_answers_do_not_end_the_standby(hall, connected, monkeypatch, answer, sentence):
    said = follow_for(monkeypatch, connected, answer, answer, hall.open)

    assert "auf dem neuesten Stand" in said[0]
    assert sentence in said[1]
    assert "auf dem neuesten Stand" in said[2]
    assert len(said) == 3


def test_a_full_own_disk_is_not_reported_as_the_first_laptop(
    hall, connected, tournament, monkeypatch
):
    def full(_path):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(replication, "check_version", full)
    said = follow_for(monkeypatch, connected)

    assert "Auf diesem Laptop lässt sich nichts ablegen: Der Datenträger ist voll." in said[0]


def test_differing_clocks_are_reported(hall, connected, tournament, monkeypatch):
    ends = packing.ends_of
    old = {"at": (timezone.now() - timedelta(minutes=7)).isoformat()}
    monkeypatch.setattr(replication, "ends_of", lambda path: ends(path) | old)

    said = follow_for(monkeypatch, connected)

    assert "7 Minuten auseinander" in said[1]


# --- Versions ----------------------------------------------------------------------------------


MIGRATIONS = sorted(path.stem for path in Path(migrations.__file__).parent.glob("0*.py"))


def known_without_the_last() -> set[str]:
    return database_copy.known_migrations() - {MIGRATIONS[-1]}


def test_a_state_names_the_last_migration_never_a_replaced_one(hall, connected):
    _name, path = replication.fetch(connected, "")

    assert packing.ends_of(path)["migration"] == MIGRATIONS[-1]
    assert packing.newest_migration() == MIGRATIONS[-1]


def test_an_older_version_is_refused_and_the_code_stays_valid(hall, monkeypatch):
    code = hall.at_first(standby.new_code)
    with monkeypatch.context() as older:
        older.setattr(replication, "newest_migration", lambda: MIGRATIONS[-2])
        with pytest.raises(BackupError, match="läuft eine ältere Version"):
            replication.connect(URL, code, 8001)
        assert hall.at_first(standby.standby_laptop) == {}

    with monkeypatch.context() as newer:
        newer.setattr(replication, "newest_migration", lambda: "9999_of_tomorrow")
        assert replication.connect(URL, code, 8001).token


def test_a_state_of_a_newer_version_is_refused_and_older_ones_kept(
    hall, connected, tournament, monkeypatch
):
    name, path = replication.fetch(connected, "")
    happens(tournament)
    monkeypatch.setattr(packing, "_known_here", known_without_the_last)

    with pytest.raises(BackupError, match="von der neueren Version"):
        replication.fetch(connected, name)
    hall.is_on = False
    with pytest.raises(BackupError, match=f"{path.name}: Dieser Stand ist von der neueren"):
        replication.take_over()

    assert replication._states() == [path]
    assert JournalEntry.objects.latest("pk").action != "taken_over"


def test_the_standby_reports_progress_and_ends_with_a_takeover(hall, connected, monkeypatch):
    said: list[str] = []
    steps = iter([lambda: None, lambda: setattr(hall, "is_on", False), lambda: None])

    def wait(_seconds):
        step = next(steps, None)
        if step is None:
            (replication._replica_folder() / replication.TAKEN_OVER).touch()
        else:
            step()

    monkeypatch.setattr(replication, "sleep", wait)
    replication.replicate(connected, said.append)

    assert "neuesten Stand" in said[0]
    assert "make takeover" in said[1]
    assert len(said) == 2


def test_a_takeover_needs_a_fetched_state(hall):
    with pytest.raises(BackupError, match="noch nichts da"):
        replication.take_over()
