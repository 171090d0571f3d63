"""Every page says who may see it, and roles mean what they say."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_member, make_tournament, make_user
from tests.tournaments.access_matrix import ADDRESSES
from tournaments.common.access import role_labels
from tournaments.models import Role


def test_every_view_says_who_may_see_it():
    assert [one.route for one in ADDRESSES if one.access is None] == []


def test_views_for_roles_have_the_tournament_in_their_address():
    for_roles = [one for one in ADDRESSES if one.access.kind == "roles"]

    assert for_roles
    assert [one.route for one in for_roles if "slug" not in one.keys] == []


@pytest.mark.django_db
def test_a_missing_role_is_named_on_the_page(client: Client):
    tournament = make_tournament()
    client.force_login(make_member(tournament, Role.SCHIEDSRICHTER))

    answer = client.get(reverse("desk:desk", args=[tournament.slug]))

    assert answer.status_code == 403
    assert "Veranstalter, Spielleitung, Anmeldung und Kasse" in answer.content.decode()


@pytest.mark.django_db
def test_an_unknown_tournament_is_not_found(client: Client):
    client.force_login(make_user())

    assert client.get(reverse("desk:desk", args=["gibt-es-nicht"])).status_code == 404


def test_roles_are_listed_in_the_order_of_responsibility():
    roles = {Role.KASSE.value, Role.VERANSTALTER.value}

    assert role_labels(roles) == ["Veranstalter", "Anmeldung und Kasse"]
