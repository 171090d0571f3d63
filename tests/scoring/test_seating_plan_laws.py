"""Plans from a seed: reproducible, fair and measured correctly."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.errors import ScoringError
from scoring.seating import Metrics, Player, draw, measure, plan, table_sizes
from scoring.seating.plan import STARTS
from tests.scoring.seating_players import QUICK, assert_everybody_sits_once, field


def test_a_plan_never_changes():
    # Published plans must stay repeatable: this changes only with the aims of a plan. A history,
    # clubs, and a number of players without a construction exercise every part of the search.
    history = [draw(range(1, 23), seed="früher"), draw(range(1, 23), seed="noch früher")]

    result = plan(field(22, clubs=4), series=2, seed="für immer", history=history, work=20_000)

    digest = hashlib.sha256(repr(result.series).encode()).hexdigest()
    assert digest == "073a7c8c63622c5a7f5af1508f13c72535cc533ba226d6fdbae4db6d141fcae4"


def test_another_seed_gives_another_plan():
    plans = {plan(field(16), series=5, seed=str(number)).series for number in range(5)}

    assert len(plans) == 5


@pytest.mark.no_cover
def test_the_order_of_the_list_gives_no_advantage():
    # Opponents of number 1 in the first of two Serien: all others equally often.
    counts = Counter(
        mate
        for number in range(1_400)
        for table in plan(field(8), series=2, seed=f"fair {number}", work=QUICK).series[0]
        if 1 in table
        for mate in table
        if mate != 1
    )

    expected = 1_400 * 3 / 7
    assert set(counts) == set(range(2, 9))
    assert sum((n - expected) ** 2 for n in counts.values()) / expected < 22.5  # 6 degrees


@pytest.mark.no_cover
def test_seats_of_a_planned_table_are_equally_likely():
    counts = Counter(
        (player, seat)
        for number in range(2_000)
        for table in plan(field(4), series=1, seed=f"Platz {number}").series[0]
        for seat, player in enumerate(table)
    )

    assert sum((n - 500) ** 2 for n in counts.values()) / 500 < 27.9  # 9 degrees of freedom


def test_progress_is_reported_up_to_the_end():
    told = []

    history = [draw(range(1, 9), seed="eins")]  # each further Serie of 8 has rematches
    plan(
        field(8),
        series=1,
        seed="x",
        history=history,
        work=QUICK,
        starts=2,
        progress=lambda *step: told.append(step),
    )

    assert told == sorted(told)
    [total] = {total for _done, total in told}
    assert told[0][0] < QUICK < told[-1][0] == total


@pytest.mark.no_cover
def test_more_starts_improve_a_plan_available_at_any_moment():
    history = [draw(range(1, 11), seed=f"{number}") for number in range(2)]
    offers: list[int] = []

    def planned(**more):
        return plan(field(10), series=2, seed="x", history=history, work=10, **more)

    best = planned(offer=offers.append)
    taken = planned(offer=lambda rematches: rematches < offers[0])

    assert best.starts == len(offers) + 1 == STARTS
    assert 1 < taken.starts < STARTS
    assert best.metrics.repeat_meetings <= taken.metrics.repeat_meetings < offers[0]
    assert planned(starts=taken.starts) == taken


@given(
    players=st.integers(6, 30),
    series=st.integers(1, 3),
    allowed=st.sampled_from([(4, 3), (3, 4), (5, 4), (3,), (4, 5, 3), (2, 3), (6, 4, 3)]),
    clubs=st.integers(0, 4),
    earlier=st.integers(0, 2),
    seed=st.text(max_size=4),
)
@settings(deadline=None, max_examples=40)
def test_every_plan_seats_everybody_once_and_is_measured_right(
    *, players, series, allowed, clubs, earlier, seed
):
    people = field(players, clubs=clubs)
    ids = [player.id for player in people]
    try:
        sizes = table_sizes(players, allowed)
    except ScoringError:
        with pytest.raises(ScoringError):
            plan(people, series=series, seed=seed, allowed=allowed)
        return
    history = [draw(ids, seed=f"{number}", allowed=allowed) for number in range(earlier)]

    def planned():
        return plan(
            people,
            series=series,
            seed=seed,
            allowed=allowed,
            history=history,
            work=QUICK,
            starts=1,
        )

    result = planned()

    assert_everybody_sits_once(result, people, sizes)
    assert result.seed == seed
    assert result.metrics == measure(people, result.series, history)
    assert planned() == result


def test_metrics_are_those_of_the_interchange_format():
    players = [
        Player(id=1, club="A", team="T"),
        Player(id=2, club="A", team="T"),
        Player(id=3, club="B"),
        Player(id=4, club="A"),
        Player(id=5),
        Player(id=6),
        Player(id=7),
    ]
    history = [[[1, 2, 3, 9], [4, 5, 6]]]
    series = [[[1, 2, 3, 4], [5, 6, 7]], [[1, 3, 2, 5], [4, 6, 7]]]

    # Met three times: 1–2, 1–3, 2–3. Twice: 5–6, 4–6, 6–7. So 3 · 2 + 3 · 1 = 9.
    # A at one table: 1–2, 1–4, 2–4 in the first, 1–2 in the second: 4, one of a team each time.
    # Side by side: 1–2 and 4–1 in the first, none in the second.
    # Threes: 4: 2, 5: 2, 6: 3, 7: 2, the others 0. Seat 1: 1: 3, 4: 2, 5: 1, the others 0.
    assert measure(players, series, history) == Metrics(
        repeat_meetings=9,
        teammates_at_table=2,
        clubmates_at_table=4,
        clubmates_adjacent=2,
        three_table_spread=3,
        seat_one_spread=3,
    )
