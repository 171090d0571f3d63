"""Corrections with other rule sets: further points, and games without a finisher."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from scoring.reading.ruleset_json import ruleset_to_dict
from scoring.rulesets import ruleset
from tests.factories import make_member, make_tournament
from tests.factories_lists import list_of, make_seated_serie, write_games
from tests.tournaments.checking.pages import look_and_store
from tournaments.models import Game, Role, Spielliste, Tournament

pytestmark = pytest.mark.django_db
GAMES = [{"finisher": 1, "handromme": False, "minus": [0, 23, 45, 12]}] * 7
TYPED = {
    "minus_1": "30",
    "minus_2": "25",
    "minus_3": "45",
    "minus_4": "15",
    "more_seat_0": "4",
    "more_points_0": "−50",
    "more_reason_0": "genau abgehoben",
    "version": "7",
    "reason": "Auf dem Papier so",
}


def played(name: str) -> Tournament:
    tournament = make_tournament(rule_set=ruleset_to_dict(ruleset(name)))
    spielliste = list_of(make_seated_serie(tournament))
    write_games(spielliste, GAMES, status=Spielliste.Status.SIGNED)
    return tournament


def line_url(tournament: Tournament) -> str:
    return reverse("checking:line", args=[tournament.slug, 1, 1]) + "?spiel=1"


def test_further_points_and_a_game_without_a_finisher_are_corrected(client: Client):
    tournament = played("liverpool")
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    before = client.get(line_url(tournament)).content.decode()
    assert "vielleicht Handrommé" not in before

    look_and_store(client, line_url(tournament), TYPED)

    assert Game.objects.get(number=1).line == {
        "finisher": None,
        "handromme": False,
        "minus": [30, 25, 45, 15],
        "adjustments": [{"seat": 4, "points": -50, "reason": "genau abgehoben"}],
    }
    page = client.get(reverse("checking:list", args=[tournament.slug, 1, 1])).content.decode()
    assert "G</span> Gutschriften" in page
    history = client.get(reverse("checking:history", args=[tournament.slug, 1, 1]))
    assert "Platz 4: −50 (genau abgehoben)" in history.content.decode()
    again = client.get(line_url(tournament)).content.decode()
    assert 'value="genau abgehoben"' in again
    assert 'name="more_points_1"' in again
