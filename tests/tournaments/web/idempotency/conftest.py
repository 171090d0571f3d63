"""A tournament with the two helpers of its cash desk."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.clients import Client
from tests.factories import make_member, make_tournament
from tests.worlds import world
from tournaments.models import Role, Tournament


@world
def tournament() -> Tournament:
    return make_tournament(starts_at=timezone.now() + timedelta(hours=2))


@pytest.fixture
def desk(client: Client, tournament: Tournament) -> Client:
    client.force_login(make_member(tournament, Role.KASSE, name="Karl Kasse"))
    return client


@pytest.fixture
def second_desk(tournament: Tournament) -> Client:
    client = Client()
    client.force_login(make_member(tournament, Role.KASSE, name="Anna Kühn"))
    return client
