"""The ranking of § 1.5 without Entscheidungsspiele; expected values by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scoring.competitors import Competitor, Result
from scoring.errors import Problem, ScoringError
from scoring.standings import Criterion, Standing, Tie, open_ties, rank_entries, rank_serie

DATA = Path(__file__).parent / "data"


def entry(number: int, *results: tuple[int, int, int] | None, excluded: bool = False) -> Competitor:
    return Competitor(
        number=number,
        results=tuple(
            None
            if result is None
            else Result(points=result[0], games_won=result[1], handromme=result[2])
            for result in results
        ),
        excluded=excluded,
    )


def places(standings: tuple[Standing, ...]) -> list[tuple[int, int]]:
    return [(line.rank, line.number) for line in standings]


def reasons(standings: tuple[Standing, ...]) -> list[Criterion | None]:
    return [line.decided_by for line in standings]


@pytest.mark.parametrize(
    ("better", "worse", "decided_by"),
    [
        pytest.param((812, 3, 0), (813, 9, 4), Criterion.POINTS, id="§ 1.5 fewest points win"),
        pytest.param((-40, 5, 0), (-39, 6, 1), Criterion.POINTS, id="§ 1.5 points below zero"),
        pytest.param((-1, 0, 0), (0, 9, 9), Criterion.POINTS, id="§ 1.5 -1 is fewer than 0"),
        pytest.param((500, 4, 0), (500, 3, 3), Criterion.GAMES, id="§ 1.5 more games finished"),
        pytest.param((500, 4, 2), (500, 4, 1), Criterion.HANDROMME, id="§ 1.5 more Handrommés"),
        pytest.param((-500, 4, 2), (-500, 4, 1), Criterion.HANDROMME, id="§ 1.5 negative, too"),
    ],
)
@pytest.mark.parametrize("numbers", [(1, 2), (2, 1)])
def test_first_criterion_that_differs_decides(
    better: tuple[int, int, int],
    worse: tuple[int, int, int],
    decided_by: Criterion,
    numbers: tuple[int, int],
) -> None:
    standings = rank_entries([entry(numbers[0], better), entry(numbers[1], worse)])

    assert places(standings) == [(1, numbers[0]), (2, numbers[1])]
    assert reasons(standings) == [None, decided_by]
    assert [line.tie for line in standings] == [None, None]


def test_equal_players_share_the_rank_and_the_next_is_skipped() -> None:
    standings = rank_entries(
        [
            entry(9, (300, 3, 1)),
            entry(1, (400, 3, 1)),
            entry(3, (300, 3, 1)),
            entry(5, (200, 3, 1)),
        ]
    )

    assert places(standings) == [(1, 5), (2, 3), (2, 9), (4, 1)]
    shared = Tie((3, 9), needs_playoff=True)
    assert [line.tie for line in standings] == [None, shared, shared, None]
    assert reasons(standings) == [None, Criterion.POINTS, Criterion.SHARED, Criterion.POINTS]


def test_missing_serie_ranks_behind_everyone_who_has_more_results() -> None:
    standings = rank_entries(
        [
            entry(1, (-50, 6, 2), (-50, 6, 2), None),
            entry(2, (700, 0, 0), (700, 0, 0), (700, 0, 0)),
            entry(3, None, (-90, 9, 3), None),
            entry(4, None, (400, 3, 0), (400, 3, 0)),
            entry(5, None, None, None),
        ]
    )

    assert places(standings) == [(1, 2), (2, 1), (3, 4), (4, 3), (5, 5)]
    assert reasons(standings) == [
        None,
        Criterion.RESULTS,
        Criterion.POINTS,
        Criterion.RESULTS,
        Criterion.RESULTS,
    ]
    assert [line.results for line in standings] == [3, 2, 2, 1, 0]
    assert standings[1].series_totals == (-50, -50, None)
    assert standings[4].series_totals == (None, None, None)
    assert standings[4].total == 0


def test_before_the_first_serie_everyone_shares_the_first_rank() -> None:
    standings = rank_entries([entry(number, (number, 1, 0)) for number in (3, 1, 2)], upto=0)

    assert places(standings) == [(1, 1), (1, 2), (1, 3)]
    assert {line.tie for line in standings} == {Tie((1, 2, 3), needs_playoff=False)}
    assert standings[0].series_totals == ()


def test_excluded_player_is_not_ranked_and_leaves_no_gap() -> None:
    standings = rank_entries(
        [entry(1, (20, 1, 0)), entry(2, (10, 2, 0), excluded=True), entry(3, (30, 1, 0))]
    )

    assert places(standings) == [(1, 1), (2, 3)]


@pytest.mark.parametrize(
    ("upto", "expected"),
    [
        (1, [(1, 2), (2, 1), (3, 3)]),  # 1: 200 points, 2: 100, 3: nothing
        (2, [(1, 1), (2, 2), (3, 3)]),  # 1: 210 points, 2: 400, 3: 5 in one Serie
        (3, [(1, 1), (2, 3), (3, 2)]),  # 1: complete; two Serien each: 3: 10, 2: 400
        (None, [(1, 1), (2, 3), (3, 2)]),
    ],
)
def test_only_the_first_serien_count(upto: int | None, expected: list[tuple[int, int]]) -> None:
    entries = [
        entry(1, (200, 2, 0), (10, 3, 0), (900, 0, 0)),
        entry(2, (100, 2, 0), (300, 3, 0), None),
        entry(3, None, (5, 6, 0), (5, 6, 0)),
    ]

    standings = rank_entries(entries, upto=upto)

    assert places(standings) == expected
    assert {len(line.series_totals) for line in standings} == {3 if upto is None else upto}


def test_one_serie_alone_has_a_ranking_of_its_own() -> None:
    entries = [
        entry(1, (200, 2, 0), (10, 3, 0), (300, 1, 0)),
        entry(2, (100, 2, 0), (10, 3, 1), (300, 1, 0)),
        entry(3, (50, 1, 0), None, (80, 2, 1)),
        entry(4, (50, 2, 0), (-70, 8, 1), (500, 0, 0), excluded=True),
    ]

    assert places(rank_serie(entries, 1)) == [(1, 3), (2, 2), (3, 1)]
    assert places(rank_serie(entries, 2)) == [(1, 2), (2, 1), (3, 3)]
    assert places(rank_serie(entries, 3)) == [(1, 3), (2, 1), (2, 2)]
    assert places(rank_serie(entries, 3, playoffs=[(2, 1)])) == [(1, 3), (2, 2), (3, 1)]
    assert rank_serie(entries, 2)[1].series_totals == (10,)


@pytest.mark.parametrize("serie", [0, 3, -1])
def test_the_ranking_of_an_unknown_serie_is_refused(serie: int) -> None:
    with pytest.raises(ScoringError) as refusal:
        rank_serie([entry(1, (1, 1, 0), (1, 1, 0))], serie)

    assert str(refusal.value) == f"Serie {serie} gibt es nicht (Zahl der Serien: 2)."


@pytest.mark.parametrize("upto", [3, -1])
def test_counting_up_to_an_unknown_serie_is_refused(upto: int) -> None:
    with pytest.raises(ScoringError) as refusal:
        rank_entries([entry(1, (1, 1, 0), (1, 1, 0), excluded=True)], upto=upto)

    assert str(refusal.value) == f"Serie {upto} gibt es nicht (Zahl der Serien: 2)."


def test_a_ranking_without_players_is_empty() -> None:
    assert rank_entries([]) == ()
    assert rank_entries([], upto=2) == ()
    assert rank_serie([], 1) == ()
    assert rank_entries([entry(1, (1, 1, 0), excluded=True)]) == ()


def test_repeated_numbers_are_refused() -> None:
    entries = [
        entry(7, (1, 1, 0)),
        entry(8, (1, 1, 0)),
        entry(7, (2, 1, 0), excluded=True),
        entry(8, (1, 1, 0)),
    ]

    for ranking in (rank_entries, lambda those: rank_serie(those, 1)):
        with pytest.raises(ScoringError) as refusal:
            ranking(entries)

        assert refusal.value.problems == (
            Problem(
                "entries[2].number", "Nummer 7 steht mehrmals in der Wertung; jede darf nur einmal."
            ),
            Problem(
                "entries[3].number", "Nummer 8 steht mehrmals in der Wertung; jede darf nur einmal."
            ),
        )


def test_entries_with_different_numbers_of_serien_are_refused() -> None:
    entries = [entry(4, (1, 1, 0), None), entry(5, None), entry(6, None, None, None)]

    for ranking in (rank_entries, lambda those: rank_serie(those, 1)):
        with pytest.raises(ScoringError) as refusal:
            ranking(entries)

        assert refusal.value.problems == (
            Problem(
                "entries[1].results",
                "Zahl der Serien: bei Nummer 5 1, bei Nummer 4 2; sie muss gleich sein,"
                " fehlende Ergebnisse bleiben leer.",
            ),
            Problem(
                "entries[2].results",
                "Zahl der Serien: bei Nummer 6 3, bei Nummer 4 2; sie muss gleich sein,"
                " fehlende Ergebnisse bleiben leer.",
            ),
        )


@pytest.mark.parametrize(
    ("prizes", "expected"),
    [
        pytest.param(0, [], id="no prizes, nothing to decide"),
        pytest.param(1, [], id="the first stands alone"),
        pytest.param(2, [(3, 9)], id="a tie that begins at the border"),
        pytest.param(3, [(3, 9)], id="a tie within the prizes: second is not third"),
        pytest.param(4, [(3, 9), (1, 2, 4)], id="a tie across the border"),
        pytest.param(99, [(3, 9), (1, 2, 4)], id="more prizes than players"),
    ],
)
def test_tie_is_open_when_its_best_place_wins_a_prize(
    prizes: int, expected: list[tuple[int, ...]]
) -> None:
    standings = rank_entries(
        [
            entry(5, (1, 1, 0)),
            *[entry(number, (20, 1, 0)) for number in (3, 9)],
            *[entry(number, (30, 1, 0)) for number in (1, 2, 4)],
            entry(6, None),
            entry(7, None),
        ]
    )

    assert [tie.numbers for tie in open_ties(standings, prizes)] == expected


def test_worked_tournament_of_23_players_and_three_serien() -> None:
    """Number 7 is excluded; one list of the second Serie, with 1, 8, 10 and 23, is invalid."""
    case = json.loads((DATA / "standings-archive-23x3.json").read_text(encoding="utf-8"))
    entries = [
        entry(row["number"], *row["results"], excluded=row["excluded"]) for row in case["entries"]
    ]

    standings = rank_entries(entries)

    assert [
        {
            "rank": line.rank,
            "number": line.number,
            "total": line.total,
            "games_won": line.games_won,
            "handromme": line.handromme,
            "series_totals": list(line.series_totals),
        }
        for line in standings
    ] == case["standings"]
    assert [line.tie for line in standings] == [None] * 22
    assert reasons(standings)[18] is Criterion.RESULTS
