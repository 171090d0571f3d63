"""The way from the Ausschreibung to the form, open only as long as the form is."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.clients import Client, at
from tests.factories import make_tournament

pytestmark = pytest.mark.django_db
SOON = timedelta(hours=2)


@pytest.mark.parametrize(
    ("starts_in", "is_online", "is_linked"),
    [
        pytest.param(SOON, True, True, id="open"),
        pytest.param(SOON, False, False, id="only at the desk"),
        pytest.param(timedelta(minutes=10), True, False, id="§ 1.3 deadline is past"),
    ],
)
def test_the_ausschreibung_links_to_the_form(
    client: Client, starts_in: timedelta, is_online: bool, is_linked: bool
):
    tournament = make_tournament(
        starts_at=timezone.now() + starts_in, online_registration=is_online
    )

    page = client.read(at("public:tournament", tournament))

    assert (f'href="/t/{tournament.slug}/meldung/"' in page) == is_linked
