"""Every rule of ties, from games to ranks, and every kind of ranking (§ 1.5).

The result of a table is given; ``factories_results`` makes the games for it, so the program has to
add them up. Ranks and reasons are worked out by hand.
"""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.payments.prizes import PrizeRanking as Key
from scoring.payments.prizes import RankingCategory
from tests.factories import make_players, make_tournament
from tests.factories_lists import list_of, make_seated_serie, write_games
from tests.factories_results import SeatOutcome, make_team, play_serie, table_of
from tests.worlds import world
from tournaments.common.ranking_names import label_of, ranking_of, slug_of
from tournaments.models import Playoff, Ranking, Registration, Spielliste
from tournaments.results.queries.rankings import OVERALL, Rankings

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Status = Spielliste.Status
TEAM, TANDEM = Key(category=RankingCategory.TEAM), Key(category=RankingCategory.TANDEM)
WOMEN, SERIE_2 = Key(category=RankingCategory.WOMEN), Key(category=RankingCategory.SERIE, serie=2)


def ranked(tournament, ranking=OVERALL, **kwargs):
    """Return rank, number, points and reason of each line."""
    table = Rankings(tournament).table(ranking, **kwargs)
    return [
        (line.standing.rank, line.standing.number, line.standing.total, line.decided)
        for line in table.lines
    ]


def one_table(*came, playoffs=()):
    tournament = make_tournament(serien=1)
    players = make_players(tournament, 4)
    play_serie(tournament, [players], [came])
    for order in playoffs:
        Playoff.objects.create(tournament=tournament, order=order)
    return tournament


FEWER_GAMES = "gleiche Punkte, weniger Spiele beendet ({} statt {})"
FEWER_HAND = "gleiche Punkte und Spiele, weniger Handrommés ({} statt {})"
EQUAL, PLAYED = "in allem gleich", "durch Entscheidungsspiel"


@pytest.mark.parametrize(
    ("came", "playoffs", "expected"),
    [
        pytest.param(
            [SeatOutcome(131), SeatOutcome(-9), SeatOutcome(40), SeatOutcome(130)],
            [],
            [(1, 2, -9, ""), (2, 3, 40, ""), (3, 4, 130, ""), (4, 1, 131, "")],
            id="§ 1.5 fewest points, also below zero",
        ),
        pytest.param(
            [
                SeatOutcome(100, won=3),
                SeatOutcome(100, won=4),
                SeatOutcome(100, won=5),
                SeatOutcome(170, won=0),
            ],
            [],
            [
                (1, 3, 100, ""),
                (2, 2, 100, FEWER_GAMES.format(4, 5)),
                (3, 1, 100, FEWER_GAMES.format(3, 4)),
                (4, 4, 170, ""),
            ],
            id="§ 1.5 more games finished",
        ),
        pytest.param(
            [
                SeatOutcome(100, hand=0),
                SeatOutcome(100, hand=2),
                SeatOutcome(100, hand=1),
                SeatOutcome(99),
            ],
            [],
            [
                (1, 4, 99, ""),
                (2, 2, 100, ""),
                (3, 3, 100, FEWER_HAND.format(1, 2)),
                (4, 1, 100, FEWER_HAND.format(0, 1)),
            ],
            id="§ 1.5 more Handrommés",
        ),
        pytest.param(
            [
                SeatOutcome(100, won=3, hand=3),
                SeatOutcome(100, won=4),
                SeatOutcome(120, won=3),
                SeatOutcome(120, won=2),
            ],
            [],
            [
                (1, 2, 100, ""),
                (2, 1, 100, FEWER_GAMES.format(3, 4)),
                (3, 3, 120, ""),
                (4, 4, 120, FEWER_GAMES.format(2, 3)),
            ],
            id="§ 1.5 games before Handrommés",
        ),
        pytest.param(
            [SeatOutcome(90), SeatOutcome(100), SeatOutcome(100), SeatOutcome(110)],
            [],
            [(1, 1, 90, ""), (2, 2, 100, ""), (2, 3, 100, EQUAL), (4, 4, 110, "")],
            id="who is still equal shares the place, the next is left out",
        ),
        pytest.param(
            [SeatOutcome(100), SeatOutcome(100), SeatOutcome(100), SeatOutcome(100)],
            [],
            [(1, 1, 100, ""), *((1, number, 100, EQUAL) for number in (2, 3, 4))],
            id="a whole table",
        ),
        pytest.param(
            [SeatOutcome(90), SeatOutcome(100), SeatOutcome(100), SeatOutcome(110)],
            [[3, 2]],
            [(1, 1, 90, ""), (2, 3, 100, ""), (3, 2, 100, PLAYED), (4, 4, 110, "")],
            id="§ 1.5 Entscheidungsspiel",
        ),
        pytest.param(
            [SeatOutcome(100), SeatOutcome(100), SeatOutcome(100), SeatOutcome(110)],
            [[3, 1]],
            [(1, 2, 100, ""), (1, 3, 100, EQUAL), (3, 1, 100, PLAYED), (4, 4, 110, "")],
            id="Entscheidungsspiel of two among three",
        ),
        pytest.param(
            [SeatOutcome(90), SeatOutcome(100), SeatOutcome(101), SeatOutcome(110)],
            [[4, 3, 2, 1]],
            [(1, 1, 90, ""), (2, 2, 100, ""), (3, 3, 101, ""), (4, 4, 110, "")],
            id="an Entscheidungsspiel decides nothing between others than equals",
        ),
    ],
)
def test_ties_are_broken_in_the_order_of_the_rule(came, playoffs, expected):
    assert ranked(one_table(*came, playoffs=playoffs)) == expected


