"""Several tournaments together: the counting ones and shared ranks."""

from __future__ import annotations

import pytest

from scoring.errors import ScoringError
from scoring.season import Counting, SeasonResult, points_for_rank, rank_season


def out(total, rank=1, ranked=10):
    return SeasonResult(total=total, rank=rank, ranked=ranked)


def ranking(outcomes, **kwargs):
    return [(line.rank, line.person, line.value) for line in rank_season(outcomes, **kwargs)]


def test_the_best_tournaments_are_added_and_the_fewest_points_win():
    outcomes = {1: [out(300), out(250), out(400)], 2: [out(200), out(360), out(280)]}

    # 250 + 300, and 200 + 280
    assert ranking(outcomes, best=2, counting=Counting.POINTS) == [(1, 2, 480), (2, 1, 550)]


def test_fewer_tournaments_rank_behind_all_that_count():
    outcomes = {1: [out(100), None], 2: [out(900), out(900)]}

    assert ranking(outcomes, best=2, counting=Counting.POINTS) == [(1, 2, 1800), (2, 1, 100)]


def test_negative_points_are_added_unchanged():
    assert ranking({1: [out(-20), out(-35)]}, best=2, counting=Counting.POINTS) == [(1, 1, -55)]


def test_points_for_ranks_are_added_and_a_missed_tournament_gives_none():
    outcomes = {1: [out(0, rank=1), None], 2: [out(0, rank=6), out(0, rank=6)]}

    # 10 for the first of ten; 5 for each sixth
    lines = ranking(outcomes, best=2, counting=Counting.RANKS)

    assert lines == [(1, 1, 10), (1, 2, 10)]


def test_points_for_ranks_can_come_from_a_table():
    outcomes = {1: [out(0, rank=2), out(0, rank=4)], 2: [out(0, rank=1), None]}

    lines = ranking(outcomes, best=2, counting=Counting.RANKS, table=(25, 18, 15))

    assert lines == [(1, 2, 25), (2, 1, 18)]


def test_equals_share_a_rank_and_the_next_is_left_out():
    outcomes = {4: [out(50)], 2: [out(40)], 3: [out(50)], 1: [out(60)]}

    lines = ranking(outcomes, best=1, counting=Counting.POINTS)

    assert lines == [(1, 2, 40), (2, 3, 50), (2, 4, 50), (4, 1, 60)]


def test_counting_tournaments_are_marked():
    (line,) = rank_season(
        {1: [out(300), None, out(250), out(250)]}, best=2, counting=Counting.POINTS
    )

    assert line.values == (300, None, 250, 250)
    assert line.counted == (False, False, True, True)
    assert line.played == 3


def test_points_for_a_rank_count_those_who_are_not_ahead():
    assert points_for_rank(out(0, rank=10)) == 1


@pytest.mark.parametrize(
    ("outcomes", "best", "message"),
    [
        ({1: [out(1)]}, 0, "Mindestens ein Turnier"),
        ({1: [out(1)], 2: [out(1), out(2)]}, 1, "Jede Person braucht für jedes Turnier"),
    ],
)
def test_unrankable_input_is_refused(outcomes, best, message):
    with pytest.raises(ScoringError, match=message):
        rank_season(outcomes, best=best, counting=Counting.POINTS)


def test_a_season_without_players_has_no_ranking():
    assert rank_season({}, best=1, counting=Counting.RANKS) == ()
