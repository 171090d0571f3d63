"""Usual prize plans: about one prize for every four to five entries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import ScoringError
from scoring.payments.prizes import OVERALL, suggest_plan


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        pytest.param(1, [1000], id="alone"),
        pytest.param(6, [1000], id="6 / 4,5 is nearer to 1"),
        # Two prizes: 10 each and 80 by 2 : 1 are 63,3 and 36,7.
        pytest.param(7, [630, 370], id="7 / 4,5 is nearer to 2"),
        # Three: 6,7 each and 80 by 6 : 3 : 2 are 50,3, 28,5 and 21,2.
        pytest.param(12, [500, 290, 210], id="12 / 4,5 is nearer to 3"),
        # Four: 5 each and 80 by 12 : 6 : 4 : 3 are 43,4, 24,2, 17,8 and 14,6.
        pytest.param(18, [430, 240, 180, 150], id="four"),
    ],
)
def test_a_usual_plan_is_suggested(entries, expected):
    plan = suggest_plan(entries)

    assert [line.share_permille for line in plan.lines] == expected
    assert [line.place for line in plan.lines] == list(range(1, len(expected) + 1))
    assert all(line.ranking == OVERALL for line in plan.lines)


@pytest.mark.parametrize(
    ("entries", "prizes"),
    [(80, 18), (135, 30), (139, 31), (1000, 222), (1350, 300), (5000, 300)],
)
def test_about_one_prize_for_every_four_to_five_entries_is_suggested(entries, prizes):
    assert len(suggest_plan(entries).lines) == prizes


@pytest.mark.parametrize(("entries", "whole"), [(135, True), (139, False)])
def test_up_to_30_suggested_prizes_are_whole_percents(entries, whole):
    parts = [line.share_permille for line in suggest_plan(entries).lines]

    assert all(part % 10 == 0 for part in parts) is whole


@pytest.mark.parametrize("entries", [0, -3])
def test_no_plan_is_suggested_without_entries(entries):
    with pytest.raises(ScoringError) as refusal:
        suggest_plan(entries)

    assert str(refusal.value) == "Für einen Preisplan braucht es mindestens eine Anmeldung."


@given(st.integers(1, 1600))
def test_a_suggested_plan_pays_the_whole_pot_in_falling_shares(entries):
    parts = [line.share_permille for line in suggest_plan(entries).lines]

    assert sum(parts) == 1000
    assert parts == sorted(parts, reverse=True)
    assert parts[-1] >= 1
    assert len(parts) > 30 or all(part % 10 == 0 for part in parts)


@given(st.integers(12, 900))
def test_the_last_suggested_prize_wins_back_more_than_its_startgeld(entries):
    lines = suggest_plan(entries).lines

    assert lines[-1].share_permille * entries > 1000


@given(st.integers(12, 1350))
def test_the_number_of_prizes_is_nearest_to_one_for_4_5_entries(entries):
    prizes = len(suggest_plan(entries).lines)

    assert abs(9 * prizes - 2 * entries) < 4.5
