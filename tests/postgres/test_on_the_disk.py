"""A game is answered when it is on the disk, although its locks were let go before."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connection, transaction

from tests.factories import make_registration, make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie
from tests.tournaments.lists.helpers import Device, keeper_of
from tournaments.common import submissions
from tournaments.common.locks import lock_of_list_until_commit, wait_for_the_disk
from tournaments.models import Game, Spielliste

pytestmark = pytest.mark.django_db(transaction=True)


def said(words: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(words)
        return str(cursor.fetchone()[0])


@pytest.fixture
def spielliste() -> Iterator[Spielliste]:
    """Yield a list, where commits wait for the disk: the server of the tests does not ask it."""
    tournament = make_tournament()
    serie = make_seated_serie(tournament, [[make_registration(tournament) for _seat in range(4)]])
    said("SELECT set_config('synchronous_commit', 'on', false)")
    yield list_of(serie)
    connection.close()


def send(keeper: Device) -> int:
    game = {"number": 1, "version": 0, "line": dict(FOUR[0])}
    return int(keeper.send("game", key="spiel-1-tisch-1", **game).status_code)


def test_an_answered_game_is_on_the_disk_also_when_it_is_sent_again(spielliste, monkeypatch):
    keeper, committed = keeper_of(spielliste), []

    def look_and_wait() -> None:
        assert not connection.in_atomic_block
        committed.append(said("SELECT pg_current_wal_insert_lsn()"))
        wait_for_the_disk()

    monkeypatch.setattr(submissions, "wait_for_the_disk", look_and_wait)
    for times in (1, 2):
        assert send(keeper) == 200
        assert len(committed) == times
        assert said(f"SELECT pg_current_wal_flush_lsn() >= '{committed[-1]}'") == "True"
    assert Game.objects.count() == 1


def test_what_may_not_be_on_the_disk_is_no_answer_and_may_be_sent_again(spielliste, monkeypatch):
    keeper = keeper_of(spielliste)
    keeper.client.raise_request_exception = False

    def lose_the_connection() -> None:
        said("SELECT pg_terminate_backend(pg_backend_pid())")

    with monkeypatch.context() as patched:
        patched.setattr(submissions, "wait_for_the_disk", lose_the_connection)
        assert send(keeper) == 503
    connection.close()

    assert send(keeper) == 200
    assert Game.objects.count() == 1


def test_only_the_transaction_of_a_game_lets_go_of_its_locks_before(spielliste):
    sql, keys = lock_of_list_until_commit(spielliste.pk) or ("", [])

    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(sql, keys)
        assert said("SHOW synchronous_commit") == "off"

    assert said("SHOW synchronous_commit") == "on"
