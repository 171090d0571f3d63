"""Public seats: only published ones, names by consent, few queries."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import COMMAND, make_club, make_person, make_registration, make_tournament
from tests.tournaments.draw.helpers import begin, enter_in_order
from tournaments.draw.queries import seating
from tournaments.draw.services import draws
from tournaments.models import Draw, Registration, Serie, Tournament
from tournaments.people.queries.naming import INTERNET

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def seated(*people: tuple[str, str, bool], status: str = "published", **more: Any) -> Tournament:
    """Seat the people in the order given: numbers 1 to 4 at table 1, and so on."""
    tournament = make_tournament(**more)
    club = make_club("SC Altenburg")
    for first, last, consent in people:
        person = make_person(first, last, club=club, publish_consent=consent)
        make_registration(tournament, person)
    draw = enter_in_order(begin(tournament, Serie.Seating.CARDS))
    if status == "published":
        draws.publish(COMMAND, draw.pk)
    tournament.refresh_from_db()
    return tournament


def four(**more: Any) -> Tournament:
    return seated(
        ("Berta", "Zander", True),
        ("Karl", "Lange", False),
        ("Anna", "Adler", True),
        ("Otto", "Meier", True),
        **more,
    )


def url(tournament: Tournament, number: int = 1) -> str:
    return reverse("seating:serie", args=[tournament.slug, number])


def test_published_seats_are_public_with_names_by_consent(client: Client):
    page = client.get(url(four())).content.decode()

    assert "Zander, B." in page
    assert "K. L. (Nr. 2)" in page
    assert "L., K." in page
    assert "Lange" not in page
    assert page.count("SC Altenburg") == 3  # nor the club of a player without consent


def test_a_draft_is_not_public(client: Client):
    page = client.get(url(four(status="draft"))).content.decode()

    assert Draw.objects.get().status == "draft"
    assert "Zander" not in page
    assert "bekannt gegeben ist" in page


def test_initials_are_sorted_by_their_visible_letters():
    tables = seating.seated_tables(four().serien.get(number=1), INTERNET)

    places = seating.by_name(tables, INTERNET)

    assert [place.name for place in places] == [
        "Adler, Anna",
        "L., K.",
        "Meier, Otto",
        "Zander, Berta",
    ]
    assert [place.letters for place in places] == ["Adl", "L", "Mei", "Zan"]


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        pytest.param("3", "Tisch 1, Platz 3", id="seated"),
        pytest.param("77", "Startnummer „77“ sitzt in Serie 1 an keinem Tisch", id="nobody"),
        pytest.param("zand bert", "Startnummer 1, Berta Zander", id="a name"),
        pytest.param("Lange", "Unter „Lange“ steht hier niemand mit vollem Namen", id="no name"),
        pytest.param("K.", "Unter „K.“ steht hier niemand mit vollem Namen", id="initials"),
        pytest.param("9" * 40, "an keinem Tisch", id="far too long"),
    ],
)
def test_the_own_place_is_found_by_number_or_shown_name(client: Client, typed: str, sentence: str):
    page = client.get(url(four()), {"nr": typed}).content.decode()

    assert sentence in page


def test_the_number_of_queries_does_not_grow_with_players(
    client: Client, django_assert_num_queries: Any
):
    tournament = seated(*[("Anna", f"Name {number}", True) for number in range(32)])
    assert Registration.objects.count() == 32

    with django_assert_num_queries(6):
        client.get(url(tournament))
    with django_assert_num_queries(1):
        client.get(url(tournament))


def test_the_short_url_opens_the_latest_seated_serie(client: Client):
    tournament = four()
    empty = make_tournament()

    to_seated = client.get(reverse("seating:latest", args=[tournament.slug]))
    to_empty = client.get(reverse("seating:latest", args=[empty.slug]))

    assert to_seated["Location"] == url(tournament)
    assert to_empty["Location"] == url(empty)
