"""Points taken along from an earlier tournament: one more result, which is never struck."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scoring.competitors import Competitor, Result
from scoring.rulesets import ruleset
from scoring.standings import Criterion, Terms, rank_entries, rank_serie
from scoring.teams import Team, rank_teams
from tests.scoring.test_standings_terms import played, shown


def player(number: int, carried: int | None, *results: Result | None) -> Competitor:
    return Competitor(number=number, results=results, carried=carried)


def test_carried_points_count_in_the_total_and_decide() -> None:
    field = [
        player(1, 120, played(40)),  # 160
        player(2, 90, played(60)),  # 150
        player(3, -30, played(200, won=5)),  # 170
    ]

    standings = rank_entries(field)

    assert shown(standings) == [(1, 2, 150, ()), (2, 1, 160, ()), (3, 3, 170, ())]
    assert [(line.carried, line.series_totals) for line in standings] == [
        (90, (60,)),
        (120, (40,)),
        (-30, (200,)),
    ]
    assert [(line.results, line.lacks) for line in standings] == [(1, 0)] * 3


def test_games_finished_of_this_tournament_alone_decide_between_equals() -> None:
    field = [player(1, 100, played(50, won=2)), player(2, 50, played(100, won=3))]

    standings = rank_entries(field)

    assert [(line.number, line.decided_by) for line in standings] == [
        (2, None),
        (1, Criterion.GAMES),
    ]


def test_missing_carried_points_are_a_missing_result_not_zero() -> None:
    field = [
        player(1, None, played(10), played(10)),  # two results
        player(2, 300, played(100), played(100)),  # three
        player(3, 5, played(20), None),  # two: 25 and 20 are compared
        player(4, 0, None, None),  # none that was played here
    ]

    standings = rank_entries(field)

    assert shown(standings) == [(1, 2, 500, ()), (2, 1, 20, ()), (3, 3, 25, ()), (4, 4, 0, ())]
    assert [(line.lacks, line.has_place) for line in standings] == [
        (0, True),
        (1, True),
        (1, True),
        (3, False),
    ]
    assert [line.has_place for line in rank_entries(field, terms=Terms(only_whole=True))] == [
        True,
        False,
        False,
        False,
    ]


def test_carried_points_of_an_excluded_player_alone_do_not_count() -> None:
    gone = Competitor(number=1, results=(played(10),), carried=50, excluded=True)

    standings = rank_entries([gone, player(2, None, played(20))], terms=Terms(only_whole=True))

    assert [(line.number, line.lacks, line.has_place) for line in standings] == [(2, 0, True)]


def test_carried_points_are_never_struck_nor_part_of_a_serie_ranking() -> None:
    field = [player(1, 500, played(10), played(20)), player(2, 0, played(30), played(600))]

    best_of_one = rank_entries(field, terms=Terms(best=1))

    assert shown(best_of_one) == [(1, 2, 30, (1,)), (2, 1, 510, (1,))]
    assert [line.lacks for line in best_of_one] == [0, 0]
    assert shown(rank_serie(field, 1)) == [(1, 1, 10, ()), (2, 2, 30, ())]
    assert shown(rank_serie(field, 1, 2)) == [(1, 1, 30, ()), (2, 2, 630, ())]


def test_the_most_carried_wertpunkte_win_and_are_not_augen() -> None:
    def counted(points: int, augen: int) -> Result:
        return Result(points=points, games_won=0, handromme=0, augen=augen)

    field = [
        player(1, 40, counted(30, 500)),  # 70
        player(2, 55, counted(20, 100)),  # 75
        player(3, 45, counted(30, 400)),  # 75, with more Augen of this tournament
        player(4, None, counted(90, 0)),  # one result less
    ]

    standings = rank_entries(field, tie_breaks=ruleset("wertpunkte").tie_breaks)

    assert shown(standings) == [(1, 2, 75, ()), (2, 3, 75, ()), (3, 1, 70, ()), (4, 4, 90, ())]
    assert [(line.carried, line.augen) for line in standings[:2]] == [(55, 100), (45, 400)]


def test_a_team_carries_the_points_of_all_its_members() -> None:
    field = [
        player(1, 100, played(10)),
        player(2, 50, played(10)),
        player(3, 7, played(10)),
        player(4, None, played(10)),
    ]
    teams = [Team(number=7, members=(3, 4)), Team(number=8, members=(1, 2))]

    standings = rank_teams(teams, field, size=2)

    assert [(line.number, line.total, line.carried) for line in standings] == [
        (8, 170, 150),
        (7, 20, None),
    ]


@given(st.lists(st.tuples(st.integers(-300, 900), st.integers(-300, 900)), min_size=2, max_size=9))
def test_carried_points_rank_like_points_of_a_played_serie(
    came: list[tuple[int, int]],
) -> None:
    taken = [player(at, first, played(second)) for at, (first, second) in enumerate(came, 1)]
    as_serie = [
        player(at, None, played(first), played(second))
        for at, (first, second) in enumerate(came, 1)
    ]

    assert [(line.rank, line.number, line.total) for line in rank_entries(taken)] == [
        (line.rank, line.number, line.total) for line in rank_entries(as_serie)
    ]
