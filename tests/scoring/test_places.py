"""Places as a ranking gives them: shared ones leave the next ones free."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import ScoringError
from scoring.places import SeatStanding, table_groups, tie_groups


def seats(*standing):
    return [SeatStanding(points=points, rank=rank) for points, rank in standing]


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [
        pytest.param([1, 2, 3], ((0,), (1,), (2,)), id="in order"),
        pytest.param([3, 1, 2], ((1,), (2,), (0,)), id="in any order"),
        pytest.param([2, 4, 1, 2], ((2,), (0, 3), (1,)), id="the next place is left out"),
        pytest.param([1, 1, 1], ((0, 1, 2),), id="all equal"),
        pytest.param([], (), id="nobody"),
    ],
)
def test_who_shares_a_place_is_found_best_first(ranks, expected):
    assert tie_groups(ranks) == expected


@pytest.mark.parametrize(
    ("ranks", "rank", "instead"),
    [
        pytest.param([2, 3], 2, 1, id="nobody first"),
        pytest.param([0, 1], 0, 1, id="counted from 0"),
        pytest.param([1, 3, 4], 3, 2, id="a place nobody has"),
        pytest.param([1, 1, 2], 2, 3, id="the place after a shared one"),
        pytest.param([1, 2, 2, 2, 4], 4, 5, id="three share, two left out"),
    ],
)
def test_ranks_that_are_none_are_refused(ranks, rank, instead):
    with pytest.raises(ScoringError, match=rf"^Die Plätze .*Platz {rank} .*Platz {instead} "):
        tie_groups(ranks)


def test_a_table_may_share_places():
    assert table_groups(seats((30, 2), (30, 2), (-5, 1))) == ((2,), (0, 1))


def test_equal_points_may_stand_apart_by_games_finished():
    assert table_groups(seats((30, 2), (30, 1))) == ((1,), (0,))


@pytest.mark.parametrize(
    ("standing", "why"),
    [
        pytest.param([], "mindestens zwei", id="nobody"),
        pytest.param([(10, 1)], "mindestens zwei", id="alone"),
        pytest.param([(10, 1), (5, 2)], "weniger Punkte", id="fewer points stand behind"),
        pytest.param([(10, 1), (12, 1)], "gleich viele", id="unequal points share a place"),
        pytest.param([(10, 1), (12, 3)], "Statt Platz 3", id="no ranks"),
    ],
)
def test_a_table_that_cannot_stand_so_is_refused(standing, why):
    with pytest.raises(ScoringError, match=rf"^\w.*{why}"):
        table_groups(seats(*standing))


@given(st.lists(st.integers(-200, 400), min_size=1, max_size=10))
def test_ranks_counted_from_points_are_always_accepted(points):
    ranks = [1 + sum(other < own for other in points) for own in points]

    groups = tie_groups(ranks)

    assert sorted(position for group in groups for position in group) == list(range(len(points)))
    assert [{points[position] for position in group} for group in groups] == [
        {value} for value in sorted(set(points))
    ]
