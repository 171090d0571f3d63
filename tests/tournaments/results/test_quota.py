"""The best of a ranking are added to the list of a closed tournament of the same organiser."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.clients import Client
from tests.factories import make_member, make_person, make_registration, make_tournament
from tests.factories_results import play_serie
from tournaments.models import JournalEntry, Membership, Organiser, Role, Spielliste, Tournament

pytestmark = pytest.mark.django_db


def played(**fields) -> Tournament:
    """A Serie of four: Berta has the fewest points, then Anna, then the others."""
    tournament = make_tournament(serien=1, status=Tournament.Status.RUNNING)
    names = [("Anna", "Kühn", 1950), ("Berta", "Voß", None), ("Clara", "Lang", None)]
    people = [make_person(first, last, birth_year=year) for first, last, year in names]
    rows = [make_registration(tournament, person) for person in [*people, make_person()]]
    play_serie(tournament, [rows], [[60, 30, 90, 120]], **fields)
    return tournament


def test_the_first_ranks_are_added_to_the_list_once(client: Client):
    source = played()
    head = make_member(source, Role.VERANSTALTER)
    final = make_tournament(
        name="Endrunde",
        is_open=False,
        closed_circle="Qualifizierte",
        admission="approval",
        circle_persons="Voß, Berta",
        venue="Saal",
        organiser="SC",
        contact_email="sc@verein.example",
    )
    Membership.objects.create(tournament=final, user=head, role=Role.SPIELLEITUNG)
    client.force_login(head)

    page = client.get(reverse("results:ranking", args=[source.slug])).content.decode()
    url = reverse("results:invite", args=[source.slug])
    for _time in range(2):
        client.post(url, {"tournament": final.pk, "most": 2})

    assert "Endrunde" in page
    final.refresh_from_db()
    assert final.circle_persons.splitlines() == ["Voß, Berta", "Kühn, Anna (1950)"]
    assert JournalEntry.objects.filter(action="tournament_changed").count() == 1


def test_invitations_need_checked_lists_and_the_right(client: Client):
    source = played(status=Spielliste.Status.HANDED_IN)
    head = make_member(source, Role.VERANSTALTER)
    closed = {"is_open": False, "closed_circle": "Qualifizierte"}
    final = make_tournament(**closed)
    elsewhere = make_tournament(owner=Organiser.objects.create(name="RC Gera"), **closed)
    for tournament in (final, elsewhere):
        Membership.objects.create(tournament=tournament, user=head, role=Role.SPIELLEITUNG)
    client.force_login(head)
    url = reverse("results:invite", args=[source.slug])

    early = client.post(url, {"tournament": final.pk, "most": 2}, follow=True).content.decode()

    assert "Erst wenn alle Listen geprüft sind" in early
    strange = client.post(
        url, {"tournament": elsewhere.pk, "most": 2}, follow=True
    ).content.decode()
    assert "desselben Veranstalters" in strange
    assert not Tournament.objects.exclude(circle_persons="").exists()
