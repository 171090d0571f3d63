"""What must hold for every ranking, whatever the results."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import ScoringError
from scoring.standings import (
    Competitor,
    Criterion,
    Result,
    Standing,
    check_playoffs,
    open_ties,
    rank_entries,
    rank_serie,
)

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
RANDOM = st.randoms(use_true_random=False)


@st.composite
def fields(draw: st.DrawFn, *, least_players: int = 0, least_serien: int = 0) -> list[Competitor]:
    """Draw up to eight players with up to three Serien."""
    row = ROWS[draw(SERIEN[least_serien])]
    numbers = draw(NUMBERS[least_players])
    return [Competitor(number=one, results=draw(row), excluded=draw(EXCLUDED)) for one in numbers]


@st.composite
def fields_with_playoffs(draw: st.DrawFn) -> tuple[list[Competitor], list[list[int]]]:
    """Draw players and Entscheidungsspiele that agree: all are parts of one hidden order."""
    field = draw(fields(least_players=1, least_serien=1))
    hidden = draw(st.permutations([entry.number for entry in field]))
    parts = draw(st.lists(st.sets(st.sampled_from(hidden)), max_size=4))
    orders = [[number for number in hidden if number in part] for part in parts]
    distinct = {tuple(order): order for order in orders if len(order) > 1}
    return field, list(distinct.values())


def is_better(one: Competitor, other: Competitor) -> bool:
    """Compare two players criterion by criterion, as § 1.5 reads."""
    mine = [result for result in one.results if result]
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


@given(fields_with_playoffs(), RANDOM)
def test_order_of_entries_and_playoffs_means_nothing(
    drawn: tuple[list[Competitor], list[list[int]]], random: Random
) -> None:
    field, playoffs = drawn
    shuffled = random.sample(field, len(field))
    otherwise = random.sample(playoffs, len(playoffs))

    assert rank_entries(shuffled, playoffs=otherwise) == rank_entries(field, playoffs=playoffs)


@given(fields_with_playoffs())
def test_ranks_skip_what_ties_fill_and_ties_name_all_who_share(
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


@given(fields_with_playoffs(), RESULTS, st.data())
def test_better_result_never_worsens_a_rank(
    drawn: tuple[list[Competitor], list[list[int]]], other: Result, data: st.DataObject
) -> None:
    field, playoffs = drawn
    which = data.draw(st.integers(0, len(field) - 1))
    before = replace(field[which], excluded=False)
    serie = data.draw(st.integers(0, len(before.results) - 1))
    old = before.results[serie]
    better = (
        other
        if old is None
        else old._replace(
            points=old.points - data.draw(st.integers(0, 2)),
            games_won=old.games_won + data.draw(st.integers(0, 2)),
            handromme=old.handromme + data.draw(st.integers(0, 2)),
        )
    )
    after = replace(before, results=(*before.results[:serie], better, *before.results[serie + 1 :]))
    others = [entry for entry in field if entry.number != before.number]

    rank_before = ranks(rank_entries([*others, before], playoffs=playoffs))[before.number]
    rank_after = ranks(rank_entries([*others, after], playoffs=playoffs))[before.number]

    assert rank_after <= rank_before


@given(fields_with_playoffs())
def test_playoffs_only_order_those_who_were_equal(
    drawn: tuple[list[Competitor], list[list[int]]],
) -> None:
    field, playoffs = drawn
    equal = {line.number: line for line in rank_entries(field)}

    standings = rank_entries(field, playoffs=playoffs)

    for line in standings:
        tie = equal[line.number].tie
        group = 1 if tie is None else len(tie.numbers)
        assert equal[line.number].rank <= line.rank < equal[line.number].rank + group


@given(fields_with_playoffs())
def test_equals_who_lost_stand_behind_and_nobody_else_does(
    drawn: tuple[list[Competitor], list[list[int]]],
) -> None:
    field, playoffs = drawn
    equal = ranks(rank_entries(field))

    decided = ranks(rank_entries(field, playoffs=playoffs))

    won = {
        (better, worse)
        for order in playoffs
        for place, better in enumerate(order)
        for worse in order[place + 1 :]
        if better in equal and worse in equal and equal[better] == equal[worse]
    }
    assert all(decided[better] < decided[worse] for better, worse in won)
    for number, rank in decided.items():
        between = {decided[one] for one in equal if equal[one] == equal[number]}
        ahead = [one for one in between if one < rank]
        if ahead:  # then somebody of the rank just ahead has won against this one
            assert any((one, number) in won for one in decided if decided[one] == max(ahead))


@given(fields_with_playoffs(), RANDOM)
def test_playoff_of_everybody_leaves_no_tie(
    drawn: tuple[list[Competitor], list[list[int]]], random: Random
) -> None:
    field, _ = drawn
    numbers = random.sample([entry.number for entry in field], len(field))

    standings = rank_entries(field, playoffs=[numbers] if len(numbers) > 1 else [])

    assert [line.rank for line in standings] == list(range(1, len(standings) + 1))
    assert [line.tie for line in standings] == [None] * len(standings)


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
            (one, other)
            for one in range(1, 6)
            for other in range(1, 6)
            if (one, middle) in pairs and (middle, other) in pairs
        }
    contradiction = any(one == other for one, other in pairs)
    repetition = len({tuple(order) for order in orders}) < len(orders)

    if contradiction or repetition:
        with pytest.raises(ScoringError):
            check_playoffs(orders)
    else:
        check_playoffs(orders)


@given(fields(), st.data())
def test_leaving_players_out_keeps_the_order_of_the_others(
    field: list[Competitor], data: st.DataObject
) -> None:
    part = [entry for entry in field if data.draw(st.booleans())]
    chosen = {entry.number for entry in part}

    of_all = [line.number for line in rank_entries(field) if line.number in chosen]

    assert [line.number for line in rank_entries(part)] == of_all


@given(fields(), st.data())
def test_counting_up_to_a_serie_is_as_if_no_later_one_existed(
    field: list[Competitor], data: st.DataObject
) -> None:
    serien = len(field[0].results) if field else 0
    upto = data.draw(st.integers(0, serien))
    shorter = [replace(entry, results=entry.results[:upto]) for entry in field]

    assert rank_entries(field, upto=upto) == rank_entries(shorter)


@given(fields(least_serien=1))
def test_first_serie_alone_is_the_ranking_up_to_it(field: list[Competitor]) -> None:
    assert rank_serie(field, 1) == rank_entries(field, upto=1)


@given(fields(), st.integers(0, 9))
def test_open_ties_are_those_of_the_first_places(field: list[Competitor], places: int) -> None:
    standings = rank_entries(field)

    ties = open_ties(standings, places)

    expected = {
        line.tie.numbers
        for line in standings
        if line.rank <= places and line.tie is not None and line.tie.needs_playoff
    }
    assert len(ties) == len(expected)
    assert {tie.numbers for tie in ties} == expected
