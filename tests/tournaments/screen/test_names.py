"""Names in the hall and on the internet: separate choices, and everyone can refuse."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clients import Client, at, logged_in
from tests.factories import (
    COMMAND,
    make_club,
    make_member,
    make_person,
    make_registration,
    make_tournament,
)
from tests.factories_lists import make_seated_serie
from tournaments.models import Person, Role, Tournament
from tournaments.people.queries.naming import count_unnamed_in_hall
from tournaments.printing.base import PrintRequest
from tournaments.printing.seating import by_name
from tournaments.screen import services as screens

pytestmark = pytest.mark.django_db


def from_the_desk(**fields: Any) -> Tournament:
    """Return four people registered at the desk without online consent; one refused."""
    tournament = make_tournament(status=Tournament.Status.RUNNING, **fields)
    club = make_club("SC Altenburg")
    names = [("Erika", "Berg"), ("Jens", "Adler"), ("Karl", "Zander"), ("Uwe", "Meier")]
    players = [
        make_registration(
            tournament, make_person(first, last, club=club, hall_objection=last == "Zander")
        )
        for first, last in names
    ]
    make_seated_serie(tournament, [players], number=1)
    screens.show(COMMAND, tournament.pk, shows="names")
    tournament.refresh_from_db()
    return tournament


def wall(tournament: Tournament) -> str:
    url = at("screen:screen", tournament)
    return Client().read(url)


def test_people_from_the_desk_are_named_on_the_screen_and_the_poster():
    tournament = from_the_desk()

    shown = wall(tournament)
    rows = by_name(PrintRequest(tournament=tournament, serie=1)).context["rows"]

    assert "Berg, Erika" in shown
    assert "Zander" not in shown  # the refusing player is shown with number and initials
    assert '<span class="screen-start">3</span>' in shown
    assert "Z., K." in shown
    assert [row.name for row in rows] == ["Adler, Jens", "Berg, Erika", "Meier, Uwe", "Z., K."]
    assert [row.letters for row in rows] == ["Adl", "Ber", "Mei", "Z"]


def test_public_pages_name_consenting_players_only():
    tournament = from_the_desk()

    page = Client().read(at("seating:serie", tournament, 1))

    assert "Berg" not in page
    assert "B., E." in page


def test_a_public_screen_names_consenting_players_only(settings: Any):
    settings.IS_IN_THE_HALL = False

    assert "Berg" not in wall(from_the_desk())


def test_names_in_the_hall_may_require_consent():
    tournament = from_the_desk(names_in_hall=False)
    Person.objects.filter(last_name="Berg").update(publish_consent=True)

    shown = wall(tournament)

    assert "Berg, Erika" in shown
    assert "Adler" not in shown
    assert count_unnamed_in_hall(tournament) == 3


@pytest.mark.parametrize(
    ("name", "keys"), [("screen:control", []), ("draw:serie", [1]), ("desk:desk", [])]
)
def test_desk_draw_and_control_count_the_people_hidden_in_the_hall(name: str, keys: list[int]):
    tournament = from_the_desk(names_in_hall=False)
    client = logged_in(make_member(tournament, Role.SPIELLEITUNG))

    page = client.read(at(name, tournament, *keys))

    assert "4 ohne Namen" in page or "4 im Saal ohne Namen" in page
