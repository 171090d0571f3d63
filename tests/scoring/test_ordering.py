"""Places as a ranking gives them: shared ones leave the next ones free."""

import pytest

from scoring.errors import ScoringError
from scoring.ordering import SeatStanding, table_groups, tie_groups


def seats(*standing):
    return [SeatStanding(points=points, rank=rank) for points, rank in standing]


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [
        pytest.param([1, 2, 3], ((0,), (1,), (2,)), id="in order"),
        pytest.param([3, 1, 2], ((1,), (2,), (0,)), id="in any order"),
        pytest.param([2, 4, 1, 2], ((2,), (0, 3), (1,)), id="the next place is left out"),
        pytest.param([1, 1, 1], ((0, 1, 2),), id="all equal"),
        pytest.param([], (), id="nobody"),
    ],
)
def test_shared_places_are_listed_best_first(ranks, expected):
    assert tie_groups(ranks) == expected


@pytest.mark.parametrize(
    ("ranks", "rank", "expected"),
    [
        pytest.param([2, 3], 2, 1, id="nobody first"),
        pytest.param([0, 1], 0, 1, id="counted from 0"),
        pytest.param([1, 3, 4], 3, 2, id="a place nobody has"),
        pytest.param([1, 1, 2], 2, 3, id="the place after a shared one"),
        pytest.param([1, 2, 2, 2, 4], 4, 5, id="three share, two left out"),
    ],
)
def test_invalid_ranks_are_refused(ranks, rank, expected):
    with pytest.raises(ScoringError) as refusal:
        tie_groups(ranks)

    assert str(refusal.value) == (
        f"Die Plätze passen nicht zusammen: Statt Platz {rank} muss Platz {expected} kommen. Nach"
        " einem geteilten Platz fallen so viele weg, dass jede Person gezählt ist (1, 2, 2, 4)."
    )


ALONE = "An einem Tisch sitzen mindestens zwei Personen."


@pytest.mark.parametrize(
    ("standing", "sentence"),
    [
        pytest.param([], ALONE, id="nobody"),
        pytest.param([(10, 1)], ALONE, id="alone"),
        pytest.param(
            [(10, 1), (5, 2)],
            "Die Plätze passen nicht zu den Punkten: Wer weniger Punkte hat, steht vorn.",
            id="fewer points stand behind",
        ),
        pytest.param(
            [(10, 1), (12, 1)],
            "Einen Platz am Tisch kann nur teilen, wer gleich viele Punkte hat.",
            id="unequal points share a place",
        ),
    ],
)
def test_an_impossible_final_table_is_refused(standing, sentence):
    with pytest.raises(ScoringError) as refusal:
        table_groups(seats(*standing))

    assert str(refusal.value) == sentence
