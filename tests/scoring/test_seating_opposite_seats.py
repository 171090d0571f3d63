"""Club mates über Kreuz."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.seating import Chance, count_beside, cross, cross_drawn, least_beside_at


def beside(order, clubs):
    """Count the pairs of one club on neighbouring seats directly."""
    seats = len(order)
    pairs = {frozenset((seat, (seat + 1) % seats)) for seat in range(seats)}
    count = 0
    for pair in pairs:
        club, other = (clubs[order[seat]] for seat in pair)
        count += club is not None and club == other
    return count


@pytest.mark.parametrize("seed", range(20))
def test_two_pairs_of_club_mates_always_sit_crosswise(seed):
    clubs = dict(zip("abcd", ("A", "A", "B", "B"), strict=True))

    order = cross("abcd", clubs, Chance(str(seed)))

    assert "".join(clubs[player] for player in order) in {"ABAB", "BABA"}, "§ 2.1.2"


@pytest.mark.parametrize(
    ("clubs", "least"),
    [
        pytest.param("AABC", 0, id="§ 2.1.2 two opposite each other"),
        pytest.param("AAAB", 2, id="§ 2.1.2 three: the one in the middle has both beside"),
        pytest.param("AAAA", 4, id="§ 2.1.2 four"),
        pytest.param("----", 0, id="§ 2.1.2 without a club"),
        pytest.param("AAB", 1, id="§ 2.1.2 at a table of three all are neighbours"),
        pytest.param("AAA", 3, id="§ 2.1.2 three of three"),
        pytest.param("AA", 1, id="two at a table of two"),
        pytest.param("AABBC", 0, id="five seats"),
        pytest.param("AAABB", 1, id="five seats, three of a club"),
    ],
)
def test_neighbours_of_one_club_are_minimal(clubs, least):
    club_of = {seat: None if club == "-" else club for seat, club in enumerate(clubs)}

    order = cross(range(len(clubs)), club_of, Chance(clubs))

    assert beside(order, club_of) == least
    assert sorted(order) == list(range(len(clubs)))


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@pytest.mark.no_cover
def test_the_minimum_equals_an_exhaustive_search(seats):
    for clubs in product("ABC-", repeat=seats):
        club_of = {seat: None if club == "-" else club for seat, club in enumerate(clubs)}
        if list(clubs) != sorted(clubs):
            continue  # the order in which they come does not matter
        least = min(beside(order, club_of) for order in permutations(range(seats)))
        assert least_beside_at(range(seats), club_of) == least, clubs


@given(st.lists(st.sampled_from(["A", "B", None]), min_size=2, max_size=6))
def test_neighbours_are_counted_round_the_table(clubs):
    club_of = dict(enumerate(clubs))

    assert count_beside(range(len(clubs)), club_of) == beside(range(len(clubs)), club_of)


def test_every_best_order_is_equally_likely():
    clubs = {0: "A", 1: "A", 2: None, 3: None}

    counts = Counter(tuple(cross(range(4), clubs, Chance(str(n)))) for n in range(4_000))

    # 0 and 1 opposite each other, on 2 × 2 ways, the others on 2: 8 of 24 orders.
    assert len(counts) == 8
    expected = 500
    assert sum((n - expected) ** 2 for n in counts.values()) / expected < 24.4  # 7 degrees


def test_correct_drawn_seats_stay():
    clubs = {1: "A", 2: "A", 3: "B", 4: "B"}

    assert cross_drawn([1, 3, 2, 4], clubs, Chance("x")) == [1, 3, 2, 4]


def test_drawn_seats_change_for_the_fewest_players():
    clubs = {1: "A", 2: "A", 3: "B", 4: "B"}

    orders = {tuple(cross_drawn([1, 2, 3, 4], clubs, Chance(str(n)))) for n in range(60)}

    # Two neighbours of different clubs change places: 1 with 4, or 2 with 3.
    assert orders == {(4, 2, 3, 1), (1, 3, 2, 4)}


@given(st.lists(st.sampled_from(["A", "B", None]), min_size=2, max_size=5), st.text(max_size=3))
def test_drawn_seats_are_best_afterwards(clubs, seed):
    club_of = dict(enumerate(clubs))

    order = cross_drawn(range(len(clubs)), club_of, Chance(seed))

    assert sorted(order) == list(range(len(clubs)))
    assert beside(order, club_of) == least_beside_at(order, club_of)
