"""Forms of a registration page store their changes and report them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clients import Client, at, logged_in, plain
from tests.factories import COMMAND, make_member, make_person, make_registration, make_tournament
from tests.tournaments.desk.online.helpers import make_ranking
from tests.worlds import world
from tournaments.desk.services import exclusions
from tournaments.models import Person, Ranking, Registration, Role, Separation, Tournament

pytestmark = pytest.mark.django_db


@world
def tournament() -> Tournament:
    """Anna and Bernd are registered, Doris is known; there is a ranking of teams."""
    tournament = make_tournament()
    make_ranking(tournament, Ranking.Kind.TEAM, size=2, stake_cents=500)
    for first, last in (("Anna", "Kühn"), ("Bernd", "Voß")):
        make_registration(tournament, make_person(first, last))
    make_person("Doris", "Lang")
    return tournament


@pytest.fixture
def anna(tournament: Tournament) -> Registration:
    return tournament.registrations.get(person__first_name="Anna")


@pytest.fixture
def client(tournament: Tournament) -> Client:
    return logged_in(make_member(tournament, Role.SPIELLEITUNG))


def said(client: Client, anna: Registration, name: str, **form: Any) -> str:
    answer = client.post(at(f"desk:{name}", anna.tournament, anna.pk), form, follow=True)
    anna.refresh_from_db()
    return plain(answer)


def test_another_ranking(client: Client, anna: Registration):
    ranking = anna.tournament.rankings.get(kind="team")
    chosen = {"category": anna.category_id, "rankings": [ranking.pk]}

    assert "Gespeichert." in said(client, anna, "tariff", **chosen)

    assert list(anna.rankings.all()) == [ranking]


def test_another_person(client: Client, anna: Registration):
    doris = Person.objects.get(first_name="Doris")

    assert "Lang, Doris spielt weiter." in said(
        client, anna, "substitute", person=doris.pk, reason="Anna ist krank"
    )

    assert anna.person == doris


def test_a_separation_and_its_end(client: Client, anna: Registration):
    bernd = anna.tournament.registrations.exclude(pk=anna.pk).get()

    assert "Gespeichert." in said(client, anna, "separate", number=bernd.number, reason="Paar")

    separation = Separation.objects.get()
    assert {separation.first, separation.second} == {anna, bernd}
    client.post(at("desk:unseparate", anna.tournament, separation.pk))
    assert not Separation.objects.exists()


def test_an_exclusion_taken_back(client: Client, anna: Registration):
    exclusions.exclude_undrawn(COMMAND, anna.pk, reason="Grob unsportlich")

    assert "Der Ausschluss ist zurückgenommen." in said(client, anna, "include", reason="Irrtum")

    assert anna.status != Registration.Status.EXCLUDED
