"""Comparing those who have fewer games with those who have more, while a Serie runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from scoring.running import TableCourse, allowance, hall_means
from scoring.standings import Competitor, Result, rank_entries
from scoring.teams import Team, rank_teams

# Points of the seats after each game: three tables, after 3, 2 and 1 games.
HALL = (
    ((0, 20, 40, 20), (30, 20, 60, 50), (60, 30, 60, 90)),
    ((10, 10, 0, 60), (40, 60, 0, 60)),
    ((0, 0, 10, 30),),
)


Hall = Sequence[Sequence[Sequence[int]]]


def courses(hall: Hall) -> list[TableCourse]:
    """Return what each table has collected after each game."""
    return [
        TableCourse(players=len(table[0]), after=dict(enumerate(map(sum, table), start=1)))
        for table in hall
    ]


def ranked(hall: Hall, before: Sequence[int] = ()) -> list[Competitor]:
    """Return everybody of *hall*, numbered through, with points *before* from a whole Serie."""
    means = hall_means(courses(hall))
    found: list[Competitor] = []
    for table in hall:
        for seat in range(len(table[-1])):
            games = len(table)
            result = Result(
                points=table[-1][seat],
                games_won=0,
                handromme=0,
                games=games,
                allowance=allowance(means, games),
            )
            first = [Result(points=before[len(found)], games_won=0, handromme=0)] if before else []
            found.append(Competitor(number=len(found) + 1, results=(*first, result)))
    return found


def test_the_mean_after_a_game_is_of_all_who_have_played_it():
    means = hall_means(courses(HALL))

    # (80 + 80 + 40) ÷ 12, (160 + 160) ÷ 8, 240 ÷ 4
    assert means == {0: 0, 1: Fraction(50, 3), 2: 40, 3: 60}
    # 60 − 0, 60 − 16⅔, 60 − 40, 60 − 60
    assert [allowance(means, games) for games in range(4)] == [60, Fraction(130, 3), 20, 0]


def test_a_number_of_games_that_nobody_tells_of_counts_as_the_next_lower_one():
    # A list that ended after two games and stands for twelve, and one that goes on after four.
    whole = TableCourse(players=4, after={1: 40, 2: 100, 12: 600})
    going_on = TableCourse(players=4, after={1: 40, 2: 60, 3: 120, 4: 160})

    means = hall_means([whole, going_on])

    assert means == {0: 0, 1: 10, 2: 20, 3: 30, 4: 40, 12: 150}
    assert allowance(means, 12) == 0
    assert allowance(means, 7) == allowance(means, 4) == 110


def test_fewer_games_are_no_advantage():
    lines = rank_entries(ranked(HALL))

    # Table 1 stands as it is, table 2 gets 20, table 3 gets 43⅓.
    assert [(line.rank, line.number, line.total, line.compared) for line in lines] == [
        (1, 7, 0, 20),
        (2, 2, 30, 30),
        (3, 9, 0, Fraction(130, 3)),
        (3, 10, 0, Fraction(130, 3)),
        (5, 11, 10, Fraction(160, 3)),
        (6, 1, 60, 60),
        (6, 3, 60, 60),
        (6, 5, 40, 60),
        (9, 12, 30, Fraction(220, 3)),
        (10, 6, 60, 80),
        (10, 8, 60, 80),
        (12, 4, 90, 90),
    ]
    assert [line.games for line in lines[:3]] == [2, 3, 1]


def test_points_of_whole_serien_count_as_they_are():
    lines = rank_entries(ranked(HALL[1:], before=[300, 310, 320, 330, 290, 280, 270, 260]))

    # Means: (80 + 40) ÷ 8 = 15, 160 ÷ 4 = 40, so the second table gets 25.
    assert [(line.number, line.compared) for line in lines] == [
        (6, 305),
        (7, 305),
        (5, 315),
        (8, 315),
        (3, 320),
        (1, 340),
        (2, 370),
        (4, 390),
    ]


def test_a_team_gets_what_its_members_get():
    tandems = [Team(number=1, members=(1, 5)), Team(number=2, members=(2, 9))]

    lines = rank_teams(tandems, ranked(HALL), size=2)

    # 30 + 0 + 43⅓ with 3 + 1 games, 60 + 40 + 20 with 3 + 2
    assert [(line.number, line.total, line.compared, line.games) for line in lines] == [
        (2, 30, Fraction(220, 3), 4),
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


def places(field: list[Competitor]) -> dict[int, int]:
    return {line.number: line.rank for line in rank_entries(field)}


@given(halls(equal=True))
def test_with_equal_games_the_order_is_the_ordinary_one(hall):
    field = ranked(hall)
    ordinary = [replace(one, results=(one.results[0]._replace(allowance=0),)) for one in field]

    assert places(field) == places(ordinary)


@given(halls())
def test_who_is_as_far_from_the_mean_shares_a_rank_whatever_the_games(hall):
    field = ranked(hall)
    means = hall_means(courses(hall))
    off = {}
    for one in field:
        [result] = one.results
        assert result is not None
        assert result.games is not None
        off[one.number] = result.points - means[result.games]

    assert places(field) == {
        number: 1 + sum(other < mine for other in off.values()) for number, mine in off.items()
    }


@given(halls(), st.lists(st.integers(-50, 50), min_size=4, max_size=4))
def test_what_a_game_costs_everybody_moves_nobody(hall, costs):
    dearer = [
        [[points + sum(costs[: game + 1]) for points in seats] for game, seats in enumerate(table)]
        for table in hall
    ]

    assert places(ranked(dearer)) == places(ranked(hall))


@given(halls(), st.randoms(use_true_random=False))
def test_the_order_of_the_tables_means_nothing(hall, random):
    tables = courses(hall)

    assert hall_means(random.sample(tables, len(tables))) == hall_means(tables)
