"""The best of a closed tournament play on in one that follows; the others likewise (§ 1.1)."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.clients import Client
from tests.factories import make_head, make_organiser
from tests.tournaments.results.test_best_serien import played
from tournaments.models import Person, Spielliste, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.once]
WHEN = {"start_day": "2026-11-07", "start_time": "14:00"}


def closed() -> tuple[Tournament, Client]:
    """Nr. 3, 4, 2, 1, 5, 6, 7 and 8 are on the places 1 to 8."""
    tournament = played(name="Herbstturnier")
    Tournament.objects.filter(pk=tournament.pk).update(status=Tournament.Status.CLOSED)
    client = Client()
    client.force_login(make_head(tournament.owner))
    return tournament, client


def make(tournament: Tournament, client: Client, first: int, last: int) -> Tournament | None:
    url = reverse("results:final", args=[tournament.slug])
    sent = {**WHEN, "name_": f"Plätze ab {first}", "first": first, "last": last}
    client.post(url, sent)
    return tournament.copies.order_by("-pk").first()


def named(tournament: Tournament, *numbers: int) -> list[str]:
    people = {
        registration.number: registration.person.list_name
        for registration in tournament.registrations.all()
    }
    return [people[number] for number in numbers]


def test_finals_are_closed_tournaments_of_their_players():
    tournament, client = closed()
    page = client.get(reverse("results:ranking", args=[tournament.slug])).content.decode()

    final, rest = make(tournament, client, 1, 3), make(tournament, client, 4, 8)

    assert "Endrunde: die Besten spielen weiter" in page
    for made, numbers, circle in (
        (final, (3, 4, 2), "Plätze 1 bis 3 von „Herbstturnier“"),
        (rest, (1, 5, 6, 7, 8), "Plätze 4 bis 8 von „Herbstturnier“"),
    ):
        assert made is not None
        assert (made.is_draft, made.is_open, made.closed_circle) == (True, False, circle)
        lines = [line.partition(" (")[0] for line in made.circle_persons.splitlines()]
        assert lines == named(tournament, *numbers)
        assert made.rule_set == tournament.rule_set
        assert made.serien.count() == 3


def test_the_circle_is_named_in_the_language_of_the_tournament():
    tournament, client = closed()
    Tournament.objects.filter(pk=tournament.pk).update(language="de")
    client.cookies["django_language"] = "en"

    final = make(tournament, client, 1, 3)

    assert final is not None
    assert final.closed_circle == "Plätze 1 bis 3 von „Herbstturnier“"


def test_players_who_cannot_be_listed_are_reported():
    """Nr. 4 belongs to another organiser and has not agreed to be named."""
    tournament, client = closed()
    stranger = tournament.registrations.get(number=4)
    Person.objects.filter(pk=stranger.person_id).update(owner=make_organiser())

    final = make(tournament, client, 1, 3)

    assert final is not None
    assert len(final.circle_persons.splitlines()) == 2
    page = client.get(reverse("setup:tournament", args=[final.slug])).content.decode()
    assert "2 Personen sind neu auf der Liste. 1 Person eines anderen Veranstalters" in page


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        pytest.param(9, 16, "Auf diesen Plätzen ist niemand", id="nobody is there"),
        pytest.param(0, 16, "Bitte Name, Tag und Plätze", id="no place"),
    ],
)
def test_a_final_needs_players(first: int, last: int, said: str):
    tournament, client = closed()

    assert make(tournament, client, first, last) is None

    page = client.get(reverse("results:ranking", args=[tournament.slug])).content.decode()
    assert said in page
    assert not Tournament.objects.filter(copied_from=tournament).exists()


def test_qualification_needs_all_lists_checked():
    tournament, client = closed()
    lists = Spielliste.objects.filter(table__serie__tournament=tournament)
    lists.exclude(status="invalid").update(status="handed_in")

    assert make(tournament, client, 1, 3) is None
