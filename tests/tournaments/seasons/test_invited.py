"""The best of a season are added to the list of the next closed tournament of its organiser."""

from __future__ import annotations

import pytest

from tests.clients import Client, at
from tests.factories import make_member, make_organiser, make_person, make_tournament
from tests.tournaments.seasons.test_seasons import facts, persons, played
from tournaments.common.organisers import first_organiser
from tournaments.models import JournalEntry, Membership, Organiser, Role, Season, Tournament, User
from tournaments.results.services.quota import InvitationCount
from tournaments.seasons.services import create_season, invite_best

__all__ = ["persons"]
pytestmark = pytest.mark.django_db
FINAL = {
    "is_open": False,
    "closed_circle": "Qualifizierte",
    "admission": "members",
    "venue": "Saal",
    "organiser": "Landesverband",
    "contact_email": "verband@example.org",
}


def make_final(head: User, **fields) -> Tournament:
    final = make_tournament(name="Endrunde", **{**FINAL, **fields})
    Membership.objects.create(tournament=final, user=head, role=Role.SPIELLEITUNG)
    return final


def test_the_first_ranks_of_a_finished_season_are_listed_once(persons, client: Client):
    source = played(persons)  # by seat: 210, 201, 279, 301
    head = make_member(source, Role.VERANSTALTER)
    season = create_season(owner=first_organiser(), **facts(source, is_over=True), user=head)
    final = make_final(head)
    client.force_login(head)
    url = at("seasons:invite", season)

    page = client.read(at("seasons:season", season))
    said = [
        client.post(url, {"tournament": final.pk, "most": 2}, follow=True).content.decode()
        for _time in range(2)
    ]

    assert "Endrunde" in page
    assert "2 Personen sind neu auf der Liste." in said[0]
    assert "0 Personen sind neu auf der Liste." in said[1]
    final.refresh_from_db()
    assert final.circle_persons.splitlines() == ["Kühn2, Anna", "Kühn1, Anna"]
    assert JournalEntry.objects.filter(action="tournament_changed").count() == 1


def test_invitations_need_a_finished_season_and_the_right(persons, client: Client):
    source = played(persons)
    head = make_member(source, Role.VERANSTALTER)
    season = create_season(owner=first_organiser(), **facts(source), user=head)
    final = make_final(head)
    elsewhere = make_final(head, owner=Organiser.objects.create(name="RC Gera"))
    client.force_login(head)
    url = at("seasons:invite", season)

    early = client.post(url, {"tournament": final.pk, "most": 2}, follow=True).content.decode()
    Season.objects.update(is_over=True)
    strange = client.post(
        url, {"tournament": elsewhere.pk, "most": 2}, follow=True
    ).content.decode()
    empty = client.post(url, {"tournament": final.pk, "most": ""}, follow=True).content.decode()
    client.force_login(make_member(source, Role.KASSE))
    not_leading = client.post(
        url, {"tournament": final.pk, "most": 2}, follow=True
    ).content.decode()

    assert "Erst wenn die Saison zu Ende ist" in early
    for page in (strange, not_leading):
        assert "Eingeladen wird in ein geschlossenes Turnier desselben Veranstalters" in page
    assert "wie viele Plätze" in empty
    assert not Tournament.objects.exclude(circle_persons="").exists()


def test_names_of_another_organiser_are_shared_with_consent_only():
    parent = make_organiser("Landesverband", shares_members=True)
    club, other = make_organiser("SC Gera", parent=parent), make_organiser("RC Jena")
    players = [
        make_person("Anna", "Kühn", owner=club, birth_year=1950),
        make_person("Berta", "Voß", owner=parent, birth_year=1951),
        make_person("Clara", "Lang", owner=other, birth_year=1952, publish_consent=True),
        make_person("Doris", "Zorn", owner=other, birth_year=1953),
    ]
    source = played(players, owner=club)
    head = make_member(source, Role.VERANSTALTER)
    season = create_season(owner=club, **facts(source, is_over=True), user=head)
    final = make_final(head, owner=club)

    invited = invite_best(season=season, target_id=final.pk, most=4, user=head)

    assert invited == InvitationCount(new=3, unnamed=1)
    assert "1 Person eines anderen Veranstalters" in str(invited)
    final.refresh_from_db()
    assert final.circle_persons.splitlines() == [
        "Voß, Berta (1951)",
        "Kühn, Anna (1950)",
        "Lang, Clara",
    ]
