"""Fixtures of announcement tests: a complete tournament and its Spielleitung."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from tests.factories import make_member
from tests.tournaments.announcement.helpers import Desk, make_complete
from tests.worlds import world
from tournaments.models import Role, Tournament, User


@world
def tournament() -> Tournament:
    """A complete draft of three Serien with one Startgeld of 15 €."""
    return make_complete()


@pytest.fixture
def spielleitung(tournament: Tournament) -> User:
    """Return an actor who may change the tournament."""
    return make_member(tournament, Role.SPIELLEITUNG)


@pytest.fixture
def make_desk(client: Client) -> Callable[..., Desk]:
    def make(**fields: Any) -> Desk:
        tournament = make_complete(**fields)
        client.force_login(make_member(tournament, Role.SPIELLEITUNG))
        return Desk(client, tournament)

    return make


@pytest.fixture
def desk(make_desk: Callable[..., Desk]) -> Desk:
    return make_desk()
