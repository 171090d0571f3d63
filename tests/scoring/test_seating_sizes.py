"""How many tables of which size."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import ScoringError
from scoring.seating import problems_of_sizes, table_sizes


@pytest.mark.parametrize(
    ("players", "fours", "threes"),
    [
        pytest.param(3, 0, 1, id="§ 2.1.1 one table of three"),
        pytest.param(4, 1, 0, id="§ 2.1.1 one table of four"),
        pytest.param(6, 0, 2, id="§ 2.1.1 two tables of three"),
        pytest.param(7, 1, 1, id="§ 2.1.1 one of each"),
        pytest.param(9, 0, 3, id="§ 2.1.1 nine"),
        pytest.param(13, 1, 3, id="§ 2.1.1 thirteen"),
        pytest.param(80, 20, 0, id="§ 2.1.1 eighty"),
        pytest.param(81, 18, 3, id="§ 2.1.1 eighty-one"),
    ],
)
def test_four_to_a_table_and_three_only_as_an_exception(players, fours, threes):
    assert table_sizes(players) == (4,) * fours + (3,) * threes


@given(st.integers(6, 2000))
def test_tables_of_three_are_as_few_as_the_number_allows(players):
    sizes = table_sizes(players)

    assert sum(sizes) == players
    assert sizes.count(3) == -players % 4
    assert list(sizes) == sorted(sizes, reverse=True)


@pytest.mark.parametrize(
    ("players", "message"),
    [
        (0, "Es ist niemand da, der gesetzt werden kann; nötig sind 3."),
        (
            1,
            "Eine Person allein lässt sich nicht an Tische zu 4 oder 3 setzen; möglich wären 3.",
        ),
        (2, "2 Personen lassen sich nicht auf Tische zu 4 oder 3 verteilen; möglich wären 3."),
        (
            5,
            (
                "5 Personen lassen sich nicht auf Tische zu 4 oder 3 verteilen; "
                "möglich wären 4 oder 6."
            ),
        ),
    ],
)
def test_an_unseatable_number_names_the_next_possible_ones(players, message):
    with pytest.raises(ScoringError) as refused:
        table_sizes(players)

    [problem] = refused.value.problems
    assert (problem.where, problem.message) == ("players", message)


@pytest.mark.parametrize(
    ("players", "allowed", "sizes"),
    [
        (16, (3, 4), (3, 3, 3, 3, 4)),
        (17, (4, 5, 3), (4, 4, 4, 5)),
        (11, (4, 5, 3), (4, 4, 3)),
        (9, (4, 5, 3), (4, 5)),
        (6, (4, 5, 3), (3, 3)),
        (23, (6, 5, 4), (6, 6, 6, 5)),
        (7, (6, 5, 4, 3), (4, 3)),
        (12, (6,), (6, 6)),
    ],
)
def test_a_size_further_back_is_used_as_little_as_possible(players, allowed, sizes):
    assert table_sizes(players, allowed) == sizes


@given(
    st.integers(1, 60),
    st.permutations([2, 3, 4, 5, 6, 7, 8]).flatmap(
        lambda sizes: st.integers(1, 4).map(lambda count: tuple(sizes[:count]))
    ),
)
def test_the_last_size_is_used_as_little_as_possible(players, allowed):
    def ways(left, sizes):
        if not sizes:
            return [()] if left == 0 else []
        return [
            (count, *rest)
            for count in range(left // sizes[0] + 1)
            for rest in ways(left - count * sizes[0], sizes[1:])
        ]

    # Reversed: the count of the last size decides first.
    all_ways = ways(players, tuple(reversed(allowed)))
    if not all_ways:
        with pytest.raises(ScoringError):
            table_sizes(players, allowed)
    else:
        sizes = table_sizes(players, allowed)
        assert tuple(sizes.count(size) for size in reversed(allowed)) == min(all_ways)


@pytest.mark.parametrize(
    ("allowed", "where"),
    [
        ((), ["table_sizes"]),
        ((4, 3, 4), ["table_sizes[2]"]),
        ((1, 4, 9, -3), ["table_sizes[0]", "table_sizes[2]", "table_sizes[3]"]),
    ],
)
def test_every_impossible_table_size_is_named(allowed, where):
    assert [problem.where for problem in problems_of_sizes(allowed)] == where
    with pytest.raises(ScoringError):
        table_sizes(12, allowed)
