"""The public page of a tournament that is over: its result, or that it is called off."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import COMMAND
from tests.tournaments.announcement.helpers import make_complete
from tests.tournaments.hall.pages import text
from tests.tournaments.notices.helpers import make_checked_list, tournament_of
from tournaments.closing import services as closing
from tournaments.models import Person, Ranking, Tournament

pytestmark = pytest.mark.django_db
INVITING = ("lädt ein", "Meldeschluss", "Zu gewinnen", "In den Kalender")


def look(tournament: Tournament) -> str:
    return text(Client().get(reverse("public:tournament", args=[tournament.slug])))


@pytest.fixture
def closed() -> Tournament:
    """A closed tournament with one table: seat 2 won (210, 201, 279 and 301 points)."""
    tournament = tournament_of(make_checked_list())
    for serie in tournament.serien.all():
        closing.close_serie(COMMAND, serie.pk)
    return closing.close(COMMAND, tournament.pk)


def publish(closed: Tournament, **fields: str) -> list[str]:
    """Let the public see the ranking; return the names in the order of the seats."""
    values = {"organiser": "SC Altenburg", "public_ranking": "live", **fields}
    Tournament.objects.filter(pk=closed.pk).update(**values)
    people = Person.objects.filter(registrations__tournament=closed)
    return [person.full_name for person in people.order_by("registrations__number")]


def test_the_public_page_shows_the_result_without_an_invitation(closed: Tournament):
    first, second, third, fourth = publish(closed)
    Person.objects.update(publish_consent=True)

    page = look(closed)

    winner, podium = page.split('id="outcome-title"')[1].split("</h2>")[:2]
    assert second in winner
    assert first in podium
    assert third in podium
    assert fourth not in page
    assert reverse("results_public:overall", args=[closed.slug]) in page
    assert [words for words in INVITING if words in page] == []


def test_players_without_consent_have_initials(closed: Tournament):
    names = publish(closed)
    Person.objects.update(publish_consent=False)

    page = look(closed)

    assert [name for name in names if name in page] == []
    assert "(Nr. 2)" in page.split('id="outcome-title"')[1].split("</h2>")[0]


def test_other_rankings_link_to_their_public_page(closed: Tournament):
    publish(closed)
    women = closed.rankings.create(kind=Ranking.Kind.WOMEN)
    closed.registrations.get(number=3).rankings.add(women)

    assert f'href="{reverse("results_public:ranking", args=[closed.slug, "damen"])}"' in look(
        closed
    )


def test_a_ranking_that_is_not_public_shows_no_winner(closed: Tournament):
    names = publish(closed, public_ranking=Tournament.PublicRanking.NEVER)
    Person.objects.update(publish_consent=True)

    page = look(closed)

    assert [name for name in names if name in page] == []
    assert "abgeschlossen" in page
    assert [words for words in INVITING if words in page] == []


def test_a_called_off_tournament_names_a_contact_and_invites_nobody():
    tournament = make_complete(
        status=Tournament.Status.CALLED_OFF,
        called_off_reason="Hochwasser",
        organiser="SC Altenburg",
        contact="Karla Otto",
        iban="DE02120300000000202051",
    )

    page = look(tournament)

    assert "Hochwasser" in page
    assert "Karla Otto" in page
    assert "Überweisung an" not in page
    assert [words for words in INVITING if words in page] == []
