"""The missing facts of a draft: entered on its overview, and announced with them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.clients import Client, at
from tests.factories import make_member
from tests.tournaments.announcement.helpers import make_complete
from tournaments.announcement.services.sections import fingerprint
from tournaments.models import Role, Tournament
from tournaments.models.tournament import Section

pytestmark = pytest.mark.django_db
Status = Tournament.Status


def test_a_draft_asks_for_missing_facts(client: Client):
    tournament = make_complete(status=Status.DRAFT, venue="")
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    url = at("setup:tournament", tournament)

    page = client.read(url)
    answer = client.post(at("setup:announce", tournament))

    assert 'name="venue"' in page
    assert 'name="organiser"' not in page
    assert at("setup:announce", tournament) not in page
    assert answer.status_code == 409
    refusal = answer.content.decode()
    assert "Die Ausschreibung ist noch nicht vollständig" in refusal


def draft_without(*names: str) -> Tournament:
    """A draft of a tournament in a month that lacks some facts."""
    soon = timezone.now() + timedelta(days=30)
    return make_complete(status=Status.DRAFT, starts_at=soon, **dict.fromkeys(names, ""))


def missing_facts(tournament: Tournament, **data: str) -> dict[str, str]:
    """Return the form values of a draft."""
    return {"fingerprint": fingerprint(tournament, Section.GENERAL), **data}


def test_a_form_of_the_missing_facts_announces(client: Client):
    tournament = draft_without("venue", "organiser", "contact_email", "contact_phone")
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    sent = missing_facts(
        tournament, venue="Bürgerhaus", organiser="SC Altenburg", contact_phone="03447 1234"
    )

    client.post(at("setup:complete", tournament), {**sent, "announce": "1"})

    tournament.refresh_from_db()
    assert tournament.status == Status.ANNOUNCED
    assert (tournament.venue, tournament.organiser) == ("Bürgerhaus", "SC Altenburg")
    assert tournament.contact_phone == "03447 1234"


def test_the_missing_facts_are_stored_without_announcing(client: Client):
    tournament = draft_without("venue")
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))

    client.post(at("setup:complete", tournament), missing_facts(tournament, venue="Bürgerhaus"))

    tournament.refresh_from_db()
    assert (tournament.status, tournament.venue) == (Status.DRAFT, "Bürgerhaus")
    assert "Bereit zum Ausschreiben" in client.read(at("setup:tournament", tournament))


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        pytest.param({"contact_phone": "03447 1234"}, "Spielort", id="no place"),
        pytest.param(
            {"venue": "Bürgerhaus"}, "fehlt eine E-Mail-Adresse oder Telefonnummer", id="no way"
        ),
    ],
)
def test_an_incomplete_form_of_missing_facts_stores_nothing(
    client: Client, sent: dict[str, str], sentence: str
):
    tournament = draft_without("venue", "contact_email", "contact_phone")
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))

    refused = client.post(
        at("setup:complete", tournament), missing_facts(tournament, announce="1", **sent)
    )

    tournament.refresh_from_db()
    assert refused.status_code == 422
    assert sentence in refused.content.decode()
    assert (tournament.status, tournament.venue) == (Status.DRAFT, "")


def test_facts_entered_concurrently_are_not_replaced(client: Client):
    tournament = draft_without("venue")
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    sent = missing_facts(tournament, venue="Bürgerhaus", announce="1")
    Tournament.objects.filter(pk=tournament.pk).update(organiser="Ein anderer")

    refused = client.post(at("setup:complete", tournament), sent)

    assert refused.status_code == 409
    assert "inzwischen von jemand anderem geändert" in refused.content.decode()
