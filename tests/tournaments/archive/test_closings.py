"""A closing refers to teams in its JSON; their keys change on import."""

from __future__ import annotations

import json

import pytest
from django.db import transaction
from django.utils import timezone

from scoring.errors import ScoringError
from tests.factories import COMMAND, make_players, make_tournament
from tests.factories_lists import list_of, make_seated_serie, write_games
from tests.factories_results import make_team
from tests.tournaments.archive.helpers import saved, unsealed
from tournaments.archive.importing import import_archive
from tournaments.archive.writing import archive_text
from tournaments.closing.queries.standings import changes, snapshot
from tournaments.models import Closing, Ranking, Spielliste, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def tandems(tournament: Tournament, names: str) -> None:
    ranking = Ranking.objects.create(tournament=tournament, kind=Ranking.Kind.TANDEM, size=2)
    players = make_players(tournament, 4)
    for name, pair in zip(names, (players[:2], players[2:]), strict=True):
        make_team(ranking, name, pair)
    serie = make_seated_serie(tournament, [players])
    write_games(list_of(serie), status=Spielliste.Status.VERIFIED)


def closed() -> str:
    """The archive of a closed tournament with two tandems."""
    with transaction.atomic():
        tournament = make_tournament(serien=1, status=Tournament.Status.CLOSED)
        tandems(tournament, "AB")
        Closing.objects.create(
            tournament=tournament,
            number=1,
            closed_at=timezone.now(),
            content=snapshot(tournament),
            content_hash="a" * 64,
        )
        text = saved(tournament)
        transaction.set_rollback(True)
    return text


def test_nothing_has_changed_since_a_closing_that_was_imported():
    text = closed()
    tandems(make_tournament(serien=1), "XY")  # takes the keys

    tournament = import_archive(text.encode(), actor=COMMAND)

    assert archive_text(tournament) == text
    closing = Closing.objects.get(tournament=tournament)
    numbers = [line["number"] for line in closing.content["rankings"]["tandem"]]
    assert numbers == list(
        tournament.rankings.get(kind="tandem").teams.values_list("pk", flat=True)
    )
    assert not changes(tournament, closing)


@pytest.mark.parametrize("rankings", [[], {"tandem": [{"number": 9}]}, {"tandem": [1]}])
def test_an_unreadable_closing_is_refused(rankings):
    data = unsealed(closed())
    data["closings"][0]["content"]["rankings"] = rankings

    with pytest.raises(ScoringError, match="„content“ verweist"):
        import_archive(json.dumps(data).encode(), actor=COMMAND)
