"""Every page says who may see it, and roles mean what they say."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tests.factories import make_member, make_tournament, make_user
from tournaments.common.access import VIEW_ATTRIBUTE, Access, role_labels
from tournaments.models import Role


def views(resolver: URLResolver, place: str = "") -> Iterator[tuple[str, URLPattern]]:
    for pattern in resolver.url_patterns:
        route = place + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from views(pattern, route)
        else:
            yield route, pattern


ALL = list(views(get_resolver()))


def test_every_view_says_who_may_see_it():
    silent = [route for route, view in ALL if not hasattr(view.callback, VIEW_ATTRIBUTE)]

    assert silent == []


def test_views_for_roles_have_the_tournament_in_their_address():
    without = [
        route
        for route, view in ALL
        if getattr(view.callback, VIEW_ATTRIBUTE, Access("public")).kind == "roles"
        and "<slug:slug>" not in route
    ]

    assert without == []


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
