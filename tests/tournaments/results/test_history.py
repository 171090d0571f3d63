"""A player's public results over tournaments: with consent, for the holder of the link."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse

from tests.clients import Client
from tests.factories import (
    COMMAND,
    START,
    make_member,
    make_person,
    make_players,
    make_registration,
    make_tournament,
)
from tests.factories_lists import list_of, make_seated_serie, write_games
from tournaments.common.access_keys import player_token
from tournaments.common.organisers import first_organiser
from tournaments.desk.services.changes import substitute
from tournaments.journal import services as journal
from tournaments.models import Person, Registration, Role, Season, Spielliste, Tournament
from tournaments.results.services import player_access

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def played(person: Person, name: str, days: int = 0, **fields) -> Registration:
    """A closed tournament in which *person* sat at place 2 of the only table."""
    tournament = make_tournament(
        name=name, serien=1, starts_at=START + timedelta(days=days), **fields
    )
    first = make_players(tournament, 1)
    mine = make_registration(tournament, person)
    last = make_players(tournament, 2)
    serie = make_seated_serie(tournament, [[*first, mine, *last]])
    write_games(list_of(serie), status=Spielliste.Status.VERIFIED)
    tournament.status = fields.get("status", Tournament.Status.CLOSED)
    tournament.save()
    player_access.store_tokens(tournament)
    return mine


@pytest.fixture
def anna() -> Person:
    return make_person("Anna", "Kühn", publish_consent=True)


def url(registration: Registration) -> str:
    return reverse("player:history", args=[player_token(registration)])


def shown(registration: Registration) -> str:
    return Client().get(url(registration)).content.decode()


def agree(registration: Registration, answer: str = "yes"):
    return Client().post(url(registration), {"shown": answer}, follow=True)


def test_a_consenting_player_sees_own_tournaments_with_ranks(anna: Person):
    played(anna, "Frühlingsturnier", days=-100)
    now = played(anna, "Herbstturnier")
    assert "Frühlingsturnier" not in shown(now)

    text = agree(now).content.decode()

    assert text.index("Herbstturnier") < text.index("Frühlingsturnier")
    assert text.count("1. von 4") == 2
    assert text.count("201") >= 2
    assert list(journal.first_breaks()) == []


def test_the_consent_to_a_history_can_be_revoked(anna: Person):
    before = played(anna, "Frühlingsturnier", days=-100)
    now = played(anna, "Herbstturnier")
    agree(now)

    assert "Herbstturnier" not in shown(before)  # the card of another tournament opens nothing
    assert "Frühlingsturnier" in shown(now)
    agree(now, "no")
    assert "Frühlingsturnier" not in shown(now)


def test_the_history_needs_consent_to_be_named(anna: Person):
    now = played(anna, "Herbstturnier")
    played(anna, "Frühlingsturnier", days=-100)
    agree(now)
    Person.objects.filter(pk=anna.pk).update(publish_consent=False)

    assert "Frühlingsturnier" not in shown(now)
    again = agree(now)
    assert again.status_code == 409
    assert "Ihr Name im Internet" in again.content.decode()


@pytest.mark.parametrize(
    "fields",
    [
        {"status": Tournament.Status.RUNNING},
        {"public_ranking": Tournament.PublicRanking.NEVER},
        {"replaced_at": START},
    ],
    ids=["running", "never public", "replaced"],
)
def test_the_history_contains_closed_public_tournaments(anna: Person, fields):
    played(anna, "Frühlingsturnier", days=-100, **fields)
    now = played(anna, "Herbstturnier")

    assert "Frühlingsturnier" not in agree(now).content.decode()


def test_the_history_is_private(anna: Person):
    played(anna, "Frühlingsturnier", days=-100)
    now = played(anna, "Herbstturnier")
    agree(now)
    other = played(make_person("Berta", "Kühn", publish_consent=True), "Wintertreffen", days=50)

    text = agree(other).content.decode()

    assert "Wintertreffen" in text
    assert "Frühlingsturnier" not in text
    for token in ("falsch", player_token(now)[:-2], f"{now.pk}"):
        address = reverse("player:history", args=[token])
        assert Client().get(address).status_code == 404
        assert Client().post(address, {"shown": "yes"}).status_code == 404
    answer = Client().get(url(now))
    assert "no-store" in answer["Cache-Control"]
    assert answer["X-Robots-Tag"] == "noindex, nofollow"


def test_a_substitute_does_not_inherit_the_history(anna: Person):
    now = played(anna, "Herbstturnier", status=Tournament.Status.RUNNING)
    agree(now)
    berta = make_person("Berta", "Kühn", publish_consent=True)

    substitute(COMMAND, now.pk, person_id=berta.pk, reason="krank")

    now.refresh_from_db()
    assert not now.shows_history
    assert Client().get(url(now)).status_code == 404  # until the new card is printed


@pytest.mark.both
def test_the_history_links_to_seasons(anna: Person):
    now = played(anna, "Herbstturnier")
    head = make_member(now.tournament, Role.VERANSTALTER)
    season = Season.objects.create(
        owner=first_organiser(), slug="jahr", name="Jahreswertung", created_by=head
    )
    season.tournaments.add(now.tournament)

    assert reverse("seasons:season", args=["jahr"]) in agree(now).content.decode()


def test_the_own_page_links_to_the_history(anna: Person):
    now = played(anna, "Herbstturnier")

    own = Client().get(reverse("player:page", args=[player_token(now)]))

    assert url(now) in own.content.decode()
