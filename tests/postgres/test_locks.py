"""Only one transaction changes a tournament at a time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import OperationalError, connection, transaction

from tests.factories import COMMAND, make_tournament
from tests.factories_lists import list_of, make_seated_serie
from tournaments.common.locks import lock_tournament
from tournaments.lists.services.spiellisten import enter_game
from tournaments.models import Spielliste

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def spielliste() -> Spielliste:
    return list_of(make_seated_serie(make_tournament()))


def lock_within_a_moment(spielliste: Spielliste) -> str:
    """Return the error that prevented locking the list, or an empty string."""
    try:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL lock_timeout = '50ms'")
            with enter_game.locked(COMMAND, spielliste.pk):
                pass
    except OperationalError as problem:
        return str(problem)
    finally:
        connection.close()
    return ""


def test_a_list_is_not_locked_during_an_act_of_its_tournament(spielliste):
    with ThreadPoolExecutor(1) as elsewhere:
        with transaction.atomic():
            lock_tournament(spielliste.table.serie.tournament_id)
            refused = elsewhere.submit(lock_within_a_moment, spielliste).result()
        free = elsewhere.submit(lock_within_a_moment, spielliste).result()

    assert "lock timeout" in refused
    assert free == ""
