"""A draft is announced before anybody registers, pays or is drawn: one button says so."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

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
def test_the_pages_that_need_it_announce_with_one_button_and_stay(
    client: Client, draft: Tournament, page: str, more: list[int]
):
    client.force_login(make_member(draft, Role.SPIELLEITUNG))
    shown = client.get(reverse(page, args=[draft.slug, *more])).content.decode()
    back = shown.partition('name="back" value="')[2].partition('"')[0]

    answer = client.post(reverse("setup:announce", args=[draft.slug]), {"back": back})

    draft.refresh_from_db()
    assert draft.status == Tournament.Status.ANNOUNCED
    first = page if not more else "draw:serien"
    assert answer["Location"] == reverse(first, args=[draft.slug])
    assert "noch ein Entwurf" not in client.get(answer["Location"]).content.decode()


def test_the_desk_is_told_who_can_announce(client: Client, draft: Tournament):
    client.force_login(make_member(draft, Role.KASSE))

    page = client.get(reverse("desk:desk", args=[draft.slug])).content.decode()

    assert "Ausschreiben kann es die Spielleitung" in page
    assert reverse("setup:announce", args=[draft.slug]) not in page


def test_what_is_missing_is_named_where_it_can_be_mended(client: Client):
    lacking = make_tournament(status=Tournament.Status.DRAFT)
    client.force_login(make_member(lacking, Role.SPIELLEITUNG))

    answer = client.post(reverse("setup:announce", args=[lacking.slug]), {"back": "desk"})

    assert answer.status_code == 409
    assert "Der Spielort fehlt." in answer.content.decode()
