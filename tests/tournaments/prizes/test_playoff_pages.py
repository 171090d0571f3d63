"""An Entscheidungsspiel through the pages (§ 1.5): refused, recorded, and all that it decides."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse

from scoring.payments.prizes import PrizeLine, TieRule
from tests.factories import COMMAND, make_member
from tests.tournaments.archive.helpers import saved
from tests.tournaments.prizes.test_playoffs import played
from tournaments.archive.importing import import_archive
from tournaments.models import Playoff, Role, Tournament
from tournaments.prizes.queries.prizes import PrizeSheet
from tournaments.results.queries.rankings import OVERALL, Rankings

pytestmark = pytest.mark.django_db
PLAN = [PrizeLine(place=1, fixed_cents=5000), PrizeLine(place=2, fixed_cents=2000)]


def url(tournament: Tournament, name: str, **keys: object) -> str:
    return reverse(f"prizes:{name}", kwargs={"slug": tournament.slug, **keys})


def first_two(tournament: Tournament) -> list[int]:
    return [line.number for line in Rankings(tournament).standings(OVERALL)[:2]]


def test_the_page_refuses_a_playoff_of_unequal_players(client: Client):
    tournament = played(100, 110, 120, 130, lines=PLAN, ties=TieRule.PLAYOFF)
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))

    page = client.get(url(tournament, "playoffs")).content.decode()
    sent = {"einzel-1-place_1": "2", "einzel-1-place_2": "1"}
    answer = client.post(url(tournament, "record", which="einzel", rank=1), sent)

    assert "einzel-1-place_1" not in page
    assert answer.status_code == 409
    assert "niemand mehr gleich" in answer.content.decode()
    assert not Playoff.objects.exists()
    assert first_two(tournament) == [1, 2]


def test_a_playoff_counts_in_ranking_prizes_and_archive(client: Client):
    tournament = played(40, 40, 60, 70, lines=PLAN, ties=TieRule.PLAYOFF, second=(71, 72, 73, 73))
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))

    sent = {"einzel-1-place_1": "2", "einzel-1-place_2": "1"}
    answer = client.post(url(tournament, "record", which="einzel", rank=1), sent)

    assert answer.status_code == 302
    assert first_two(tournament) == [2, 1]
    won = {row.registration.number: row.cents for row in PrizeSheet(tournament).recipients}
    assert (won[2], won[1]) == (5000, 2000)
    text = saved(tournament)
    assert json.loads(text)["playoffs"] == [{"order": [2, 1]}]
    Tournament.objects.filter(pk=tournament.pk).update(slug="fort")
    assert first_two(import_archive(text.encode(), actor=COMMAND)) == [2, 1]
