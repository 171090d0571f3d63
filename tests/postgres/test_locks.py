"""Games of several tables go on side by side; whoever changes the tournament is alone with it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

import pytest
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from tests.factories import COMMAND, make_players, make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie
from tests.tournaments.lists.helpers import keeper_of
from tournaments.common.locks import lock_list, lock_tournament
from tournaments.lists.services.spiellisten import start_serie
from tournaments.models import JournalEntry, Serie, Spielliste, Tournament

pytestmark = pytest.mark.django_db(transaction=True)

T = TypeVar("T")


def elsewhere(act: Callable[[], T]) -> T:
    """Return what *act* returns that runs meanwhile, with a connection of its own."""

    def run() -> T:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '30s'")
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result()


@pytest.fixture
def serie() -> Serie:
    """Return a Serie of two tables."""
    tournament = make_tournament()
    rows = [make_players(tournament, 4) for _table in range(2)]
    return make_seated_serie(tournament, rows)


def free(model: type[Tournament] | type[Spielliste]) -> list[int]:
    """Return the keys of rows that nobody has locked."""
    with transaction.atomic():
        return list(model.objects.select_for_update(skip_locked=True).values_list("pk", flat=True))


def test_a_game_is_stored_while_another_list_is_locked(serie):
    first, second = list_of(serie, 1), list_of(serie, 2)
    keeper = keeper_of(second)

    with transaction.atomic():
        lock_list(first.pk)
        answer = elsewhere(partial(keeper.send, "game", number=1, version=0, line=dict(FOUR[0])))
        lists, tournaments = (
            elsewhere(partial(free, Spielliste)),
            elsewhere(partial(free, Tournament)),
        )

    assert answer.status_code == 200
    assert lists == [second.pk]
    assert tournaments == []
    assert free(Tournament) == [serie.tournament_id]


def test_no_list_is_locked_while_somebody_has_the_tournament(serie):
    def lock_within_a_moment() -> None:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL lock_timeout = '50ms'")
            lock_list(list_of(serie, 1).pk)

    with transaction.atomic():
        lock_tournament(serie.tournament_id)
        refused = elsewhere(partial(_problem_of, lock_within_a_moment))

    assert "lock timeout" in refused
    assert _problem_of(lock_within_a_moment) == ""


def _problem_of(act: Callable[[], None]) -> str:
    try:
        act()
    except OperationalError as problem:
        return str(problem)
    return ""


def test_the_second_table_that_begins_a_serie_finds_it_begun(serie):
    as_both_saw_it, begun = Serie.objects.get(pk=serie.pk), timezone.now()
    with transaction.atomic():
        start_serie(serie, COMMAND, begun)

    with transaction.atomic():
        start_serie(as_both_saw_it, COMMAND, timezone.now())

    assert as_both_saw_it.started_at == begun
    assert JournalEntry.objects.filter(action="serie_started").count() == 1
