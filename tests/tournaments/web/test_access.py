"""A tournament's own things are found with all that leads there, and no other's."""

from __future__ import annotations

from typing import Any

import pytest

from tests.factories import make_tournament
from tests.factories_lists import make_seated_serie
from tests.worlds import world
from tournaments.models import Registration, Tournament
from tournaments.web.access import own, own_list

pytestmark = pytest.mark.django_db


@world
def tournament() -> Tournament:
    made = make_tournament()
    make_seated_serie(made)
    return made


def test_a_list_is_loaded_with_its_serie_and_tournament(
    tournament: Tournament, django_assert_num_queries: Any
):
    with django_assert_num_queries(1):
        spielliste = own_list(tournament, 1, 1)

        assert spielliste.table.serie.tournament is tournament


def test_an_object_with_its_tournament_reuses_the_loaded_one(tournament: Tournament):
    player = tournament.registrations.first()

    registrations = own(
        tournament, Registration.objects.select_related("person"), number=player.number
    )

    assert registrations == player
    assert registrations.tournament is tournament
