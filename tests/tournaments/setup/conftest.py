"""What the tests of setting up share: a tournament that lacks nothing, and who may change it."""

from __future__ import annotations

import pytest

from tests.factories import make_member
from tests.tournaments.setup.helpers import make_complete
from tournaments.models import Role, Tournament, User


@pytest.fixture
def tournament() -> Tournament:
    """A complete draft of three Serien with one Startgeld of 15 €."""
    return make_complete()


@pytest.fixture
def spielleitung(tournament: Tournament) -> User:
    """Somebody who may change it."""
    return make_member(tournament, Role.SPIELLEITUNG)
