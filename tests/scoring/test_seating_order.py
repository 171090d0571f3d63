"""Place 1 rotates, and club mates sit crosswise with it."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from scoring.seating import Chance, count_beside, even_firsts
from scoring.seating.order import seat_orders


@st.composite
def tables_and_loads(draw):
    players = draw(st.integers(4, 7))
    tables = draw(
        st.lists(
            st.lists(st.integers(0, players - 1), min_size=2, max_size=4, unique=True),
            min_size=1,
            max_size=6,
        )
    )
    before = draw(st.lists(st.integers(0, 3), min_size=players, max_size=players))
    return tables, before


@given(tables_and_loads(), st.integers(0, 5))
def test_place_1_rotates_as_evenly_as_possible(drawn, seed):
    tables, before = drawn

    def loads(choice):
        after = list(before)
        for player in choice:
            after[player] += 1
        return after

    chosen = even_firsts(tables, before, Chance(str(seed)))

    assert all(player in table for player, table in zip(chosen, tables, strict=True))
    squares = sum(load**2 for load in loads(chosen))
    assert squares == min(sum(load**2 for load in loads(choice)) for choice in product(*tables))
    spread = max(loads(chosen)) - min(loads(chosen))
    assert spread == min(max(loads(choice)) - min(loads(choice)) for choice in product(*tables))


def test_a_chain_of_tables_passes_place_1_on():
    # For any start, 0 sits at three tables; only via 1 and 2 does 3 get a turn.
    tables = [(0, 1), (0, 1), (1, 2), (2, 3)]

    for seed in range(20):
        chosen = even_firsts(tables, [0, 0, 0, 0], Chance(str(seed)))
        assert sorted(chosen) == [0, 1, 2, 3]


def test_the_order_round_the_table_is_best_for_any_place_1():
    clubs = {0: "A", 1: "A", 2: "B", 3: "B", 4: "A", 5: "B", 6: None}
    rounds = [[[0, 1, 2, 3], [4, 5, 6]], [[0, 4, 5, 2], [1, 3, 6]]]

    seated = seat_orders(rounds, clubs, [1, 1, 0, 0, 0, 0, 0], Chance("x"))

    assert [[sorted(table) for table in tables] for tables in seated] == [
        [sorted(table) for table in tables] for tables in rounds
    ]
    assert count_beside(seated[0][0], clubs) == count_beside(seated[1][0], clubs) == 0
    firsts = [table[0] for tables in seated for table in tables]
    assert len(set(firsts)) == 4
    assert not {0, 1} & set(firsts)
