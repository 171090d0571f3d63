"""Small fields: no better plan exists, by exhaustive search.

The first round is fixed, because all first rounds are equal up to names. Second rounds are equal up
to names if their tables take as many players from each table of the first round, so one of each
kind is enough. All third rounds are searched.
"""

from __future__ import annotations

from itertools import combinations, permutations

import pytest

from scoring.seating import Player, plan, table_sizes
from scoring.seating.floors import LEAST_REMATCHES

FIELDS = [3, 4, 6, 7, 8, 9, 10, 11, 12]


def seatings(people, sizes):
    """Yield every way to seat people at tables of these sizes; tables have no numbers."""
    if not people:
        yield ()
        return
    first, *others = people
    for size in sorted(set(sizes)):
        left_sizes = list(sizes)
        left_sizes.remove(size)
        for mates in combinations(others, size - 1):
            left = [person for person in others if person not in mates]
            for rest in seatings(left, left_sizes):
                yield ((first, *mates), *rest)


def kind(first, second):
    """The numbers of players that tables have in common, whatever the tables are called."""
    best = None
    for order in permutations(first):
        if [len(table) for table in order] == [len(table) for table in first]:
            common = sorted(
                (len(table), *(len({*table} & {*other}) for other in order)) for table in second
            )
            best = common if best is None else min(best, common)
    assert best is not None
    return tuple(best)


def pairs_of(seating, players):
    """The pairs that meet, as bits of a number."""
    return sum(
        1 << (player * players + other)
        for table in seating
        for player, other in combinations(sorted(table), 2)
    )


def threes_of(seating):
    return sum(1 << person for table in seating if len(table) == 3 for person in table)


def least(players):
    """The best (rematches, returns to a table of three) in two and in three rounds."""
    everything = [
        (pairs_of(seating, players), threes_of(seating), seating)
        for seating in seatings(list(range(players)), list(table_sizes(players)))
    ]
    first_pairs, first_threes, first = everything[0]
    meetings = first_pairs.bit_count()
    seconds = {kind(first, seating): (pairs, threes) for pairs, threes, seating in everything}
    two, three = [], []
    for second_pairs, second_threes in seconds.values():
        met = first_pairs | second_pairs
        sat = (first_threes & second_threes).bit_count()
        two.append((2 * meetings - met.bit_count(), sat))
        # Fewest rematches first; only for those the tables of three are counted.
        new = max((met | pairs).bit_count() for pairs, _threes, _seating in everything)
        three.append(
            min(
                (
                    3 * meetings - new,
                    sat
                    + (first_threes & threes).bit_count()
                    + (second_threes & threes).bit_count(),
                )
                for pairs, threes, _seating in everything
                if (met | pairs).bit_count() == new
            )
        )
    return min(two), min(three)


@pytest.mark.parametrize("players", FIELDS)
def test_minimal_rematches_equal_the_documented_table(players):
    assert least(players) == (LEAST_REMATCHES[players, 2], LEAST_REMATCHES[players, 3])


@pytest.mark.parametrize("seed", ["a", "b", "c"])
@pytest.mark.parametrize(("players", "series"), LEAST_REMATCHES)
def test_plans_for_small_fields_are_optimal(players, series, seed):
    field = [Player(id=number) for number in range(players)]

    seating = plan(field, series=series, seed=seed)

    threes = [
        sum(len(table) == 3 and player.id in table for tables in seating.series for table in tables)
        for player in field
    ]
    returns = sum(count * (count - 1) // 2 for count in threes)
    assert (seating.metrics.repeat_meetings, returns) == LEAST_REMATCHES[players, series]