def test_a_withdrawn_entscheidungsspiel_does_not_count():
    tournament = one_table(90, 100, 100, 110, playoffs=[[3, 2]])
    playoff = Playoff.objects.get()
    playoff.withdrawn_at = playoff.created_at
    playoff.save()

    assert [line[:2] for line in ranked(tournament)] == [(1, 1), (2, 2), (2, 3), (4, 4)]


def two_serien(second_status=Status.VERIFIED):
    """Serie 1 at two tables: 80 … 150; Serie 2 only with table 1."""
    tournament = make_tournament(serien=2)
    players = make_players(tournament, 8)
    rows = [players[:4], players[4:]]
    play_serie(tournament, rows, [(80, 90, 100, 110), (120, 130, 140, 150)])
    play_serie(tournament, rows[:1], [(300, 310, 320, 330)], number=2, status=second_status)
    return tournament, players


played = world(two_serien)


def test_players_missing_a_serie_rank_behind_more_results(played):
    tournament, _players = played

    # 80 + 300, 90 + 310, 100 + 320, 110 + 330; then those with one Serie
    assert ranked(tournament) == [
        (1, 1, 380, ""),
        (2, 2, 400, ""),
        (3, 3, 420, ""),
        (4, 4, 440, ""),
        (5, 5, 120, "1 von 2 Serien"),
        (6, 6, 130, "1 von 2 Serien"),
        (7, 7, 140, "1 von 2 Serien"),
        (8, 8, 150, "1 von 2 Serien"),
    ]


def test_an_invalid_list_is_a_marked_missing_result():
    tournament, _players = two_serien(second_status=Status.INVALID)

    table = Rankings(tournament).table(OVERALL)

    assert [line.standing.rank for line in table.lines] == list(range(1, 9))
    assert [(cell.points, cell.note) for cell in table.lines[0].cells] == [
        (80, ""),
        (None, "ungültig"),
    ]


def test_only_the_first_serien_count_in_an_intermediate_ranking(played):
    tournament, _players = played

    table = Rankings(tournament).table(OVERALL, upto=1)

    assert table.title == "Zwischenstand nach Serie 1"
    assert table.is_final
    assert [line.standing.total for line in table.lines] == list(range(80, 160, 10))


