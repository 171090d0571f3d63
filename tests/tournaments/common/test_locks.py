"""Closed rows do not change: the lock at the start of every act refuses it."""

from __future__ import annotations

import pytest
from django.db import transaction
from django.utils import timezone

from tests.factories import COMMAND, make_tournament
from tests.factories_lists import list_of, make_seated_serie
from tournaments.common.errors import WrongStatus
from tournaments.corrections.services.base import TournamentLists
from tournaments.corrections.services.moves import make_move
from tournaments.draw.services.draws import begin
from tournaments.lists.services.spiellisten import keep_on_paper
from tournaments.models import Serie
from tournaments.table.services import calls

pytestmark = pytest.mark.django_db


@pytest.fixture
def closed():
    """Return a Serie that was played and is closed."""
    serie = make_seated_serie(make_tournament())
    serie.closed_at = timezone.now()
    serie.save()
    return serie


@pytest.mark.parametrize(
    "act",
    [
        pytest.param(
            lambda serie: keep_on_paper(COMMAND, list_of(serie).pk, on_paper=True),
            id="a list of it",
        ),
        pytest.param(
            lambda serie: begin(COMMAND, serie.pk, method=Serie.Seating.ELECTRONIC),
            id="a draw",
        ),
        pytest.param(
            lambda serie: calls.call(COMMAND, serie.tables.get().pk, kind="dispute"),
            id="a call",
        ),
        pytest.param(
            lambda serie: make_move(
                TournamentLists(serie.tournament), serie, {"places": {}, "games": "place"}
            ),
            id="the preview of a move",
        ),
    ],
)
def test_a_closed_serie_is_refused_with_one_message_everywhere(closed, act):
    with pytest.raises(WrongStatus) as refusal, transaction.atomic():
        act(closed)

    assert str(refusal.value) == (
        "Serie 1 ist abgeschlossen. Zum Ändern öffnet die Spielleitung sie wieder."
    )
