"""Several devices, or one that sends twice, in the same moment: each game is there once."""

from __future__ import annotations

from functools import partial

import pytest

from tests.concurrency import at_once
from tests.factories import make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.tournaments.lists.helpers import Device, keeper_of
from tournaments.models import Game, JournalEntry, Spielliste, Submission, TableDevice

pytestmark = pytest.mark.django_db(transaction=True)


def test_one_key_sent_concurrently_is_stored_once(spielliste):
    keeper = keeper_of(spielliste)

    answers = at_once(
        *[lambda: keeper.send("game", key="einmal-1", number=1, version=0, line=dict(FOUR[0]))] * 4
    )

    assert [answer.status_code for answer in answers] == [200] * 4
    assert Game.objects.count() == 1
    assert Submission.objects.filter(key="einmal-1").count() == 1
    assert JournalEntry.objects.filter(action="game_entered").count() == 1


def test_two_keys_for_one_game_store_it_once_and_return_the_conflict(spielliste):
    keeper = keeper_of(spielliste)

    answers = at_once(
        *[
            lambda: keeper.send("game", number=1, version=0, line=dict(FOUR[0])),
            lambda: keeper.send("game", number=1, version=0, line=dict(FOUR[0])),
        ]
    )

    assert sorted(answer.status_code for answer in answers) == [200, 409]
    assert Game.objects.count() == 1
    assert Spielliste.objects.get().version == 1


def test_two_devices_taking_over_at_once_make_one_keeper(spielliste):
    devices = [Device(spielliste) for _phone in range(3)]

    answers = at_once(*[partial(device.send, "take_over") for device in devices])

    assert sorted(answer.status_code for answer in answers) == [200, 409, 409]
    assert TableDevice.objects.filter(is_keeper=True).count() == 1


def test_two_concurrent_last_signatures_sign_the_list(spielliste):
    write_games(spielliste, FOUR, status="complete")
    keeper = keeper_of(spielliste)

    answers = at_once(
        *[
            partial(keeper.send, "sign", version=12, seat=seat, drawing="M1,1L9,9")
            for seat in (1, 2, 3, 4)
        ]
    )

    assert [answer.status_code for answer in answers] == [200] * 4
    spielliste.refresh_from_db()
    assert spielliste.status == Spielliste.Status.SIGNED
    assert spielliste.versions.count() == 1


def test_many_concurrent_tables_start_the_serie_once():
    tournament = make_tournament()
    serie = make_seated_serie(tournament, tables=6)
    keepers = [keeper_of(list_of(serie, table)) for table in range(1, 7)]

    answers = at_once(
        *[
            partial(keeper.send, "game", number=1, version=0, line=dict(FOUR[0]))
            for keeper in keepers
        ]
    )

    assert [answer.status_code for answer in answers] == [200] * 6
    assert Game.objects.count() == 6
    serie.refresh_from_db()
    assert serie.started_at is not None
    assert JournalEntry.objects.filter(action="serie_started").count() == 1
