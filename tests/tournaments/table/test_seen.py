"""Any request marks a device as present, so that „Gerät weg“ is correct for the keeper.

Only the clock of the program is moved; stored values come from requests.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.factories import COMMAND, make_member, make_tournament
from tests.factories_lists import list_of, make_seated_serie
from tests.tournaments.lists.helpers import Device, game, keeper_of
from tournaments.models import Call, Game, Role, Spielliste, TableDevice
from tournaments.table.services.devices import withdraw_access

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Forth = Callable[[timedelta], None]
MINUTE = timedelta(minutes=1)


@pytest.fixture
def forth(monkeypatch: pytest.MonkeyPatch) -> Forth:
    """Let time pass."""
    now = timezone.now

    def move(by: timedelta) -> None:
        nonlocal now
        before, now = now, lambda: before() + by
        monkeypatch.setattr(timezone, "now", now)

    return move


@pytest.fixture
def spielliste() -> Spielliste:
    """The list of the only table."""
    return list_of(make_seated_serie(make_tournament()))


@pytest.fixture
def keeper(spielliste: Spielliste) -> Device:
    """The phone that keeps it."""
    return keeper_of(spielliste)


def pages(spielliste: Spielliste) -> tuple[str, str]:
    """Return the messages about the device on the pages of hall and table."""
    tournament = spielliste.table.serie.tournament
    client = Client()
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    hall = client.get(reverse("hall:room", args=[tournament.slug, 1]))
    table = client.get(reverse("hall:table", args=[tournament.slug, 1, 1]))
    return hall.content.decode(), table.content.decode()


def is_away(spielliste: Spielliste) -> bool:
    """Whether both pages say that the keeping device does not answer."""
    hall, table = pages(spielliste)
    assert ("Gerät weg" in hall) == ("antwortet nicht" in table)
    return "Gerät weg" in hall


def send_a_game(device: Device) -> Any:
    return device.send("game", **game())


def send_nonsense(device: Device) -> Any:
    return device.send("game", **game(number=7))


def ask(device: Device) -> Any:
    return device.state()


def ask_for_news(device: Device) -> Any:
    return device.state(since=device.state().json()["since"])


@pytest.mark.parametrize("do", [ask, ask_for_news, send_a_game, send_nonsense])
def test_a_requesting_device_counts_as_present(keeper, spielliste, forth: Forth, do):
    forth(4 * MINUTE)
    assert is_away(spielliste)

    do(keeper)

    assert not is_away(spielliste)
    forth(2 * MINUTE)
    assert not is_away(spielliste)
    forth(MINUTE)
    assert is_away(spielliste)


def test_a_polling_phone_counts_as_present(keeper, spielliste, forth: Forth):
    since = keeper.state().json()["since"]
    for _time in range(50):
        forth(timedelta(seconds=4))
        assert keeper.state(since).status_code == 204

    assert not is_away(spielliste)


def test_a_watching_device_does_not_mark_the_keeper_as_present(keeper, spielliste, forth: Forth):
    looker = Device(spielliste)
    forth(4 * MINUTE)

    looker.state()

    assert is_away(spielliste)


def seen(device: Device) -> datetime:
    return TableDevice.objects.get(pk=device.device.pk).last_seen_at


def written_by(do: Callable[[], Any]) -> int:
    """The statements of a request that write that a device was seen."""
    with CaptureQueriesContext(connection) as queries:
        do()
    return sum("UPDATE" in query["sql"] and "last_seen_at" in query["sql"] for query in queries)


@pytest.mark.both
def test_presence_is_written_at_most_once_a_minute(keeper, forth: Forth, django_assert_num_queries):
    since = keeper.state().json()["since"]
    forth(MINUTE)

    with django_assert_num_queries(4):  # read, and noted within a savepoint of the test
        assert keeper.state(since).status_code == 204
    for _time in range(14):
        forth(timedelta(seconds=4))
        with django_assert_num_queries(1):
            assert keeper.state(since).status_code == 204
    assert written_by(lambda: send_a_game(keeper)) == 0
    forth(timedelta(seconds=4))
    assert written_by(lambda: keeper.client.get(keeper.path)) == 1
    assert written_by(lambda: keeper.client.get(keeper.path)) == 0


def test_a_clock_set_back_does_not_hide_a_device(keeper, forth: Forth):
    forth(-60 * MINUTE)

    keeper.state()

    assert abs(seen(keeper) - timezone.now()) < MINUTE


def test_a_locked_out_device_is_not_present(keeper, spielliste, forth: Forth):
    before = seen(keeper)
    withdraw_access(COMMAND, spielliste.table_id, reason="Foto im Netz")
    forth(4 * MINUTE)

    assert keeper.state().status_code == 403

    assert seen(keeper) == before


# --- A device that only looks on, and sends again ----------------------------------------


def test_a_former_keeper_gets_the_stored_answer_but_no_new_right(keeper, spielliste, forth: Forth):
    first = keeper.send("game", key="schluessel-a", **game())
    keeper.send("release")
    other = Device(spielliste)
    other.send("take_over")
    forth(4 * MINUTE)

    again = keeper.send("game", key="schluessel-a", **game())
    new = keeper.send("game", key="schluessel-b", **game(2, 1))

    assert (first.status_code, again.status_code, new.status_code) == (200, 200, 403)
    assert first.json()["state"]["may_change"] is True
    assert again.json()["state"]["may_change"] is False
    assert Game.objects.count() == 1
    assert abs(seen(keeper) - timezone.now()) < MINUTE
    assert is_away(spielliste)  # the other one keeps it


def test_a_repeated_call_of_a_watching_device_is_one_call(keeper, spielliste):
    looker = Device(spielliste)

    answers = [looker.send("call", key="schluessel-a", call_kind="dispute") for _twice in range(2)]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert [answer.json()["state"]["may_change"] for answer in answers] == [False, False]
    assert Call.objects.count() == 1
    assert keeper.state().json()["may_change"] is True
