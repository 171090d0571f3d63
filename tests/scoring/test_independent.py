"""Seasons and rankings of teams against an independent implementation.

It tries all combinations instead of sorting: the counting tournaments are the best of all choices,
and a rank is one more than the number of better competitors.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from scoring.competitors import Competitor
from scoring.season import Counting, SeasonResult, rank_season
from scoring.teams import Team, rank_teams
from tests.scoring.test_standings_laws import RESULTS

OUTCOMES = st.builds(
    SeasonResult, total=st.integers(-2, 2), rank=st.integers(1, 4), ranked=st.integers(4, 6)
)
TABLES = st.sampled_from([(), (3, 2), (9, 5, 1, 1)])


@st.composite
def seasons(draw: st.DrawFn) -> dict[int, list[SeasonResult | None]]:
    row = st.lists(st.none() | OUTCOMES, min_size=(n := draw(st.integers(0, 4))), max_size=n)
    return draw(st.dictionaries(st.integers(1, 20), row, max_size=6))


def worth(outcome: SeasonResult, counting: Counting, table: Sequence[int]) -> int:
    """Return the value of one tournament; more is better."""
    if counting is Counting.POINTS:
        return -outcome.total
    if table:
        return dict(enumerate(table, start=1)).get(outcome.rank, 0)
    return sum(1 for place in range(1, outcome.ranked + 1) if place >= outcome.rank)


@given(seasons(), st.integers(1, 4), st.sampled_from(Counting), TABLES)
def test_a_season_equals_an_exhaustive_search(
    rows: dict[int, list[SeasonResult | None]], best: int, counting: Counting, table: Sequence[int]
) -> None:
    def came_to(row: list[SeasonResult | None]) -> tuple[int, int]:
        there = [worth(outcome, counting, table) for outcome in row if outcome is not None]
        number = min(best, len(there))
        top = max(sum(choice) for choice in combinations(there, number))
        return (number if counting is Counting.POINTS else 0, top)

    totals = {person: came_to(row) for person, row in rows.items()}
    expected = {
        person: (1 + sum(other > mine for other in totals.values()), abs(mine[1]))
        for person, mine in totals.items()
    }

    lines = rank_season(rows, best=best, counting=counting, table=table)

    assert {line.person: (line.rank, abs(line.value)) for line in lines} == expected
    assert [line.rank for line in lines] == sorted(line.rank for line in lines)


@st.composite
def fields(draw: st.DrawFn) -> tuple[list[Competitor], list[Team], int]:
    """Draw up to eight players in up to three Serien, and teams of them, not all complete."""
    size, serien = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    row = st.tuples(*[st.none() | RESULTS] * serien)
    players = [
        Competitor(number=number, results=draw(row), excluded=draw(st.integers(0, 5)) == 0)
        for number in range(1, draw(st.integers(1, 8)) + 1)
    ]
    members = st.lists(
        st.sampled_from([player.number for player in players]), unique=True, max_size=size
    )
    drawn = draw(st.lists(members, max_size=5))
    return (
        players,
        [Team(number=at, members=tuple(numbers)) for at, numbers in enumerate(drawn, 1)],
        size,
    )


@given(fields())
def test_teams_rank_as_in_an_independent_count(
    field: tuple[list[Competitor], list[Team], int],
) -> None:
    players, teams, size = field
    of = {player.number: player for player in players}

    def came_to(team: Team) -> tuple[int, int, int, int]:
        who = [of[number] for number in team.members]
        if len(who) != size or [member for member in who if member.excluded]:
            return (0, 0, 0, 0)
        whole = [
            column
            for column in zip(*(member.results for member in who), strict=True)
            if all(column)
        ]
        every = [result for column in whole for result in column if result]
        return (
            len(whole),
            -sum(result.points for result in every),
            sum(result.games_won for result in every),
            sum(result.handromme for result in every),
        )

    totals = {team.number: came_to(team) for team in teams}
    expected = {
        number: 1 + sum(other > mine for other in totals.values())
        for number, mine in totals.items()
    }

    lines = rank_teams(teams, players, size=size)

    assert {line.number: line.rank for line in lines} == expected
