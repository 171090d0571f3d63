"""The constructions: every round is complete, and no two players meet twice."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from scoring.seating.designs import LARGEST_FIELD, designs, field, prime_power
from scoring.seating.sizes import table_sizes
from scoring.seating.stored_plans import single_draw_rematches, stored_plan, stored_sizes


def rematches(rounds) -> int:
    met = Counter(
        frozenset(pair) for tables in rounds for table in tables for pair in combinations(table, 2)
    )
    return sum(count - 1 for count in met.values())


@pytest.mark.parametrize("order", [2, 3, 4, 5, 7, 8, 9, 16, 25, 27])
def test_a_field_obeys_the_laws(order):
    numbers = field(order)
    assert numbers is not None
    plus, times = numbers.plus, numbers.times
    stored_sizes = range(order)

    for a in stored_sizes:
        assert sorted(plus[a]) == list(stored_sizes)
        assert (plus[0][a], times[1][a], times[0][a]) == (a, a, 0)
        if a:
            assert sorted(times[a]) == list(stored_sizes)
        for b in stored_sizes:
            assert (plus[a][b], times[a][b]) == (plus[b][a], times[b][a])
            for c in (1, order // 2, order - 1):
                assert times[a][plus[b][c]] == plus[times[a][b]][times[a][c]]
                assert plus[a][plus[b][c]] == plus[plus[a][b]][c]
                assert times[a][times[b][c]] == times[times[a][b]][c]
    assert sorted(numbers.powers) == list(range(1, order))


@pytest.mark.parametrize("order", [6, 10, 12, 15, 18])
def test_fields_of_other_orders_do_not_exist(order):
    assert prime_power(order) is None
    assert field(order) is None


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_no_design_repeats_a_meeting(size):
    for tables in range(1, 42):
        for design in designs(tables, size, 99):
            for tables_of_round in design:
                assert all(len(table) == size for table in tables_of_round)
                points = sorted(point for table in tables_of_round for point in table)
                assert points == list(range(tables * size))
            assert rematches(design) == 0, (tables, size)


@pytest.mark.parametrize(
    ("players", "rounds"),
    [(16, 5), (20, 5), (24, 7), (28, 9), (32, 10), (36, 11), (40, 13), (48, 12)],
)
def test_tables_of_four_play_the_known_number_of_rounds(players, rounds):
    assert max(map(len, designs(players // 4, 4, 99))) == rounds


@pytest.mark.parametrize("players", [16, 28, 40, 52, 76])
def test_all_players_meet_in_a_resolvable_design(players):
    design = max(designs(players // 4, 4, 99), key=len)

    assert len(design) * 3 == players - 1
    assert rematches(design) == 0


@pytest.mark.no_cover
def test_five_rounds_are_known_for_every_number_of_tables_from_four_on():
    known = [designs(tables, 4, 5) for tables in range(4, 300)]

    assert all(known)
    assert min(len(design) for by_tables in known for design in by_tables) >= 5


def test_large_fields_get_only_the_rounds_they_need():
    [design] = designs(LARGEST_FIELD + 36, 4, 7)

    assert len(design) == 7


@pytest.mark.parametrize(("tables", "size"), [(2, 3), (3, 4), (2, 4), (5, 6)])
def test_fewer_tables_than_seats_have_no_second_round(tables, size):
    assert designs(tables, size, 2) == []


@pytest.mark.parametrize(("players", "rounds"), stored_sizes())
def test_stored_plans_are_complete(players, rounds):
    sizes = table_sizes(players)
    stored = stored_plan(sizes, rounds)

    assert stored is not None
    assert len(stored.rounds) == rounds
    for tables in stored.rounds:
        assert tuple(map(len, tables)) == sizes
        assert sorted(p for table in tables for p in table) == list(range(players))
    assert stored.rematches == rematches(stored.rounds)
    assert stored.again == sum(
        len({*player} & {*other})
        for first, second in combinations(stored.rounds, 2)
        for player in first
        for other in second
        if len(player) == len(other) == 3
    )


@pytest.mark.parametrize(
    ("players", "rounds"), [field for field in stored_sizes() if field[0] >= 18 and field[1] <= 5]
)
def test_tables_of_three_rotate_through_all_players(players, rounds):
    stored = stored_plan(table_sizes(players), rounds)

    assert stored is not None
    assert stored.rematches == 0
    turns = [0] * players
    for tables in stored.rounds:
        for player in (p for table in tables if len(table) == 3 for p in table):
            turns[player] += 1
        assert max(turns) - min(turns) <= 1


def test_drawing_each_serie_is_reported_if_it_costs_more_than_a_plan():
    for (players, series), (together, singly) in single_draw_rematches().items():
        stored = stored_plan(table_sizes(players), series)
        assert together < singly
        assert stored is None or stored.rematches == together

    assert single_draw_rematches()[16, 5] == (0, 8)


def test_no_plan_is_stored_for_tables_of_five():
    assert stored_plan((5, 5, 3, 4), 5) is None
