"""The order of Serien avoids early repeats at tables of three."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from scoring.seating import draw, plan, table_sizes
from scoring.seating.rotation import rotation_order
from tests.scoring.seating_players import assert_everybody_sits_once, field
from tests.scoring.test_seating_board import task_for

#  Seven people: a table of four and one of three. As (those at the three) by round.
EVERYBODY = range(7)


def rounds_with(*threes):
    return [[[p for p in EVERYBODY if p not in three], list(three)] for three in threes]


def early_returns(players, series, history=()):
    """Count the players at a table of three twice more often than another."""
    turns: Counter[int] = Counter()
    early = 0
    for number, tables in enumerate([*history, *series]):
        seated = [player for table in tables if len(table) == 3 for player in table]
        turns.update(seated)
        least = min(turns[player.id] for player in players)
        if number >= len(history):
            early += sum(turns[player] > least + 1 for player in seated)
    return early


@pytest.mark.parametrize(
    ("threes", "expected"),
    [
        # 0 and 1 would be there twice before 5 and 6 once; with that Serie last, all have been.
        pytest.param([(0, 1, 2), (0, 1, 3), (4, 5, 6)], [(0, 1, 2), (4, 5, 6), (0, 1, 3)], id="3"),
        # No early repeat: the order stays.
        pytest.param([(0, 1, 2), (3, 4, 5), (6, 0, 1)], [(0, 1, 2), (3, 4, 5), (6, 0, 1)], id="ok"),
        # Any order is early by one; the first of them stays.
        pytest.param([(0, 1, 2), (0, 3, 4)], [(0, 1, 2), (0, 3, 4)], id="none is better"),
    ],
)
def test_serien_are_ordered_for_the_fewest_early_returns(threes, expected):
    task, _past = task_for(7, series=len(threes))

    assert rotation_order(rounds_with(*threes), task) == rounds_with(*expected)


def test_earlier_serien_count():
    # 0, 1, 2 were at the table of three already, so the Serie with 3, 4, 5 goes first.
    task, _past = task_for(7, series=2, history=rounds_with((0, 1, 2)))

    assert rotation_order(rounds_with((0, 1, 6), (3, 4, 5)), task) == rounds_with(
        (3, 4, 5), (0, 1, 6)
    )


def test_fixed_tables_do_not_delay_the_rotation():
    # 6 always sits at table 1. After (0, 1, 2) and (3, 4, 5) everybody else has been.
    task, _past = task_for(7, series=3, fixed={6: 1})

    assert rotation_order(rounds_with((0, 1, 2), (0, 1, 3), (3, 4, 5)), task) == rounds_with(
        (0, 1, 2), (3, 4, 5), (0, 1, 3)
    )


@pytest.mark.parametrize("seed", ["1", "2", "3", "4"])
@pytest.mark.parametrize(("players", "series"), [(25, 3), (33, 5), (41, 5), (53, 6)])
def test_a_plan_repeats_no_table_of_three_early(players, series, seed):
    # Tables of three have 9 seats a Serie: 27, 45, 45 and 54 turns for 25, 33, 41 and 53 people, so
    # everybody has one before anybody has a second.
    result = plan(field(players), series=series, seed=seed)

    assert result.metrics.repeat_meetings == 0
    assert early_returns(field(players), result.series) == 0


@pytest.mark.parametrize(
    ("players", "clubs", "team"), [(21, 4, 0), (22, 5, 4), (25, 6, 2), (29, 0, 2), (33, 5, 4)]
)
def test_clubs_and_teams_cause_no_early_repeat(players, clubs, team):
    people = field(players, clubs=clubs, team=team)

    result = plan(people, series=4, seed="Vereine")

    assert_everybody_sits_once(result, people, table_sizes(players))
    assert result.metrics.repeat_meetings == 0
    assert early_returns(people, result.series) == 0


def test_forty_five_players_in_six_serien_rotate_evenly():
    result = plan(field(45), series=6, seed="1")

    assert (result.metrics.repeat_meetings, early_returns(field(45), result.series)) == (0, 0)


def test_no_other_order_has_fewer_early_returns():
    # 13 people in five Serien cannot all wait for their turn without more rematches.
    history = [draw(range(1, 14), seed="früher")]
    people = field(13)

    series = plan(people, series=5, seed="Folge", history=history, starts=1).series

    orders = [early_returns(people, order, history) for order in permutations(series)]
    assert early_returns(people, series, history) == min(orders) > 0
