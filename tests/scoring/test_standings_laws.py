"""Invariants of every ranking, for any results."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.competitors import Competitor, Result
from scoring.errors import ScoringError
from scoring.playoffs import check_playoffs
from scoring.standings import Criterion, Standing, rank_entries

# Few different values, so that ties of every kind are frequent. Written out and made once, they
# are drawn in a third of the time.
_RESULTS = [
    Result(points=points, games_won=won, handromme=handromme, games=None, allowance=0)
    for points, won, handromme in product((0, 1, -1), (0, 1), (0, 1))
]
RESULTS = st.sampled_from([*[None] * len(_RESULTS), *_RESULTS])
ROWS = [st.tuples(*[RESULTS] * serien) for serien in range(4)]
NUMBERS = [st.lists(st.integers(1, 30), unique=True, min_size=n, max_size=8) for n in range(3)]
SERIEN = [st.integers(least, 3) for least in range(4)]
EXCLUDED = st.sampled_from([False, False, False, True])


@st.composite
def fields(draw: st.DrawFn, *, least_players: int = 0, least_serien: int = 0) -> list[Competitor]:
    """Draw up to eight players with up to three Serien."""
    row = ROWS[draw(SERIEN[least_serien])]
    numbers = draw(NUMBERS[least_players])
    return [
        Competitor(number=number, results=draw(row), excluded=draw(EXCLUDED)) for number in numbers
    ]


@st.composite
def fields_with_playoffs(draw: st.DrawFn) -> tuple[list[Competitor], list[list[int]]]:
    """Draw players and Entscheidungsspiele that agree: all are parts of one hidden order."""
    field = draw(fields(least_players=1, least_serien=1))
    hidden = draw(st.permutations([entry.number for entry in field]))
    parts = draw(st.lists(st.sets(st.sampled_from(hidden)), max_size=4))
    orders = [[number for number in hidden if number in part] for part in parts]
    distinct = {tuple(order): order for order in orders if len(order) > 1}
    return field, list(distinct.values())


def is_better(competitor: Competitor, other: Competitor) -> bool:
    """Compare two players criterion by criterion, as § 1.5 reads."""
    mine = [result for result in competitor.results if result]
    theirs = [result for result in other.results if result]
    if len(mine) != len(theirs):
        return len(mine) > len(theirs)
    for name, more_is_better in (("points", False), ("games_won", True), ("handromme", True)):
        ahead = sum(int(getattr(result, name)) for result in mine)
        behind = sum(int(getattr(result, name)) for result in theirs)
        if ahead != behind:
            return (ahead > behind) == more_is_better
    return False


def ranks(standings: tuple[Standing, ...]) -> dict[int, int]:
    return {line.number: line.rank for line in standings}


@given(fields())
def test_rank_is_one_more_than_the_number_of_better_players(field: list[Competitor]) -> None:
    ranked = [entry for entry in field if not entry.excluded]

    standings = rank_entries(field)

    assert ranks(standings) == {
        entry.number: 1 + sum(is_better(other, entry) for other in ranked) for entry in ranked
    }


@given(fields_with_playoffs())
def test_ranks_skip_after_ties_and_ties_name_all_members(
    drawn: tuple[list[Competitor], list[list[int]]],
) -> None:
    field, playoffs = drawn

    standings = rank_entries(field, playoffs=playoffs)

    for place, line in enumerate(standings, start=1):
        sharing = sorted(other.number for other in standings if other.rank == line.rank)
        assert line.rank <= place < line.rank + len(sharing)
        assert (line.tie is None) == (len(sharing) == 1)
        if line.tie is not None:
            assert line.tie.numbers == tuple(sharing)
            assert line.tie.needs_playoff == (line.results > 0)
    for before, line in pairwise(standings):
        assert (line.rank == before.rank) == (line.decided_by is Criterion.SHARED)
        assert line.decided_by is not None
    assert [line.decided_by for line in standings[:1]] == [None] * len(standings[:1])


@given(fields_with_playoffs())
def test_playoffs_only_order_equals(
    drawn: tuple[list[Competitor], list[list[int]]],
) -> None:
    field, playoffs = drawn
    equal = {line.number: line for line in rank_entries(field)}

    standings = rank_entries(field, playoffs=playoffs)

    for line in standings:
        tie = equal[line.number].tie
        group = 1 if tie is None else len(tie.numbers)
        assert equal[line.number].rank <= line.rank < equal[line.number].rank + group


@given(st.lists(st.lists(st.integers(1, 5), min_size=2, max_size=4, unique=True), max_size=4))
def test_playoffs_are_accepted_when_some_order_of_all_fits_them(orders: list[list[int]]) -> None:
    pairs = {
        (better, worse)
        for order in orders
        for place, better in enumerate(order)
        for worse in order[place + 1 :]
    }
    for middle in range(1, 6):
        pairs |= {
            (winner, other)
            for winner in range(1, 6)
            for other in range(1, 6)
            if (winner, middle) in pairs and (middle, other) in pairs
        }
    contradiction = any(winner == other for winner, other in pairs)
    repetition = len({tuple(order) for order in orders}) < len(orders)

    if contradiction or repetition:
        with pytest.raises(ScoringError):
            check_playoffs(orders)
    else:
        check_playoffs(orders)
