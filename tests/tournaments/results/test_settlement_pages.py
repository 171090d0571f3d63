"""Pages with the settlement of the other rule sets."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_member
from tests.tournaments.results.test_statistics import settled
from tournaments.models import Role, Tournament

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("rules", "hands", "amounts"),
    [
        # Each with each, a cent for each point of difference
        pytest.param(
            "hausregel", [0, 10, 20, 30], ["+0,60 €", "+0,20 €", "−0,20 €", "−0,60 €"], id="pairs"
        ),
        # 3 € of 4 € and 0,60 €… to the one 20 behind: the shares of 80 − 20 and 80 − 40
        pytest.param(
            "traditionell", [0, 20, 40, 90], ["+2,00 €", "−0,40 €", "−0,60 €", "−1,00 €"], id="ring"
        ),
        pytest.param(
            "progressiv", [0, 20, 40, 90], ["+0,12 €", "−0,02 €", "−0,04 €", "−0,06 €"], id="ranks"
        ),
    ],
)
def test_the_page_lists_receivers_and_payers(
    client: Client, rules: str, hands: list[int], amounts: list[str]
):
    settled(rules, hands)
    tournament = Tournament.objects.get()
    client.force_login(make_member(tournament, Role.KASSE))

    page = client.get(reverse("results:settlement", args=[tournament.slug])).content.decode()

    shown = re.findall(r"[+−][\d.,]+ €", page.replace("\N{NO-BREAK SPACE}", " "))
    # All together, and table by table: there is one.
    assert shown[:4] == amounts
    assert shown[4:] == amounts


def test_a_tournament_without_settlement_has_no_such_page(client: Client):
    settled("rommeordnung", [0, 20, 40, 90])
    tournament = Tournament.objects.get()
    client.force_login(make_member(tournament, Role.KASSE))

    page = client.get(reverse("results:ranking", args=[tournament.slug])).content.decode()

    assert reverse("results:settlement", args=[tournament.slug]) not in page
