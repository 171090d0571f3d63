"""Departures from § 1.5 by the Ausschreibung: the best Serien count; no place with a gap."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.competitors import Competitor, Result
from scoring.ruleset import TieBreak
from scoring.running_ranking import unplayed_allowance
from scoring.standings import Criterion, Standing, Terms, open_ties, rank_entries, rank_serie
from scoring.teams import Team, rank_teams
from tests.scoring.test_standings_laws import fields, ranks

BEST_OF_TWO = Terms(best=2)


def played(points: int, won: int = 0, handromme: int = 0) -> Result:
    return Result(points=points, games_won=won, handromme=handromme)


def player(number: int, *results: Result | None) -> Competitor:
    return Competitor(number=number, results=results)


def shown(standings: tuple[Standing, ...]) -> list[tuple[int, int, int, tuple[int, ...]]]:
    """Return rank, number, total and struck Serien of each line."""
    return [(line.rank, line.number, line.total, line.struck) for line in standings]


def test_the_two_best_of_three_serien_count_and_the_third_is_struck() -> None:
    field = [
        player(1, played(100), played(50), played(70)),  # 50 + 70
        player(2, played(-20), played(300), played(110)),  # −20 + 110
        player(3, played(40), played(60), None),  # 40 + 60: one may be missed
        player(4, played(10), None, None),  # fewer than two: behind all others
    ]

    standings = rank_entries(field, terms=BEST_OF_TWO)

    assert shown(standings) == [
        (1, 2, 90, (1,)),
        (2, 3, 100, ()),
        (3, 1, 120, (0,)),
        (4, 4, 10, ()),
    ]
    assert [line.series_totals for line in standings[:2]] == [(-20, 300, 110), (40, 60, None)]
    assert [(line.results, line.lacks) for line in standings] == [(2, 0), (2, 0), (2, 0), (1, 1)]
    assert standings[3].decided_by is Criterion.RESULTS


def test_after_two_serien_nothing_is_struck_yet() -> None:
    field = [player(1, played(100), played(50), played(70)), player(2, None, played(1), None)]

    standings = rank_entries(field, upto=2, terms=BEST_OF_TWO)

    assert shown(standings) == [(1, 1, 150, ()), (2, 2, 1, ())]


def test_only_games_of_serien_that_count_decide_a_tie() -> None:
    # 100 each; the twelve games of the struck Serie are struck with it.
    field = [
        player(1, played(50, 1), played(50, 1), played(60, 12, 3)),
        player(2, played(40, 1), played(60, 2), played(60, 0)),
    ]

    standings = rank_entries(field, terms=BEST_OF_TWO)

    assert shown(standings) == [(1, 2, 100, (2,)), (2, 1, 100, (2,))]
    assert [line.games_won for line in standings] == [3, 2]
    assert standings[1].decided_by is Criterion.GAMES


@pytest.mark.parametrize(
    ("results", "struck"),
    [
        pytest.param([(50, 1, 0), (50, 3, 0), (50, 2, 0)], (0,), id="§ 1.5 fewer games finished"),
        pytest.param([(50, 2, 1), (50, 2, 0), (50, 2, 1)], (1,), id="§ 1.5 fewer Handrommés"),
        pytest.param([(50, 2, 1), (50, 2, 1), (50, 2, 1)], (2,), id="equal in all: the later"),
    ],
)
def test_equal_serien_are_struck_by_the_tie_breaks(
    results: list[tuple[int, int, int]], struck: tuple[int, ...]
) -> None:
    [line] = rank_entries([player(1, *[played(*result) for result in results])], terms=BEST_OF_TWO)

    assert line.struck == struck


def test_the_last_serie_decides_as_played_even_where_it_is_struck() -> None:
    field = [
        player(1, played(50), played(50), played(90)),
        player(2, played(10), played(90), played(95)),
    ]

    standings = rank_entries(field, terms=BEST_OF_TWO, tie_breaks=[TieBreak.LAST_SERIE])

    assert shown(standings) == [(1, 1, 100, (2,)), (2, 2, 100, (2,))]
    assert standings[1].decided_by is Criterion.LAST_SERIE


def test_a_team_counts_its_own_best_serien() -> None:
    # Together 110, 130 and 120: the second is struck, whichever was best for each of them.
    field = [
        player(1, played(10), played(90), played(50)),
        player(2, played(100), played(40), played(70)),
    ]
    tandem = Team(number=7, members=(1, 2))

    [line] = rank_teams([tandem], field, size=2, terms=BEST_OF_TWO)

    assert (line.total, line.struck) == (230, (1,))


def test_a_missed_serie_costs_the_place_if_announced() -> None:
    field = [
        player(1, played(100), played(100)),
        player(2, played(1), None),
        player(3, None, played(1)),
        player(4, None, None),
    ]

    standings = rank_entries(field, terms=Terms(only_whole=True))

    assert [line.has_place for line in standings] == [True, False, False, False]
    assert [line.number for line in standings] == [1, 2, 3, 4]
    assert open_ties(standings, 10) == ()
    assert [line.has_place for line in rank_entries(field)] == [True, True, True, False]


def test_with_the_best_of_two_the_place_needs_two_results() -> None:
    field = [
        player(1, played(100), None, played(100)),
        player(2, played(1), None, None),
    ]

    standings = rank_entries(field, terms=Terms(best=2, only_whole=True))

    assert [line.has_place for line in standings] == [True, False]


def test_a_day_ranking_requires_all_its_serien() -> None:
    field = [player(1, played(5), played(9), played(1)), player(2, played(5), None, None)]

    standings = rank_serie(field, 1, 2, only_whole=True)

    assert shown(standings) == [(1, 1, 14, ()), (2, 2, 5, ())]
    assert [line.has_place for line in standings] == [True, False]


def test_a_running_serie_counts_with_its_future_games() -> None:
    # Four of twelve games are played: 30 + 20 + 30 + 20 on average, 25 each. A seat with 60 after
    # three of them misses 20, and 8 × 25 for unplayed games: 280, behind 250, not 60.
    means = {4: [Fraction(100), Fraction(70), Fraction(50), Fraction(20), Fraction(0)]}
    to_come = unplayed_allowance(means, players=4, games=12)
    running = Result(points=60, games_won=0, handromme=0, games=3, allowance=20 + to_come)

    [line] = rank_entries([player(1, played(200), played(250), running)], terms=BEST_OF_TWO)

    assert to_come == 200
    assert (line.total, line.struck, line.games) == (450, (2,), None)


def test_no_games_are_missing_before_the_first_game() -> None:
    assert unplayed_allowance({4: [Fraction(0)]}, players=4, games=12) == 0


# --- Laws -----------------------------------------------------------------------------------


def _key(entry: Competitor, best: int) -> tuple[int, ...]:
    """Return the best of all choices of so many results, by § 1.5."""
    there = [result for result in entry.results if result is not None]
    wanted = min(best, len(there))
    choices = (
        (
            sum(result.points for result in chosen),
            -sum(result.games_won for result in chosen),
            -sum(result.handromme for result in chosen),
        )
        for chosen in combinations(there, wanted)
    )
    return (-wanted, *min(choices))


@given(fields(), st.integers(1, 4))
def test_no_other_choice_of_serien_would_be_better(field: list[Competitor], best: int) -> None:
    ranked = [entry for entry in field if not entry.excluded]

    standings = rank_entries(field, terms=Terms(best=best))

    assert ranks(standings) == {
        entry.number: 1 + sum(_key(other, best) < _key(entry, best) for other in ranked)
        for entry in ranked
    }


@given(fields())
def test_counting_all_serien_changes_nothing(field: list[Competitor]) -> None:
    serien = len(field[0].results) if field else 1

    assert rank_entries(field, terms=Terms(best=max(serien, 1))) == rank_entries(field)


@given(fields(), st.integers(1, 4))
def test_results_beyond_the_counting_ones_are_struck(field: list[Competitor], best: int) -> None:
    for line in rank_entries(field, terms=Terms(best=best)):
        there = [total for total in line.series_totals if total is not None]
        assert len(line.struck) == max(0, len(there) - best)
        kept = [total for at, total in enumerate(line.series_totals) if at not in line.struck]
        assert line.total == sum(total for total in kept if total is not None)
        assert line.lacks == min(best, len(line.series_totals)) - line.results


@given(fields(), st.integers(1, 4))
def test_players_without_a_place_rank_last(field: list[Competitor], best: int) -> None:
    standings = rank_entries(field, terms=Terms(best=best, only_whole=True))

    places = [line.has_place for line in standings]
    assert places == sorted(places, reverse=True)
    assert [line.number for line in standings] == [
        line.number for line in rank_entries(field, terms=Terms(best=best))
    ]
