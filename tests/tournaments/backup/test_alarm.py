"""Failed backups are reported only to the people who can act."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest
from django.core import mail
from django.template.loader import render_to_string
from django.urls import reverse

from romme_site.command.backup import save_main
from tests.clients import Client
from tests.factories import make_member, make_user
from tournaments.backup import alarm, packing, saving, status_file
from tournaments.models import Role, Tournament

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("data", "quick"),
    pytest.mark.once,
]
FAILS = "Die Sicherung ist gescheitert: Der Stick ist weg"


@pytest.fixture
def failing(tournament: Tournament, monkeypatch: pytest.MonkeyPatch) -> Tournament:
    """Return a tournament during failing backups of a server."""
    monkeypatch.setenv(alarm.WATCHER_VARIABLE, "1")
    status_file.touch("wache")
    status_file.note_failure(OSError("Der Stick ist weg"))
    return tournament


def seen_by(user, tournament: Tournament) -> list[bool]:
    """Return whether „Meine Turniere“ and a page of the tournament show the alarm."""
    client = Client()
    client.force_login(user)
    urls = [reverse("setup:tournaments"), reverse("notices:page", args=[tournament.slug])]
    return [FAILS in client.get(url).content.decode() for url in urls]


@pytest.mark.parametrize(
    ("role", "is_in_the_hall", "is_seen"),
    [
        pytest.param(Role.SPIELLEITUNG, True, True, id="who leads in the hall"),
        pytest.param(Role.SCHIEDSRICHTER, True, False, id="who does not"),
        pytest.param(Role.SPIELLEITUNG, False, False, id="who leads on a server"),
    ],
)
def test_the_spielleitung_sees_the_alarm_on_each_page_of_the_hall(
    failing: Tournament, settings, role: Role, *, is_in_the_hall: bool, is_seen: bool
):
    settings.IS_IN_THE_HALL = is_in_the_hall

    assert seen_by(make_member(failing, role), failing) == [is_seen, is_seen]


def test_the_operator_sees_the_alarm_on_a_server_and_guests_never(failing: Tournament, settings):
    settings.IS_IN_THE_HALL = False
    operator = make_member(failing, Role.SPIELLEITUNG, is_admin=True)

    assert seen_by(operator, failing) == [True, True]
    assert FAILS not in Client().get("/").content.decode()


def test_no_alarm_is_shown_if_all_is_well_or_no_server_runs(
    failing: Tournament, monkeypatch: pytest.MonkeyPatch
):
    leader = make_member(failing, Role.SPIELLEITUNG)
    saving.save_now()
    assert seen_by(leader, failing) == [False, False]

    status_file.note_failure(OSError("Der Stick ist weg"))
    monkeypatch.delenv(alarm.WATCHER_VARIABLE)
    assert seen_by(leader, failing) == [False, False]


def test_probes_contain_the_alarm(failing: Tournament):
    assert Client().get("/backupz").status_code == 503

    saving.save_now()
    assert Client().get("/backupz").content == b"ok\n"


def test_a_silent_process_is_reported_without_a_query(
    failing: Tournament, django_assert_num_queries
):
    saving.save_now()
    long_ago = status_file.last("wache") - status_file.MAX_SILENCE.total_seconds() - 1
    os.utime(packing.folder() / ".wache", (long_ago, long_ago))

    with django_assert_num_queries(0):
        (said,) = status_file.failures()

    assert "nicht mehr von selbst gesichert" in said


def test_the_status_names_time_file_and_size_and_fails_after_a_failure(
    failing: Tournament, capsys: pytest.CaptureFixture[str]
):
    saved = saving.save_now()
    assert save_main(["--status"]) == 0
    said = capsys.readouterr().out
    assert "vor 0 Minuten" in said
    assert f" {saved.stat().st_size // 1024} KB, {saved}" in said

    status_file.note_failure(OSError("Der Stick ist weg"))
    assert save_main(["--status"]) == 1
    assert FAILS in capsys.readouterr().err


def minutes_later(minutes: int) -> None:
    """Move the recorded times back by these minutes."""
    for name in (alarm.FAILING, alarm.TOLD):
        file: Path = packing.folder() / f".{name}"
        if file.exists():
            at = file.stat().st_mtime - timedelta(minutes=minutes).total_seconds()
            os.utime(file, (at, at))


def test_the_operator_is_mailed_after_ten_minutes_then_daily(failing: Tournament, settings):
    settings.HAS_EMAIL, settings.EMAIL_BACKEND = (
        True,
        "django.core.mail.backends.locmem.EmailBackend",
    )
    settings.PUBLIC_URL = "https://turnier.example"
    make_user(is_admin=True, email="betrieb@example.org")
    make_member(failing, Role.SPIELLEITUNG, email="leitung@example.org")
    sent = []
    for minutes in (0, 9, 2, 60, 24 * 60):
        minutes_later(minutes)
        alarm.tell_operator()
        sent.append(len(mail.outbox))
    saving.save_now()
    alarm.tell_operator()
    status_file.note_failure(OSError("Der Stick ist weg"))
    alarm.tell_operator()

    assert sent == [0, 0, 1, 1, 2]
    assert len(mail.outbox) == 2
    assert mail.outbox[0].to == ["betrieb@example.org"]
    assert FAILS in mail.outbox[0].body


def test_a_page_names_three_problems_and_their_number():
    problems = [f"Protokoll turnier-{number}: verändert." for number in range(1, 6)]

    said = " ".join(
        render_to_string("tournaments/backup/alarm.html", {"problems": problems}).split()
    )

    assert [problem for problem in problems if problem in said] == problems[:3]
    assert "und 2 weitere" in said
