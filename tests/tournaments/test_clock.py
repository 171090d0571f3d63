"""The laptop's clock is set back or forth by an hour in the middle of the day."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from tests.factories import make_member, make_tournament, make_user
from tests.factories_lists import FOUR
from tests.tournaments.lists.helpers import Device, game
from tournaments.common import code_throttling, submissions
from tournaments.desk.online.forms.entry import new_key, seconds_open
from tournaments.journal import services as journal
from tournaments.models import Game, JournalEntry, Role, Serie, Submission
from tournaments.table.services import devices

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
now = timezone.now


@pytest.fixture(params=[-HOUR, HOUR], ids=["back", "forth"])
def change(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture
def set_clock(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that sets the clock."""
    return lambda by: monkeypatch.setattr(timezone, "now", lambda: now() + by)


def test_a_clock_reset_keeps_order_and_journal(keeper: Device, change: timedelta, set_clock):
    keeper.send("game", key="schluessel-a", **game())
    set_clock(change)
    again = keeper.send("game", key="schluessel-a", **game())
    second = keeper.send("game", **game(number=2, version=1, line=FOUR[1]))

    assert (again.status_code, second.status_code) == (200, 200)
    assert list(Game.objects.values_list("number", flat=True)) == [1, 2]
    entries = JournalEntry.objects.filter(action="game_entered").order_by("number")
    times = list(entries.values_list("at", flat=True))
    assert (times[1] < times[0]) == (change < timedelta())
    assert list(journal.first_breaks()) == []


def test_a_clock_reset_keeps_sessions(client: Client, change: timedelta, set_clock):
    tournament = make_tournament()
    client.force_login(make_member(tournament, Role.KASSE))
    set_clock(change)

    assert client.get(f"/turniere/{tournament.slug}/kasse/").status_code == 200


def test_the_end_of_a_serie_moves_with_the_clock_and_can_be_fixed(
    client: Client, change: timedelta, set_clock
):
    tournament = make_tournament()
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    serie = tournament.serien.first()
    Serie.objects.filter(pk=serie.pk).update(started_at=now(), time_limit_minutes=90)
    serie.refresh_from_db()
    set_clock(change)

    left = serie.ends_at() - timezone.now()

    assert round(left / timedelta(minutes=1)) == (150 if change < timedelta() else 30)
    for page in (f"spiellisten/{serie.number}/", "spiellisten/", "auslosung/"):
        answer = client.get(f"/turniere/{tournament.slug}/{page}", follow=True)
        assert answer.status_code == 200


def test_an_act_before_a_clock_reset_does_not_block_a_later_one(set_clock):
    def book(form_key: str) -> submissions.RepeatedSubmission | None:
        return submissions.run_form_act(
            key=form_key,
            content=["buchen", 5000],
            by=None,
            since=submissions.form_created_at(form_key),
            act=lambda: {"status": 302},
        )

    book(submissions.new_form_key())
    set_clock(-HOUR)
    first = submissions.new_form_key()

    assert book(first) is None
    assert book(first) is not None
    assert Submission.objects.count() == 2


def test_a_clock_reset_does_not_prolong_a_lock(keeper: Device, set_clock):
    table = keeper.access.table.number
    for _guess in range(code_throttling.MOST_PER_ADDRESS):
        with pytest.raises(devices.UnknownCode):
            devices.find_by_code("AAAAAA", table=table, address="192.0.2.1")
    with pytest.raises(code_throttling.TooManyGuesses):
        devices.find_by_code("AAAAAA", table=table, address="192.0.2.1")

    set_clock(-HOUR)

    with pytest.raises(devices.UnknownCode):
        devices.find_by_code("AAAAAA", table=table, address="192.0.2.1")


def test_a_clock_reset_does_not_prolong_a_log_in_lock(client: Client, set_clock):
    make_user("karla", password="das richtige Kennwort")
    wrong, right = ({"username": "karla", "password": p} for p in ("x", "das richtige Kennwort"))
    for _attempt in range(settings.AXES_FAILURE_LIMIT):
        client.post("/konto/anmelden/", wrong)
    paused = client.post("/konto/anmelden/", right)

    set_clock(-HOUR)

    assert paused.status_code == 429
    assert client.post("/konto/anmelden/", right).status_code == 302


def test_a_form_opened_before_a_clock_reset_is_not_too_fast(set_clock):
    key = new_key(timezone.now())
    set_clock(-HOUR)

    assert seconds_open(key, timezone.now()) > 3000