def test_an_excluded_player_is_unranked_and_other_points_stay(played):
    tournament, players = played
    Registration.objects.filter(pk=players[0].pk).update(status=Registration.Status.EXCLUDED)

    assert ranked(tournament)[0] == (1, 2, 400, "")


def test_a_serie_ranking_contains_its_players(played):
    tournament, _players = played

    assert ranked(tournament, SERIE_2) == [
        (1, 1, 300, ""),
        (2, 2, 310, ""),
        (3, 3, 320, ""),
        (4, 4, 330, ""),
    ]


def test_a_serie_entscheidungsspiel_counts_in_its_serie_only():
    tournament = one_table(100, 100, 110, 120)
    serie = tournament.serien.get()
    Playoff.objects.create(tournament=tournament, serie=serie, order=[2, 1])

    alone = ranked(tournament, Key(category=RankingCategory.SERIE, serie=1))

    assert [line[:2] for line in alone[:2]] == [(1, 2), (2, 1)]
    assert [line[:2] for line in ranked(tournament)[:2]] == [(1, 1), (1, 2)]


def test_women_have_a_ranking_of_their_own(played):
    tournament, players = played
    women = Ranking.objects.create(tournament=tournament, kind=Ranking.Kind.WOMEN)
    for player in (players[1], players[3], players[6]):
        player.rankings.add(women)

    assert ranked(tournament, WOMEN) == [
        (1, 2, 400, ""),
        (2, 4, 440, ""),
        (3, 7, 140, "1 von 2 Serien"),
    ]


def test_a_team_adds_its_members_and_misses_their_missed_serien(played):
    tournament, players = played
    ranking = Ranking.objects.create(tournament=tournament, kind=Ranking.Kind.TEAM, size=2)
    low = make_team(ranking, "Asse", [players[0], players[3]])
    high = make_team(ranking, "Buben", [players[1], players[2]])
    broken = make_team(ranking, "Damen", [players[4], players[0]][:1])
    mixed = make_team(ranking, "Könige", [players[5], players[6]])

    # 380 + 440 = 820 = 400 + 420: six games each, no Handrommé, so both are first. The
    # Könige have Serie 1 only (130 + 140), the Damen lack a member.
    assert ranked(tournament, TEAM) == [
        (1, low.pk, 820, ""),
        (1, high.pk, 820, EQUAL),
        (3, mixed.pk, 270, "1 von 2 Serien"),
        (4, broken.pk, 0, ""),
    ]


def test_an_entscheidungsspiel_between_teams_counts_for_teams_only(played):
    tournament, players = played
    ranking = Ranking.objects.create(tournament=tournament, kind=Ranking.Kind.TANDEM, size=2)
    first = make_team(ranking, "Asse", [players[0], players[3]])
    second = make_team(ranking, "Buben", [players[1], players[2]])
    Playoff.objects.create(tournament=tournament, ranking=ranking, order=[second.pk, first.pk])

    assert [line[:2] for line in ranked(tournament, TANDEM)] == [(1, second.pk), (2, first.pk)]
    assert ranked(tournament)[0][1] == 1


def test_a_team_with_an_absent_member_has_no_result(played):
    tournament, players = played
    ranking = Ranking.objects.create(tournament=tournament, kind=Ranking.Kind.TEAM, size=2)
    make_team(ranking, "Asse", players[:2])
    Registration.objects.filter(pk=players[7].pk).update(
        status=Registration.Status.WITHDRAWN, present_at=None
    )
    late = make_players(tournament, 1)[0]
    Registration.objects.filter(pk=late.pk).update(
        status=Registration.Status.WITHDRAWN, number=None, present_at=None
    )
    make_team(ranking, "Buben", [players[2], late])

    lines = Rankings(tournament).table(TEAM).lines

    assert [(line.name, line.has_result) for line in lines] == [("Asse", True), ("Buben", False)]


