"""The ranking during a Serie: equal on all pages and fair."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from scoring.payments.prizes import PrizeRanking as Key
from scoring.payments.prizes import RankingCategory
from tests.clients import Client
from tests.clients import plain as text
from tests.factories import COMMAND, make_member, make_players, make_tournament
from tests.factories_lists import list_of, make_seated_serie, write_games
from tests.factories_results import make_team, play_serie, table_of
from tests.worlds import world
from tournaments.common.access_keys import player_path
from tournaments.models import Ranking, Role, Screen, Spielliste, Tournament
from tournaments.results.queries.rankings import OVERALL, Rankings
from tournaments.results.services import player_access
from tournaments.screen import services as screens

pytestmark = pytest.mark.django_db

# Serie 1: in the order of the start numbers. Serie 2: table 1 is done and had dear games, of
# the others one has played 3 games and one 5.
FIRST = [(100, 200, 300, 400), (110, 210, 310, 410), (120, 220, 320, 420)]
DONE = table_of(600, 610, 620, 630)
CHEAP = [{"finisher": 1, "handromme": False, "minus": [0, 10, 20, 30]}]


@world
def tournament() -> Tournament:
    """Serie 2 of 3 runs: a finished table, and others at 3 and 5 games."""
    tournament = make_tournament(serien=3, status=Tournament.Status.RUNNING)
    players = make_players(tournament, 13)
    for player in players:
        player.person.publish_consent = True
        player.person.save()
    rows = [players[:4], players[4:8], players[8:12]]
    play_serie(tournament, rows, FIRST)
    serie = make_seated_serie(tournament, rows, number=2)
    write_games(list_of(serie, 1), DONE, status=Spielliste.Status.SIGNED)
    write_games(list_of(serie, 2), CHEAP * 3)
    write_games(list_of(serie, 3), CHEAP * 5)
    player_access.store_tokens(tournament)
    screens.show(COMMAND, tournament.pk, shows=Screen.Shows.RANKING, seconds=8)
    return tournament


def order(answer: Any) -> list[tuple[int, int]]:
    """Return rank and start number of each line that a page shows with a result."""
    lines = [row.line for row in answer.context["rows"] if row.line.has_result]
    return [(line.standing.rank, line.standing.number) for line in lines]


# After Serie 1: 100, 110, 120, 200, …
SETTLED = [(rank, number) for rank, number in enumerate([1, 5, 9, 2, 6, 10, 3, 7, 11, 4, 8, 12], 1)]


def test_all_pages_agree_on_the_running_ranking(client: Client, tournament: Tournament):
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    slug = [tournament.slug]

    staff = client.get(reverse("results:ranking", args=slug))
    public = Client().get(reverse("results_public:overall", args=slug))
    wall = Client().get(reverse("screen:screen", args=slug))
    statistics = client.get(reverse("results:statistics", args=slug))

    assert order(staff) == order(public) == order(wall) == SETTLED
    for page in (staff, public, wall):
        assert "Zwischenstand nach Serie 1" in text(page)
        assert "nach Spiel" not in text(page)
    bump = statistics.context["bump_rows"]
    assert [(ranks[-1], player.number) for player, ranks in bump] == SETTLED[:10]
    for rank, number in SETTLED:
        own = Client().get(player_path(tournament.registrations.get(number=number)))
        assert "Zwischenstand nach Serie 1" in text(own)
        assert f"<strong> Rang {rank} </strong> <span>von 12</span>" in text(own)


def test_the_ranking_with_running_games_is_one_click_away(client: Client, tournament: Tournament):
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    slug = [tournament.slug]
    staff_url, public_url = (
        reverse("results:ranking", args=slug),
        reverse("results_public:overall", args=slug),
    )
    assert 'href="?wertung=einzel&amp;laufend=1"' in text(client.get(staff_url))
    assert 'href="?laufend=1"' in text(Client().get(public_url))

    staff = client.get(staff_url, {"laufend": "1"})
    public = Client().get(public_url, {"laufend": "1"})

    assert order(staff) == order(public)
    for page in (staff, public):
        assert "Verglichen wird, was jedes Spiel brachte" in text(page)
        assert [text(page).count(f"nach Spiel {games}<") for games in (12, 3, 5)] == [4, 4, 4]
        assert "nach=1" in text(page)


def test_a_player_without_games_of_the_serie_gets_the_mean():
    tournament = make_tournament(serien=2)
    players = make_players(tournament, 8)
    rows = [players[:4], players[4:]]
    play_serie(tournament, rows, [(100, 110, 120, 130), (105, 115, 125, 135)])
    serie = make_seated_serie(tournament, rows, number=2)
    write_games(list_of(serie, 1), CHEAP)

    lines = Rankings(tournament).table(OVERALL, upto=2, running=True, moves=True).lines

    # Game 1 gives −20, 10, 20 and 30, 10 on average; players without it get those 10.
    assert [
        (line.standing.number, line.standing.total, line.compared, line.moved, line.so_far)
        for line in lines
    ] == [
        (1, 80, 80, 0, "nach Spiel 1"),
        (5, 105, 115, 0, "vor Spiel 1"),
        (2, 120, 120, 0, "nach Spiel 1"),
        (6, 115, 125, 0, "vor Spiel 1"),
        (7, 125, 135, 1, "vor Spiel 1"),
        (3, 140, 140, -1, "nach Spiel 1"),
        (8, 135, 145, 1, "vor Spiel 1"),
        (4, 160, 160, -1, "nach Spiel 1"),
    ]


def test_a_tandem_is_compared_by_the_games_of_both(tournament: Tournament):
    ranking = Ranking.objects.create(tournament=tournament, kind=Ranking.Kind.TANDEM, size=2)
    by_number = {
        registration.number: registration for registration in tournament.registrations.all()
    }
    make_team(ranking, "Asse", [by_number[1], by_number[5]])
    make_team(ranking, "Buben", [by_number[2], by_number[9]])

    tandem = Key(category=RankingCategory.TANDEM)
    lines = Rankings(tournament).table(tandem, upto=2, running=True).lines

    # 100 + 600 and 110 − 3 × 20 in Serie 2; 200 + 610 and 120 − 5 × 20
    assert {line.name: (line.standing.total, line.so_far) for line in lines} == {
        "Asse": (750, "nach zusammen 15 Spielen"),
        "Buben": (830, "nach zusammen 17 Spielen"),
    }


def test_the_running_serie_is_shown_before_the_first_complete_one():
    tournament = make_tournament(serien=2, status=Tournament.Status.RUNNING)
    serie = make_seated_serie(tournament)
    write_games(list_of(serie), CHEAP * 2)

    page = Client().get(reverse("results_public:overall", args=[tournament.slug]))

    assert "Stand mit Serie 1" in text(page)
    assert text(page).count("nach Spiel 2<") == 4


def test_players_missing_a_serie_see_the_number_of_counting_ones(
    client: Client, tournament: Tournament
):
    serie = tournament.serien.get(number=2)
    Spielliste.objects.filter(table__serie=serie, table__number__in=(2, 3)).update(
        status=Spielliste.Status.INVALID,
        invalid_reason="unleserlich",
        status_before_invalid=Spielliste.Status.HANDED_IN,
    )
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))

    staff = client.get(reverse("results:ranking", args=[tournament.slug]))
    public = Client().get(reverse("results_public:overall", args=[tournament.slug]))

    for page in (staff, public):
        assert text(page).count(">1 von 2 Serien<") == 8
