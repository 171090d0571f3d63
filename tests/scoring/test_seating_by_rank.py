"""Seating by ranking: top at table 1 or snake, fixed tables kept, partners separated."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import ScoringError
from scoring.seating import Player, RankOrder, count_beside, set_by_rank, table_sizes

TOP, SNAKE = RankOrder.TOP, RankOrder.SNAKE


def field(count, *, clubs=None, teams=None):
    clubs, teams = clubs or {}, teams or {}
    return [
        Player(id=number, club=clubs.get(number), team=teams.get(number))
        for number in range(1, count + 1)
    ]


def ranked(count):
    return [[number] for number in range(1, count + 1)]


def seated(players, order, **more):
    more.setdefault("seed", "2026")
    tables = set_by_rank(ranked(len(players)), players, order=order, **more)
    return [sorted(table) for table in tables]


def test_from_the_top_table_1_has_the_best_four():
    assert seated(field(8), TOP) == [[1, 2, 3, 4], [5, 6, 7, 8]]


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        pytest.param(TOP, [[1, 2, 3, 4], [5, 6, 7], [8, 9, 10]], id="§ 2.1.1 top"),
        # 1 2 3 | 6 5 4 | 7 8 9 | then only table 1 has a seat left: 10
        pytest.param(SNAKE, [[1, 6, 7, 10], [2, 5, 8], [3, 4, 9]], id="§ 2.1.1 snake"),
    ],
)
def test_tables_of_three_are_last(order, expected):
    assert seated(field(10), order) == expected


def test_a_snake_makes_tables_of_equal_strength():
    # places 1 8 9 16, 2 7 10 15, … each add up to 34
    tables = seated(field(16), SNAKE)

    assert [sum(table) for table in tables] == [34] * 4


def test_a_fixed_table_is_kept_and_the_others_close_up():
    assert seated(field(8), TOP, fixed_tables={7: 1}) == [[1, 2, 3, 7], [4, 5, 6, 8]]


@pytest.mark.parametrize("order", [TOP, SNAKE])
def test_partners_are_exchanged_with_the_nearest_in_the_ranking(order):
    teams = {3: "Tandem", 4: "Tandem"} if order is TOP else {2: "Tandem", 3: "Tandem"}
    expected = {
        # 4, the lower of both, changes with 5, the next after it
        TOP: [[1, 2, 3, 5], [4, 6, 7, 8]],
        # 1 4 5 8 and 2 3 6 7 as a snake; 3 changes with 4
        SNAKE: [[1, 3, 5, 8], [2, 4, 6, 7]],
    }

    assert seated(field(8, teams=teams), order) == expected[order]


def test_partners_without_others_sit_together():
    teams = dict.fromkeys(range(1, 5), "Mannschaft")

    assert seated(field(4, teams=teams), TOP) == [[1, 2, 3, 4]]


def test_separations_have_priority_over_partners():
    # With 1 fixed to table 1 and separated from 2, 2 goes to table 2, where its partner sits.
    players = field(6, teams={2: "T", 4: "T", 5: "T", 6: "T"})

    tables = seated(players, TOP, apart=[(1, 2)], fixed_tables={1: 1, 4: 2})

    assert 2 in tables[1]


def test_a_wish_on_a_fixed_player_moves_the_other():
    assert seated(field(8), TOP, fixed_tables={4: 1}, apart=[(4, 1)]) == [
        [2, 3, 4, 5],
        [1, 6, 7, 8],
    ]


def test_pairs_that_cannot_be_kept_apart_are_named():
    # Three people, each to be kept from both others, and only two tables.
    with pytest.raises(ScoringError, match="zusammen säßen noch: ") as refusal:
        seated(field(8), TOP, apart=[(1, 2), (1, 3), (2, 3)])

    assert refusal.value.problems[0].where == "apart"


def test_an_immovable_pair_is_named():
    with pytest.raises(ScoringError, match="zusammen säßen noch: 3–4"):
        seated(field(4), TOP, apart=[(3, 4)], fixed_tables={1: 1, 2: 1, 3: 1})


def test_a_way_out_of_a_dead_end_is_found():
    # At tables of two only 1–4 2–5 3–6 and its like remain, and no single swap leads there.
    apart = [(1, 2), (3, 4), (5, 6), (1, 3), (1, 5), (3, 5), (2, 4), (2, 6), (4, 6)]

    tables = seated(field(6), TOP, allowed=(2,), apart=apart)

    assert len(tables) == 3
    assert not any(pair in map(tuple, tables) for pair in apart)


@given(st.integers(0, 50), st.sampled_from(RankOrder), st.data())
def test_separable_pairs_are_always_separated(seed, order, data):
    # Players who sit together in another seating may be separated from all others.
    count = data.draw(st.sampled_from([6, 7, 8, 9, 10, 11, 12]))
    shuffled = data.draw(st.permutations(range(1, count + 1)))
    rest = iter(shuffled)
    other = [[next(rest) for _seat in range(size)] for size in table_sizes(count)]
    allowed_pairs = {frozenset(pair) for table in other for pair in combinations(table, 2)}
    pairs = [p for p in combinations(range(1, count + 1), 2) if frozenset(p) not in allowed_pairs]
    apart = data.draw(st.lists(st.sampled_from(pairs), max_size=4, unique=True))

    tables = seated(field(count), order, seed=str(seed), apart=apart)

    assert sorted(player for table in tables for player in table) == list(range(1, count + 1))
    assert not any(set(pair) <= set(table) for pair in apart for table in tables)


def test_club_mates_at_a_table_sit_crosswise():
    players = field(4, clubs={1: "A", 2: "A", 3: "B", 4: "B"})

    for seed in range(20):
        (table,) = set_by_rank(ranked(4), players, order=TOP, seed=str(seed))
        assert count_beside(table, {player.id: player.club for player in players}) == 0, "§ 2.1.2"


def test_place_1_goes_to_the_player_who_had_it_least():
    history = [[(1, 2, 3, 4)], [(2, 1, 3, 4)], [(3, 1, 2, 4)]]

    for seed in range(10):
        (table,) = set_by_rank(ranked(4), field(4), order=TOP, seed=str(seed), history=history)
        assert table[0] == 4


def test_equal_ranks_are_ordered_by_draw():
    def table_of_the_last(seed):
        first, _second = set_by_rank([[1, 2, 3], [4, 5], [6, 7, 8]], field(8), order=TOP, seed=seed)
        return 4 if 4 in first else 5

    assert {table_of_the_last(str(seed)) for seed in range(10)} == {4, 5}
    assert table_of_the_last("2026") == table_of_the_last("2026")


def test_a_field_that_cannot_be_seated_is_refused():
    with pytest.raises(ScoringError, match="5 Personen lassen sich nicht auf Tische"):
        seated(field(5), TOP)


def test_a_ranking_of_other_players_is_a_bug_of_the_caller():
    with pytest.raises(ValueError, match="every player once"):
        set_by_rank([[1], [2], [3]], field(4), order=TOP, seed="2026")
