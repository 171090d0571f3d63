"""A draft must be announced before registrations, payments and draws: one button does it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.clients import Client, at
from tests.factories import make_member, make_tournament
from tournaments.models import Role, Tournament

pytestmark = pytest.mark.django_db
PAGES = [("desk:desk", []), ("draw:serien", []), ("draw:serie", [1])]


@pytest.fixture
def draft() -> Tournament:
    return make_tournament(
        status=Tournament.Status.DRAFT,
        starts_at=timezone.now() + timedelta(days=1),
        venue="Saal",
        organiser="SC Altenburg",
        contact_phone="03447 1",
    )


@pytest.mark.parametrize(("page", "more"), PAGES)
def test_pages_of_a_draft_announce_by_a_button_and_stay(
    client: Client, draft: Tournament, page: str, more: list[int]
):
    client.force_login(make_member(draft, Role.SPIELLEITUNG))
    shown = client.read(at(page, draft, *more))
    back = shown.partition('name="back" value="')[2].partition('"')[0]

    answer = client.post(at("setup:announce", draft), {"back": back})

    draft.refresh_from_db()
    assert draft.status == Tournament.Status.ANNOUNCED
    first = page if not more else "draw:serien"
    assert answer["Location"] == at(first, draft)
    assert "noch ein Entwurf" not in client.read(answer["Location"])


def test_the_overview_announces_a_complete_draft(client: Client, draft: Tournament):
    client.force_login(make_member(draft, Role.SPIELLEITUNG))
    overview = at("setup:tournament", draft)

    assert at("setup:announce", draft) in client.read(overview)

    Tournament.objects.update(venue="")
    assert at("setup:announce", draft) not in client.read(overview)


def test_the_desk_names_the_roles_that_can_announce(client: Client, draft: Tournament):
    client.force_login(make_member(draft, Role.KASSE))

    page = client.read(at("desk:desk", draft))

    assert "Ausschreiben kann es die Spielleitung" in page
    assert at("setup:announce", draft) not in page
