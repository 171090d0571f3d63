"""Several devices, or one that sends twice, in the same moment: each game is there once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from tests.factories import make_players, make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.tournaments.lists.helpers import Device, keeper_of
from tournaments.journal import services as journal
from tournaments.models import Game, JournalEntry, Spielliste, Submission, TableDevice

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(acts: Sequence[Callable[[], Any]]) -> list[Any]:
    """Start all *acts* in the same moment, and return what they return."""
    barrier = Barrier(len(acts))

    def run(act: Callable[[], Any]) -> Any:
        try:
            barrier.wait()
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def test_one_key_that_arrives_several_times_at_once_is_stored_once(spielliste):
    keeper = keeper_of(spielliste)

    answers = at_once(
        [lambda: keeper.send("game", key="einmal-1", number=1, version=0, line=dict(FOUR[0]))] * 4
    )

    assert [answer.status_code for answer in answers] == [200] * 4
    assert Game.objects.count() == 1
    assert Submission.objects.filter(key="einmal-1").count() == 1
    assert JournalEntry.objects.filter(action="game_entered").count() == 1


def test_two_keys_for_the_same_game_store_one_and_show_the_other_what_is_there(spielliste):
    keeper = keeper_of(spielliste)

    answers = at_once(
        [
            lambda: keeper.send("game", number=1, version=0, line=dict(FOUR[0])),
            lambda: keeper.send("game", number=1, version=0, line=dict(FOUR[0])),
        ]
    )

    assert sorted(answer.status_code for answer in answers) == [200, 409]
    assert Game.objects.count() == 1
    assert Spielliste.objects.get().version == 1


def test_two_devices_that_take_over_at_once_make_one_keeper(spielliste):
    devices = [Device(spielliste) for _phone in range(3)]

    answers = at_once([partial(device.send, "take_over") for device in devices])

    assert sorted(answer.status_code for answer in answers) == [200, 409, 409]
    assert TableDevice.objects.filter(is_keeper=True).count() == 1


def test_the_last_two_signatures_at_once_sign_the_list(spielliste):
    write_games(spielliste, FOUR, status="complete")
    keeper = keeper_of(spielliste)

    answers = at_once(
        [
            partial(keeper.send, "sign", version=12, seat=seat, drawing="M1,1L9,9")
            for seat in (1, 2, 3, 4)
        ]
    )

    assert [answer.status_code for answer in answers] == [200] * 4
    spielliste.refresh_from_db()
    assert spielliste.status == Spielliste.Status.SIGNED
    assert spielliste.versions.count() == 1


def test_many_tables_send_at_once_and_the_journal_stays_whole():
    tournament = make_tournament()
    rows = [make_players(tournament, 4) for _table in range(6)]
    serie = make_seated_serie(tournament, rows)
    keepers = [keeper_of(list_of(serie, table)) for table in range(1, 7)]

    answers = at_once(
        [
            partial(keeper.send, "game", number=1, version=0, line=dict(FOUR[0]))
            for keeper in keepers
        ]
    )

    assert [answer.status_code for answer in answers] == [200] * 6
    assert Game.objects.count() == 6
    assert list(journal.first_breaks()) == []
    serie.refresh_from_db()
    assert serie.started_at is not None
    assert JournalEntry.objects.filter(action="serie_started").count() == 1
