"""Lists as far as their points depend on them, however their rows were stored."""

from __future__ import annotations

import json

import pytest

from tests.factories import make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tournaments.lists.queries.loading import load_lists
from tournaments.models import Game


@pytest.mark.django_db
def test_games_and_seats_are_ordered_independently_of_storage():
    tournament = make_tournament()
    spielliste = write_games(list_of(make_seated_serie(tournament)), FOUR)
    table, games = spielliste.table, list(spielliste.games.all())
    seats = list(table.seats.order_by("number"))
    for rows in (spielliste.games.all(), table.seats.all()):
        rows.delete()
    for row in (*reversed(games), *reversed(seats)):
        row.pk = None
        row.save()

    (data,) = load_lists(tournament)

    assert Game.objects.filter(spielliste=spielliste).order_by("pk")[0].number == len(FOUR)
    assert [json.loads(text) for text in data.texts] == list(FOUR)
    assert list(data.seats.items()) == [(seat.number, seat.registration_id) for seat in seats]


@pytest.mark.django_db
def test_a_list_without_games_has_no_text():
    tournament = make_tournament()
    make_seated_serie(tournament)

    (data,) = load_lists(tournament)

    assert (data.text, data.texts, data.games) == ("", (), [])
