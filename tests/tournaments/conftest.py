"""A table of four in the first Serie, and the device that keeps its list."""

from __future__ import annotations

import pytest

from tests.factories import make_tournament
from tests.factories_lists import list_of, make_seated_serie
from tests.tournaments.lists.helpers import keeper_of
from tests.worlds import world


@world
def spielliste():
    return list_of(make_seated_serie(make_tournament()))


@pytest.fixture
def keeper(spielliste):
    return keeper_of(spielliste)
