"""A doubtful name is confirmed once, at the desk and online."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.clients import Client, at, logged_in
from tests.factories import make_member, make_tournament
from tests.tournaments.desk.online.helpers import form_data, form_url, make_open_tournament, text_of
from tournaments.models import Person, Registration, Role

pytestmark = pytest.mark.django_db

NAMES = [
    pytest.param("Sari", "", "Gibt es nur einen Namen?", id="one name"),
    pytest.param("Winter", "Uwe und Ilse", "Sind das mehrere Personen?", id="a couple"),
    pytest.param("Summe", "", "sieht nicht nach dem Namen einer Person aus", id="a sum"),
    pytest.param("N.N.", "", "sieht nicht nach dem Namen einer Person aus", id="a placeholder"),
]


@pytest.mark.parametrize(("last_name", "first_name", "question"), NAMES)
def test_the_desk_confirms_a_doubtful_name(last_name, first_name, question):
    tournament = make_tournament(starts_at=timezone.now() + timedelta(hours=2))
    client = logged_in(make_member(tournament, Role.KASSE))
    typed = {"last_name": last_name, "first_name": first_name, "unpaid": "1"}

    asked = client.post(at("desk:new", tournament.slug), typed)
    client.post(at("desk:new", tournament.slug), {**typed, "as_it_is": "on"})

    assert asked.status_code == 422
    assert question in asked.content.decode()
    assert Registration.objects.get().person.list_name == ", ".join(
        filter(None, [last_name, first_name])
    )


def test_a_complete_name_needs_no_confirmation():
    tournament = make_tournament(starts_at=timezone.now() + timedelta(hours=2))
    client = logged_in(make_member(tournament, Role.KASSE))

    client.post(at("desk:new", tournament.slug), {"last_name": "Kühn", "first_name": "Anna"})

    assert Person.objects.get().list_name == "Kühn, Anna"


@pytest.mark.parametrize(("last_name", "first_name", "question"), NAMES)
def test_the_online_form_confirms_a_doubtful_name(last_name, first_name, question):
    tournament = make_open_tournament()
    typed = {"last_name": last_name, "first_name": first_name}
    client = Client()

    asked = client.post(form_url(tournament), form_data(typed))
    assert not Registration.objects.exists()
    client.post(form_url(tournament), form_data({**typed, "as_it_is": "on"}))

    assert question in text_of(asked)
    person = Registration.objects.get().person
    assert (person.last_name, person.first_name) == (last_name, first_name)
