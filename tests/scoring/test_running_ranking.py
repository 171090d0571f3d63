"""Comparison of players with fewer and more games while a Serie runs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product

from hypothesis import given
from hypothesis import strategies as st

from scoring.competitors import Competitor, Result
from scoring.running_ranking import Allowances, TableCourse, allowance, allowances
from scoring.standings import rank_entries
from scoring.teams import Team, rank_teams

# Points of the seats after each game: three tables, after 3, 2 and 1 games.
HALL = (
    ((0, 20, 40, 20), (30, 20, 60, 50), (60, 30, 60, 90)),
    ((10, 10, 0, 60), (40, 60, 0, 60)),
    ((0, 0, 10, 30),),
)


Hall = Sequence[Sequence[Sequence[int]]]


def courses(hall: Hall) -> list[TableCourse]:
    """Return the value of each game at each table."""
    sums = [[0, *map(sum, table)] for table in hall]
    return [
        TableCourse(
            players=len(table[0]), brought=[after - before for before, after in pairwise(of_table)]
        )
        for table, of_table in zip(hall, sums, strict=True)
    ]


def fours(*tables: Sequence[int]) -> Allowances:
    """Return the allowances at tables of four with these values of games."""
    return allowances(TableCourse(players=4, brought=brought) for brought in tables)


def ranked(hall: Hall, before: Sequence[int] = ()) -> list[Competitor]:
    """Return all seats of *hall*, numbered, with points *before* from a complete Serie."""
    added = allowances(courses(hall))
    competitors: list[Competitor] = []
    for table in hall:
        players, games = len(table[-1]), len(table)
        for seat in range(players):
            result = Result(
                points=table[-1][seat],
                games_won=0,
                handromme=0,
                games=games,
                allowance=allowance(added, players=players, games=games),
            )
            first = (
                [Result(points=before[len(competitors)], games_won=0, handromme=0)]
                if before
                else []
            )
            competitors.append(Competitor(number=len(competitors) + 1, results=(*first, result)))
    return competitors


def test_the_value_of_a_game_is_the_mean_of_its_players():
    added = allowances(courses(HALL))

    # Game 1 brought (80 + 80 + 40) ÷ 12 = 16⅔, game 2 (80 + 80) ÷ 8 = 20, game 3 80 ÷ 4 = 20.
    assert added == {4: [Fraction(170, 3), 40, 20, 0]}


def test_twenty_points_after_eleven_games_rank_before_eighty_after_twelve():
    # Tables 2 and 3: 3 × 10 − 20 = 10 in each of 11 games; table 1: 3 × 60 − 20 = 160 in 12.
    added = fours([160] * 12, [10] * 11, [10] * 11)

    # Game 12 comes from table 1 alone: 160 ÷ 4 = 40; games 1 to 11 are not compared again.
    missing = allowance(added, players=4, games=11)
    assert missing == 40
    assert 20 + missing < 80
    # (160 + 10 + 10) ÷ 12 = 15 for each of the others
    assert allowance(added, players=4, games=9) == 2 * 15 + 40


def test_a_list_that_ended_early_provides_its_own_games_only():
    # Ended after two games: it says nothing of games 3 and 4, which brought 60 and 40.
    added = fours([40, 60], [40, 20, 60, 40])

    # 80 ÷ 8, 80 ÷ 8, 60 ÷ 4, 40 ÷ 4
    assert [allowance(added, players=4, games=games) for games in range(5)] == [45, 35, 25, 10, 0]


def test_a_player_with_more_games_than_any_table_gets_no_allowance():
    added = fours([40, 60])

    assert allowance(added, players=4, games=3) == 0


def test_tables_are_compared_with_tables_of_their_size_where_possible():
    added = allowances(
        [
            TableCourse(players=3, brought=[45, 30]),
            TableCourse(players=4, brought=[40, 80, 60]),
        ]
    )

    # Fours: 10 + 20 + 15. Threes: 15 + 10, and game 3 from the only table that has it: 15.
    assert added == {3: [40, 25, 15, 0], 4: [45, 35, 15, 0]}


def test_a_hall_without_tables_adds_no_allowance():
    assert allowances([]) == {}


def test_fewer_games_are_no_advantage():
    lines = rank_entries(ranked(HALL))

    # Table 1 gets nothing, table 2 gets 20, table 3 gets 20 + 20.
    assert [(line.rank, line.number, line.total, line.compared) for line in lines] == [
        (1, 7, 0, 20),
        (2, 2, 30, 30),
        (3, 9, 0, 40),
        (3, 10, 0, 40),
        (5, 11, 10, 50),
        (6, 1, 60, 60),
        (6, 3, 60, 60),
        (6, 5, 40, 60),
        (9, 12, 30, 70),
        (10, 6, 60, 80),
        (10, 8, 60, 80),
        (12, 4, 90, 90),
    ]
    assert [line.games for line in lines[:3]] == [2, 3, 1]


def test_points_of_whole_serien_count_unchanged():
    lines = rank_entries(ranked(HALL[1:], before=[300, 310, 320, 330, 290, 280, 270, 260]))

    # Game 2 brought the first table 80 ÷ 4, so the second one gets 20.
    assert [(line.number, line.compared) for line in lines] == [
        (6, 300),
        (7, 300),
        (5, 310),
        (8, 310),
        (3, 320),
        (1, 340),
        (2, 370),
        (4, 390),
    ]


def test_a_team_gets_the_allowances_of_its_members():
    tandems = [Team(number=1, members=(1, 5)), Team(number=2, members=(2, 9))]

    lines = rank_teams(tandems, ranked(HALL), size=2)

    # 30 + 0 + 40 with 3 + 1 games, 60 + 40 + 20 with 3 + 2
    assert [(line.number, line.total, line.compared, line.games) for line in lines] == [
        (2, 30, 70, 4),
        (1, 100, 120, 5),
    ]


# --- Laws --------------------------------------------------------------------------------------

POINTS = st.integers(-3, 3)


def _sizes(numbers: st.SearchStrategy) -> st.SearchStrategy:
    return st.lists(st.tuples(st.sampled_from([3, 4]), numbers), min_size=1, max_size=4)


# Made once: to make and check a strategy takes longer than to draw from it.
NUMBERS = st.integers(1, 4)
SIZES = _sizes(NUMBERS)
EQUAL_SIZES = {number: _sizes(st.just(number)) for number in range(1, 5)}
TABLES = {
    (size, number): st.lists(
        st.lists(POINTS, min_size=size, max_size=size), min_size=number, max_size=number
    )
    for size, number in product((3, 4), range(1, 5))
}


@st.composite
def halls(draw: st.DrawFn, *, equal: bool = False) -> list[list[list[int]]]:
    """Draw tables of three or four with up to four games, *equal* many if asked for."""
    sizes = draw(EQUAL_SIZES[draw(NUMBERS)] if equal else SIZES)
    return [draw(TABLES[size, number]) for size, number in sizes]


@given(halls(), st.integers(0, 3), st.integers(-50, 50))
def test_played_games_are_not_compared_again(hall, games, more):
    dearer = [
        [[points + more for points in seats] if game < games else seats for game, seats in played]
        for played in map(enumerate, hall)
    ]
    added, after = (
        allowances(
            TableCourse(players=len(table[0]), brought=[sum(seats) for seats in table])
            for table in tables
        )
        for tables in (hall, dearer)
    )

    for players in added:
        assert allowance(after, players=players, games=games) == allowance(
            added, players=players, games=games
        )
