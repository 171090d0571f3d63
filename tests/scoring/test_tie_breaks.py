"""The tie breaks of a rule set decide in order, before the Entscheidungsspiel."""

from __future__ import annotations

import pytest

from scoring.competitors import Competitor, Result
from scoring.ruleset import TieBreak
from scoring.standings import Criterion, rank_entries, rank_serie
from scoring.teams import Team, rank_teams

GAMES, HAND = TieBreak.GAMES, TieBreak.HANDROMME
BEST, LAST = TieBreak.BEST_SERIE, TieBreak.LAST_SERIE


def came(number: int, *serien: tuple[int, int, int] | None) -> Competitor:
    return Competitor(number=number, results=tuple(serie and Result(*serie) for serie in serien))


# All have 300 points; 1 finished most games, 2 most by Handrommé, 3 has the best Serie, 4 the last.
FIELD = [
    came(1, (140, 4, 0), (160, 4, 0)),
    came(2, (130, 3, 2), (170, 3, 1)),
    came(3, (90, 3, 0), (210, 3, 0)),
    came(4, (155, 2, 0), (145, 2, 0)),
]


@pytest.mark.parametrize(
    ("tie_breaks", "order", "decided"),
    [
        pytest.param((GAMES, HAND), [1, 2, 3, 4], Criterion.GAMES, id="§ 1.5"),
        pytest.param((HAND, GAMES), [2, 1, 3, 4], Criterion.HANDROMME, id="Handrommés first"),
        pytest.param((BEST,), [3, 2, 1, 4], Criterion.BEST_SERIE, id="the best Serie"),
        pytest.param((LAST,), [4, 1, 2, 3], Criterion.LAST_SERIE, id="the last Serie"),
    ],
)
def test_the_first_that_differs_decides(tie_breaks, order, decided):
    lines = rank_entries(FIELD, tie_breaks=tie_breaks)

    assert [line.number for line in lines] == order
    assert [line.rank for line in lines] == [1, 2, 3, 4]
    assert lines[1].decided_by is decided


def test_without_any_the_entscheidungsspiel_decides():
    lines = rank_entries(FIELD, tie_breaks=(), playoffs=[[2, 1]])

    assert [(line.number, line.rank) for line in lines] == [(2, 1), (3, 1), (4, 1), (1, 4)]
    assert lines[3].decided_by is Criterion.PLAYOFF


def test_a_missing_last_serie_loses_the_tie_break():
    lines = rank_entries(
        [came(1, (300, 4, 0), None), came(2, None, (300, 1, 0))], tie_breaks=(LAST, GAMES)
    )

    assert [line.number for line in lines] == [2, 1]


def test_several_serien_rank_as_one_part_and_teams_by_the_same_order():
    part = rank_serie([came(9, (1, 0, 0), (50, 2, 0), (50, 2, 0)), *three()], 2, 3)
    assert [(line.number, line.total) for line in part] == [(9, 100), (8, 110)]
    teams = [Team(number=1, members=(1, 2)), Team(number=2, members=(3, 4))]

    lines = rank_teams(teams, FIELD, size=2, tie_breaks=(BEST,))

    assert [line.number for line in lines] == [2, 1]


def three() -> list[Competitor]:
    return [came(8, (0, 0, 0), (55, 2, 0), (55, 2, 0))]
