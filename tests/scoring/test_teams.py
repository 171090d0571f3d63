"""Teams of k and tandems: sums of the members, ranked as single players are."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from scoring.competitors import Competitor, Result
from scoring.errors import Problem, ScoringError
from scoring.standings import Criterion, Tie
from scoring.teams import TANDEM_SIZE, Team, rank_teams, team_entries


def won(points: int, games_won: int = 0, handromme: int = 0) -> Result:
    return Result(points=points, games_won=games_won, handromme=handromme)


def player(number: int, *results: Result | None, excluded: bool = False) -> Competitor:
    return Competitor(number=number, results=results, excluded=excluded)


PLAYERS = [
    player(1, won(120, 3, 1), won(-15, 5)),
    player(2, won(240, 2), won(260, 1)),
    player(3, won(90, 4), won(55, 4, 2)),
    player(4, won(180, 3), None),
    player(5, won(-60, 6, 1), won(10, 4), excluded=True),
]


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        pytest.param((1, 4), (won(300, 6, 1), None), id="a member without a result"),
        pytest.param((1, 5), (None, None), id="§ 1.4 an excluded member"),
        pytest.param((1,), (None, None), id="a member too few"),
        pytest.param((), (None, None), id="nobody"),
    ],
)
def test_tandem_has_a_result_only_with_those_of_both(
    members: tuple[int, ...], expected: tuple[Result | None, ...]
) -> None:
    [team] = team_entries([Team(number=9, members=members)], PLAYERS, size=TANDEM_SIZE)

    assert team == Competitor(number=9, results=expected)


def test_team_without_a_result_ranks_behind_however_few_its_points() -> None:
    teams = [
        Team(number=1, members=(1, 4)),  # 300 in one Serie
        Team(number=2, members=(2, 3)),  # 330 + 315
        Team(number=3, members=(5, 1)),  # nothing: 5 is excluded
        Team(number=4, members=(1,)),  # nothing: not complete
    ]

    standings = rank_teams(teams, PLAYERS, size=2)

    assert [(line.rank, line.number, line.total) for line in standings] == [
        (1, 2, 645),
        (2, 1, 300),
        (3, 3, 0),
        (3, 4, 0),
    ]
    assert standings[0].series_totals == (330, 315)
    assert standings[1].series_totals == (300, None)
    assert standings[1].decided_by is Criterion.RESULTS
    assert standings[2].tie == Tie((3, 4), needs_playoff=False)


@pytest.mark.parametrize(
    ("first", "second", "decided_by"),
    [
        pytest.param((won(10), won(20)), (won(31), won(0, 9)), Criterion.POINTS, id="points"),
        pytest.param(
            (won(10, 1), won(20, 4)), (won(15, 2, 2), won(15, 2)), Criterion.GAMES, id="games"
        ),
        pytest.param(
            (won(10, 3, 1), won(20, 1, 1)),
            (won(15, 2, 1), won(15, 2)),
            Criterion.HANDROMME,
            id="Handrommés",
        ),
    ],
)
def test_ties_of_tandems_are_broken_by_the_sums_of_the_same_criteria(
    first: tuple[Result, Result], second: tuple[Result, Result], decided_by: Criterion
) -> None:
    players = [player(number, results) for number, results in enumerate((*second, *first), start=1)]
    teams = [Team(number=1, members=(1, 2)), Team(number=2, members=(3, 4))]

    standings = rank_teams(teams, players, size=TANDEM_SIZE)

    assert [line.number for line in standings] == [2, 1]
    assert standings[1].decided_by is decided_by


def test_without_players_there_are_only_empty_teams() -> None:
    assert team_entries([], [], size=2) == ()
    assert team_entries([Team(number=1, members=())], [], size=2) == (
        Competitor(number=1, results=()),
    )


def test_every_wrong_member_is_named() -> None:
    teams = [
        Team(number=1, members=(1, 2)),
        Team(number=2, members=(3, 3)),
        Team(number=3, members=(1, 99, 2)),
        Team(number=4, members=(98, 98)),
    ]

    with pytest.raises(ScoringError) as refusal:
        team_entries(teams, PLAYERS, size=2)

    assert refusal.value.problems == (
        Problem("teams[1].members[1]", "Startnummer 3 steht in Mannschaft 2 mehrmals."),
        Problem("teams[2].members", "Mannschaft 3 hat 3 Mitglieder; es dürfen höchstens 2 sein."),
        Problem(
            "teams[2].members[1]",
            "Startnummer 99 in Mannschaft 3 ist nicht in der Wertung; bitte die Mannschaft"
            " berichtigen.",
        ),
        Problem(
            "teams[3].members[0]",
            "Startnummer 98 in Mannschaft 4 ist nicht in der Wertung; bitte die Mannschaft"
            " berichtigen.",
        ),
        Problem("teams[3].members[1]", "Startnummer 98 steht in Mannschaft 4 mehrmals."),
    )


def test_players_not_ranked_together_form_no_team() -> None:
    with pytest.raises(ScoringError, match="Nummer 1 steht mehrmals"):
        team_entries([], [player(1), player(1)], size=2)


def test_a_repeated_team_number_is_refused() -> None:
    teams = [Team(number=1, members=(1, 2)), Team(number=1, members=(3, 4))]

    with pytest.raises(ScoringError, match="Nummer 1 steht mehrmals"):
        rank_teams(teams, PLAYERS, size=2)


RESULTS = st.builds(won, st.integers(-200, 900), st.integers(0, 12), st.integers(0, 3))
