"""Entscheidungsspiele in the ranking (§ 1.5): complete, in parts, and in contradiction."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.competitors import Competitor, Result
from scoring.errors import Problem, ScoringError
from scoring.playoffs import check_playoffs, lot_order
from scoring.standings import Criterion, Standing, rank_entries


def equals(*numbers: int, points: int = 100) -> list[Competitor]:
    result = Result(points=points, games_won=3, handromme=1)
    return [Competitor(number=number, results=(result,)) for number in numbers]


def places(standings: tuple[Standing, ...]) -> list[tuple[int, int]]:
    return [(line.rank, line.number) for line in standings]


def ties(standings: tuple[Standing, ...]) -> list[tuple[int, ...]]:
    return list(dict.fromkeys(line.tie.numbers for line in standings if line.tie))


def test_playoff_decides_between_equals_and_ends_the_tie() -> None:
    standings = rank_entries([*equals(3, 7), *equals(5, points=200)], playoffs=[(7, 3)])

    assert places(standings) == [(1, 7), (2, 3), (3, 5)]
    assert [line.tie for line in standings] == [None, None, None]
    assert [line.decided_by for line in standings] == [None, Criterion.PLAYOFF, Criterion.POINTS]


@pytest.mark.parametrize(
    ("playoffs", "expected", "still_tied"),
    [
        pytest.param([], [(1, 3), (1, 7), (1, 9)], [(3, 7, 9)], id="none played"),
        pytest.param([(9, 3, 7)], [(1, 9), (2, 3), (3, 7)], [], id="all in one game"),
        pytest.param([(7, 3)], [(1, 7), (1, 9), (3, 3)], [(7, 9)], id="9 has not lost to anybody"),
        pytest.param(
            [(7, 3), (7, 9)], [(1, 7), (2, 3), (2, 9)], [(3, 9)], id="7 has won against both"
        ),
        pytest.param([(7, 3), (3, 9)], [(1, 7), (2, 3), (3, 9)], [], id="one after the other"),
        pytest.param([(3, 9), (7, 3)], [(1, 7), (2, 3), (3, 9)], [], id="recorded the other way"),
        pytest.param([(7, 3), (9, 7)], [(1, 9), (2, 7), (3, 3)], [], id="9 beats the winner"),
        pytest.param([(7, 3), (9, 3)], [(1, 7), (1, 9), (3, 3)], [(7, 9)], id="3 lost to both"),
        pytest.param([(7, 3), (7, 9, 3)], [(1, 7), (2, 9), (3, 3)], [], id="repeated with more"),
    ],
)
def test_a_playoff_orders_three_equals(
    playoffs: list[tuple[int, ...]],
    expected: list[tuple[int, int]],
    still_tied: list[tuple[int, ...]],
) -> None:
    standings = rank_entries(equals(3, 7, 9), playoffs=playoffs)

    assert places(standings) == expected
    assert ties(standings) == still_tied


@pytest.mark.parametrize(
    ("playoffs", "expected", "still_tied"),
    [
        pytest.param(
            [(1, 2), (3, 4)],
            [(1, 1), (1, 3), (3, 2), (3, 4)],
            [(1, 3), (2, 4)],
            id="two games: winners apart from losers",
        ),
        pytest.param(
            [(1, 2), (3, 4), (1, 3)],
            [(1, 1), (2, 2), (2, 3), (4, 4)],
            [(2, 3)],
            id="then the winners: both runners-up lost only to the first",
        ),
        pytest.param(
            [(1, 2), (3, 4), (1, 3), (3, 2), (2, 4)],
            [(1, 1), (2, 3), (3, 2), (4, 4)],
            [],
            id="until everything is decided",
        ),
        pytest.param(
            [(4, 3, 2), (4, 1)],
            [(1, 4), (2, 1), (2, 3), (4, 2)],
            [(1, 3)],
            id="the longest way back counts",
        ),
        pytest.param(
            [(4, 1), (4, 2), (4, 3)],
            [(1, 4), (2, 1), (2, 2), (2, 3)],
            [(1, 2, 3)],
            id="only the winner is known",
        ),
    ],
)
def test_a_playoff_orders_four_equals(
    playoffs: list[tuple[int, ...]],
    expected: list[tuple[int, int]],
    still_tied: list[tuple[int, ...]],
) -> None:
    standings = rank_entries(equals(1, 2, 3, 4), playoffs=playoffs)

    assert places(standings) == expected
    assert ties(standings) == still_tied


def test_a_player_of_another_rank_in_a_playoff_is_ignored() -> None:
    entries = [*equals(3, 7), *equals(5, points=999)]

    standings = rank_entries(entries, playoffs=[(7, 5, 3)])

    assert places(standings) == [(1, 7), (2, 3), (3, 5)]


def test_a_playoff_naming_an_unranked_player_is_refused() -> None:
    excluded = Competitor(number=5, results=equals(5)[0].results, excluded=True)

    standings = rank_entries([*equals(3, 7), excluded], playoffs=[(7, 5, 3), (99, 98)])

    assert places(standings) == [(1, 7), (2, 3)]


@pytest.mark.parametrize(
    ("playoffs", "where", "message"),
    [
        pytest.param(
            [()],
            "playoffs[0].order",
            "Eine Reihenfolge unter Gleichen hat mindestens zwei Nummern, die beste zuerst.",
            id="empty",
        ),
        pytest.param(
            [(1, 2), (7,)],
            "playoffs[1].order",
            "Eine Reihenfolge unter Gleichen hat mindestens zwei Nummern, die beste zuerst.",
            id="alone",
        ),
        pytest.param(
            [(7, 3, 7)],
            "playoffs[0].order",
            "Nummer 7 steht in dieser Reihenfolge mehrmals.",
            id="against oneself",
        ),
        pytest.param(
            [(7, 3), (9, 3), [7, 3]],
            "playoffs[2].order",
            "Diese Reihenfolge ist schon erfasst; bitte eine davon streichen.",
            id="the same again",
        ),
        pytest.param(
            [(7, 3), (3, 7)],
            "playoffs[1].order",
            "Diese Reihenfolge setzt Nummer 3 vor Nummer 7, nach den schon erfassten"
            " liegt 7 vor 3; bitte eine streichen.",
            id="the other way round",
        ),
        pytest.param(
            [(7, 3), (3, 9), (1, 9, 2, 7)],
            "playoffs[2].order",
            "Diese Reihenfolge setzt Nummer 9 vor Nummer 7, nach den schon erfassten"
            " liegt 7 vor 9; bitte eine streichen.",
            id="through somebody else",
        ),
        pytest.param(
            [(1, 2), (3, 4), (4, 1, 5), (2, 9, 3)],
            "playoffs[3].order",
            "Diese Reihenfolge setzt Nummer 2 vor Nummer 3, nach den schon erfassten"
            " liegt 3 vor 2; bitte eine streichen.",
            id="through three games",
        ),
    ],
)
def test_an_impossible_playoff_is_refused(
    playoffs: list[tuple[int, ...]], where: str, message: str
) -> None:
    with pytest.raises(ScoringError) as refusal:
        check_playoffs(playoffs)

    assert refusal.value.problems == (Problem(where, message),)


def test_every_invalid_playoff_is_named_and_ignored_for_the_others() -> None:
    with pytest.raises(ScoringError) as refusal:
        check_playoffs([(7, 3), (3, 7), (7,), (3, 9), (9, 3), (7, 9)])

    assert [problem.where for problem in refusal.value.problems] == [
        "playoffs[1].order",
        "playoffs[2].order",
        "playoffs[4].order",
    ]


def test_a_contradiction_between_unequal_players_is_refused() -> None:
    entries = [*equals(3, points=1), *equals(7, points=2)]

    with pytest.raises(ScoringError, match="setzt Nummer 3 vor Nummer 7"):
        rank_entries(entries, playoffs=[(7, 3), (3, 7)])


def test_a_lot_orders_by_the_lowest_hash_of_seed_and_name() -> None:
    # By sha256sum: 0e8037b3… for „c0ffee Nr. 7“, 52013ea1… for Nr. 3, dc2ba5cb… for Nr. 12.
    assert lot_order({3: "Nr. 3", 7: "Nr. 7", 12: "Nr. 12"}, "c0ffee") == [7, 3, 12]


@given(st.sets(st.integers(1, 99), min_size=2, max_size=6), st.text(max_size=8), st.randoms())
def test_a_lot_does_not_depend_on_the_given_order(
    numbers: set[int], seed: str, chance: Random
) -> None:
    names = {number: f"Nr. {number}" for number in numbers}
    shuffled = list(numbers)
    chance.shuffle(shuffled)

    order = lot_order(names, seed)

    assert sorted(order) == sorted(numbers)
    assert lot_order({number: names[number] for number in shuffled}, seed) == order


def test_a_lot_orders_namesakes_by_number() -> None:
    assert lot_order({9: "Asse", 4: "Asse"}, "c0ffee") == [4, 9]
