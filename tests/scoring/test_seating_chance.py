"""The draw: repeatable by anyone, and every seating equally likely."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import permutations

import pytest

from scoring.errors import ScoringError
from scoring.seating import Chance, deal, draw


def words(seed: str, count: int) -> list[int]:
    """Return the 32-bit numbers of a seed by an independent implementation."""
    key = hashlib.sha256(seed.encode()).digest()
    numbers: list[int] = []
    for block in range(count // 8 + 1):
        digest = hashlib.sha256(key + block.to_bytes(8, "big")).hexdigest()
        numbers += [int(digest[start : start + 8], 16) for start in range(0, 64, 8)]
    return numbers[:count]


def chi_square(counts: Counter, cells: int) -> float:
    expected = counts.total() / cells
    missing = cells - len(counts)
    return sum((n - expected) ** 2 for n in counts.values()) / expected + missing * expected


def test_numbers_equal_those_of_another_program():
    chance = Chance("Härbst 2026")

    assert [chance.below(2**32) for _throw in range(20)] == words("Härbst 2026", 20)


def test_numbers_from_the_incomplete_last_run_are_skipped():
    # 2³² = 1 · (2³¹ + 1) + rest: about half of all words must be skipped.
    bound = 2**31 + 1
    chance = Chance("überspringen")

    kept = [word for word in words("überspringen", 64) if word < bound]

    assert 10 < len(kept) < 54
    assert [chance.below(bound) for _throw in kept] == kept


@pytest.mark.parametrize("bound", [0, -1, 2**32 + 1])
def test_an_impossible_bound_fails_loudly(bound):
    with pytest.raises(ValueError, match=str(bound)):
        Chance("x").below(bound)


def test_a_seed_other_than_text_is_refused():
    with pytest.raises(ScoringError, match="Loszahl"):
        Chance("\ud800")


def test_other_seeds_give_other_draws():
    assert draw(range(16), seed="1") != draw(range(16), seed="2")


def test_another_program_finds_the_same_draw():
    order = list(range(1, 12))
    numbers = iter(words("Herbstturnier 2026", 10))
    for last in range(10, 0, -1):
        other = next(numbers) % (last + 1)
        order[last], order[other] = order[other], order[last]

    assert draw(range(1, 12), seed="Herbstturnier 2026") == [order[:4], order[4:8], order[8:]]


def test_a_draw_never_changes():
    # Published draws must stay repeatable: these tables may never change.
    assert draw(range(1, 12), seed="Frühjahr 2026") == [
        [3, 6, 7, 4],
        [11, 8, 2, 10],
        [9, 5, 1],
    ]


def test_players_fill_the_seats_in_order():
    assert deal("ABCDEFG", (4, 3)) == [list("ABCD"), list("EFG")]


# The limits are those that a fair draw exceeds once in a thousand seeds; the seeds are fixed,
# so the tests always end the same way.


@pytest.mark.no_cover
def test_every_order_of_a_table_is_equally_likely():
    counts = Counter(tuple(draw(range(4), seed=f"Tisch {number}")[0]) for number in range(12_000))

    assert set(counts) == set(permutations(range(4)))
    assert chi_square(counts, 24) < 49.7  # 23 degrees of freedom


@pytest.mark.no_cover
def test_every_seat_is_equally_likely_for_everybody():
    counts = Counter(
        (player, table, seat)
        for number in range(6_000)
        for table, players in enumerate(draw(range(7), seed=f"Platz {number}"))
        for seat, player in enumerate(players)
    )

    # 7 × 7 cells with fixed sums of rows and columns: 36 degrees of freedom.
    assert chi_square(counts, 49) < 68.0


@pytest.mark.no_cover
def test_every_pair_is_equally_likely_to_meet():
    counts = Counter(
        frozenset((player, other))
        for number in range(6_000)
        for table in draw(range(8), seed=f"Paar {number}")
        for player in table
        for other in table
        if player < other
    )

    # Pairs of one draw depend on each other, which makes the sum smaller: 27 is an upper bound
    # for the degrees of freedom.
    assert chi_square(counts, 28) < 55.5


@pytest.mark.no_cover
def test_tables_of_three_are_equally_likely_for_all():
    counts = Counter(
        player for number in range(7_000) for player in draw(range(7), seed=f"Drei {number}")[1]
    )

    assert chi_square(counts, 7) < 22.5  # 6 degrees of freedom
