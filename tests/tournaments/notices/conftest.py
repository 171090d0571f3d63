"""A checked list with notices to its players."""

from __future__ import annotations

import pytest

from tests.tournaments.notices.helpers import make_checked_list, tournament_of
from tests.worlds import world
from tournaments.models import Spielliste, Tournament


@world
def spielliste() -> Spielliste:
    return make_checked_list(name="Herbstturnier 2026")


@pytest.fixture
def tournament(spielliste: Spielliste) -> Tournament:
    return tournament_of(spielliste)
