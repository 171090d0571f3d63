"""„Wer kommt?“: the public list of players, if the Ausschreibung permits it."""

from __future__ import annotations

import pytest

from tests.clients import Client, at
from tests.factories import COMMAND, make_person, make_registration, make_tournament
from tournaments.models import Person, Registration, Tournament
from tournaments.people.services.people import update_person

pytestmark = [pytest.mark.django_db, pytest.mark.once]

Mode = Tournament.PublicPlayers


def announced(**fields) -> Tournament:
    tournament = make_tournament(status=Tournament.Status.ANNOUNCED, **fields)
    for last_name, consents in (("Zorn", True), ("Öder", False), ("Ahrens", True)):
        person = make_person("Eva", last_name, publish_consent=consents)
        make_registration(tournament, person)
    gone = make_person("Uwe", "Weg", publish_consent=True)
    make_registration(tournament, gone, status=Registration.Status.WITHDRAWN)
    return tournament


def page_of(tournament: Tournament) -> str:
    return Client().read(at("public:players", tournament.slug))


def names_on(page: str) -> list[str]:
    return [part.split("<")[0] for part in page.split('<li class="break-anywhere">')[1:]]


def test_consenting_players_are_listed_in_german_order():
    page = page_of(announced(public_players=Mode.NAMES, places=5))

    assert names_on(page) == ["Ahrens, Eva", "Ö., E.", "Zorn, Eva"]
    assert "3 Personen sind gemeldet" in page
    assert "2 Plätze sind frei" in page


def test_numbers_name_nobody():
    page = page_of(announced(public_players=Mode.NUMBERS))

    assert names_on(page) == ["Nr. 1", "Nr. 2", "Nr. 3"]
    assert "Ahrens" not in page


def test_revoked_consent_removes_the_name_from_the_cached_page():
    tournament = announced(public_players=Mode.NAMES)
    assert "Zorn" in page_of(tournament)

    person = Person.objects.get(last_name="Zorn")
    update_person(person_id=person.pk, actor=COMMAND, fields={"publish_consent": False})

    assert "Zorn" not in page_of(tournament)


@pytest.mark.parametrize(
    ("mode", "status"),
    [("", Tournament.Status.ANNOUNCED), (Mode.NAMES, Tournament.Status.CLOSED)],
    ids=["preset", "after the closing"],
)
def test_the_list_of_players_exists_only_if_announced(mode, status):
    tournament = announced(public_players=mode)
    Tournament.objects.filter(pk=tournament.pk).update(status=status)

    assert Client().get(at("public:players", tournament.slug)).status_code == 404
    assert "Wer kommt?" not in Client().read(at("public:tournament", tournament.slug))


def test_the_poster_links_to_the_list_of_players():
    tournament = announced(public_players=Mode.NAMES)

    assert at("public:players", tournament.slug) in Client().read(
        at("public:tournament", tournament.slug)
    )
