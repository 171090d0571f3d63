"""A table of four in the first Serie, and the device that keeps its list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.clients import Client
from tests.factories import make_member, make_tournament
from tests.factories_lists import list_of, make_seated_serie
from tests.tournaments.lists.helpers import keeper_of
from tests.worlds import world
from tournaments.models import NotedRequest, Role, Tournament


@pytest.fixture(autouse=True, scope="session")
def _no_request_is_noted_as_slow() -> Iterator[None]:
    """Disable the log of slow requests, because tests count statements."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(NotedRequest, "SLOW_SECONDS", 3600)
        yield


@world
def spielliste():
    return list_of(make_seated_serie(make_tournament()))


@pytest.fixture
def keeper(spielliste):
    return keeper_of(spielliste)


@pytest.fixture
def leader(client: Client, tournament: Tournament) -> Client:
    """Give the browser of the Spielleitung of a tournament."""
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    return client


@pytest.fixture
def with_mail(settings: Any) -> None:
    """Let mails go out, with links to a public address."""
    settings.HAS_EMAIL = True
    settings.PUBLIC_URL = "https://romme.example"
