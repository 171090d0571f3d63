"""All documents stay with the organiser (§ 2.3.5), also after an anonymisation."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, transaction
from django.db.models import ProtectedError
from django.test import Client
from django.urls import reverse

from tests.factories import COMMAND, make_players, make_tournament, make_user
from tests.factories_results import play_serie, take_startgeld
from tests.worlds import world
from tournaments.journal import services as journal
from tournaments.models import (
    JournalEntry,
    Person,
    Receipt,
    Registration,
    Spielliste,
    Table,
    Tournament,
)
from tournaments.results.queries.rankings import OVERALL, Rankings

pytestmark = pytest.mark.django_db


@world
def over() -> Tournament:
    """A tournament that was played and is closed."""
    tournament = make_tournament(serien=1)
    players = make_players(tournament, 4)
    play_serie(tournament, [players], [(40, 50, 60, 70)])
    take_startgeld(tournament)
    journal.record(tournament, COMMAND, "tournament_closed", tournament)
    Tournament.objects.filter(pk=tournament.pk).update(status=Tournament.Status.CLOSED)
    return tournament


@pytest.mark.parametrize(
    "model", [Tournament, Registration, Person, Table, Spielliste, Receipt, JournalEntry]
)
def test_no_record_of_a_tournament_can_be_deleted(over: Tournament, model):
    row = model.objects.order_by("pk").first()

    with pytest.raises((ProtectedError, DatabaseError)), transaction.atomic():
        row.delete()

    assert model.objects.filter(pk=row.pk).exists()


def test_anonymising_keeps_list_place_and_points(client: Client, over: Tournament):
    person = over.registrations.get(number=1).person
    client.force_login(make_user(is_admin=True))
    before = [(line.number, line.total) for line in Rankings(over).standings(OVERALL)]

    answer = client.post(
        reverse("people:anonymise", args=[person.pk]), {"typed_name": person.full_name}
    )

    assert answer.status_code == 302
    person.refresh_from_db()
    assert person.full_name == "anonymisiert"
    after = [(line.number, line.total) for line in Rankings(over).standings(OVERALL)]
    assert after == before
    assert Spielliste.objects.get().games.count() == 12