def test_a_provisional_ranking_counts_missing_and_unverified_lists():
    tournament = make_tournament(serien=2)
    players = make_players(tournament, 12)
    rows = [players[:4], players[4:8], players[8:]]
    serie = make_seated_serie(tournament, rows)
    write_games(list_of(serie, 1), table_of(80, 90, 100, 110), status=Status.VERIFIED)
    write_games(list_of(serie, 2), table_of(120, 130, 140, 150), status=Status.SIGNED)
    write_games(list_of(serie, 3), table_of(10, 20, 30, 40)[:3])

    table = Rankings(tournament).table(OVERALL, upto=1)

    assert not table.is_final
    assert table.open_points == [
        "Serie 1: 1 von 3 Listen fehlt (Tisch 3), 1 Liste ist noch nicht geprüft (Tisch 2)."
    ]
    assert [line.standing.results for line in table.lines] == [1] * 8 + [0] * 4
    assert Rankings(tournament).table(OVERALL).open_points[1] == (
        "Serie 2 ist noch nicht ausgelost."
    )


def test_running_lists_count_only_on_request():
    tournament = make_tournament(serien=1)
    serie = make_seated_serie(tournament)
    game = {"finisher": 2, "handromme": False, "minus": [23, 0, 45, 12]}
    write_games(list_of(serie), [game])

    rankings = Rankings(tournament)
    running = rankings.table(OVERALL, running=True)

    assert not any(line.has_result for line in rankings.table(OVERALL).lines)
    assert [(line.standing.number, line.standing.total) for line in running.lines] == [
        (2, -20),
        (4, 12),
        (1, 23),
        (3, 45),
    ]
    assert running.lines[0].cells[0].note == "läuft"


def test_a_list_counts_as_soon_as_it_is_complete():
    for status in (Status.COMPLETE, Status.SIGNED, Status.HANDED_IN, Status.VERIFIED):
        tournament = make_tournament(serien=1)
        play_serie(tournament, [make_players(tournament, 4)], [(80, 90, 100, 110)], status=status)
        assert ranked(tournament)[0][2] == 80


def test_rankings_take_the_same_queries_for_any_field():
    counts = []
    for tables in (2, 6):
        tournament = make_tournament(serien=2)
        team = Ranking.objects.create(tournament=tournament, kind=Ranking.Kind.TEAM, size=2)
        Ranking.objects.create(tournament=tournament, kind=Ranking.Kind.WOMEN)
        players = make_players(tournament, 4 * tables)
        rows = [players[at : at + 4] for at in range(0, len(players), 4)]
        for number in (1, 2):
            play_serie(tournament, rows, [(80, 90, 100, 110)] * tables, number=number)
        for at in range(0, len(players), 2):
            make_team(team, f"Team {at}", players[at : at + 2])
        with CaptureQueriesContext(connection) as queries:
            rankings = Rankings(tournament)
            for ranking in rankings.choices():
                rankings.table(ranking)
        counts.append(len(queries))

    # Lists 5, Serien 1, field 1, persons 1, rankings 1, members of them 1, teams 2, who was
    # replaced in them 1, playoffs 1
    assert counts == [14, 14]


@pytest.mark.parametrize(
    ("slug", "ranking"),
    [
        ("einzel", OVERALL),
        ("damen", WOMEN),
        ("mannschaft", TEAM),
        ("serie-2", SERIE_2),
        ("serie-0", None),
        ("serie-", None),
        ("serie-²", None),
        ("serie-99999", None),
        ("unfug", None),
        ("", None),
    ],
)
def test_rankings_have_names_in_addresses(slug, ranking):
    assert ranking_of(slug) == ranking
    if ranking is not None:
        assert slug_of(ranking) == slug


def test_rankings_have_the_names_of_the_ausschreibung_in_links():
    slugs = ("einzel", "mannschaft", "tandem", "damen", "junioren", "senioren", "serie-2")

    names = ("Einzel", "Mannschaft", "Tandem", "Damen", "Junioren", "Senioren", "Serie 2")
    assert tuple(label_of(ranking_of(slug)) for slug in slugs) == names
