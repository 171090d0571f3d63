"""Settlements of the rule sets that have one, each by values worked out by hand."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import ScoringError
from scoring.ordering import SeatStanding
from scoring.payments.settlement import SETTLEMENTS, ByRank, Pairwise, RingGamePot, balance
from scoring.reading.validation import from_json

RING = RingGamePot(stake_cents=250)


def standing(*points):
    """Rank seats by their points alone."""
    return [
        SeatStanding(points=own, rank=1 + sum(other < own for other in points)) for own in points
    ]


def ranked(*ranks):
    """Seats on these ranks, with points that agree."""
    return [SeatStanding(points=10 * rank, rank=rank) for rank in ranks]


@pytest.mark.parametrize(
    ("points", "rate", "expected"),
    [
        # 34 + 169 + 125 = 328, and so on for each against the three others.
        pytest.param((113, 147, 282, 238), 1, (328, 192, -348, -172), id="Romme Regeln"),
        pytest.param((113, 147, 282, 238), 5, (1640, 960, -1740, -860), id="5 cents a point"),
        pytest.param((-20, 40, 40), 1, (120, -60, -60), id="below zero, and a tie"),
        pytest.param((30, 30), 10, (0, 0), id="all equal"),
        pytest.param((10, 20), 0, (0, 0), id="for the honour"),
    ],
)
def test_everyone_settles_with_everyone_by_the_difference(points, rate, expected):
    assert Pairwise(cents_per_point=rate).settle(standing(*points)) == expected


@pytest.mark.parametrize(
    ("points", "pot", "expected"),
    [
        # 0, 40, 79 and 80 behind leave 40, 1 and 0 of 80: 250 × 40/41 = 243,9; 250/41 = 6,1.
        pytest.param((10, 50, 89, 90), 1000, (750, 244, 6, 0), id="Traditionelles Rommé"),
        pytest.param((89, 10, 90, 50), 1000, (6, 750, 0, 244), id="other seats"),
        pytest.param((-5, 35, 35), 1000, (750, 125, 125), id="two equally close"),
        pytest.param((0, 80, 120), 1000, (1000, 0, 0), id="nobody that close"),
        pytest.param((0, 79), 1000, (750, 250), id="one point is close enough"),
        # 103 × 75 % = 77,25, and at least that: 78. Of 25 the earlier seat gets 13.
        pytest.param((0, 1, 1), 103, (78, 13, 12), id="the winner never less than 75 %"),
        pytest.param((0, 1, 1), 0, (0, 0, 0), id="an empty pot"),
        # Two first: 900 + 300 × 80/120 = 1100, halved; the third 300 × 40/120 = 100.
        pytest.param((10, 10, 50, 200), 1200, (550, 550, 100, 0), id="two share the first place"),
        pytest.param((200, 10, 50, 10), 1200, (0, 550, 100, 550), id="two first, other seats"),
        pytest.param((10, 10, 300), 1001, (501, 500, 0), id="their odd cent: the earlier seat"),
        # 753 + 250, and of these 1003 one third each.
        pytest.param((5, 5, 5), 1003, (335, 334, 334), id="all equal"),
    ],
)
def test_the_ring_game_pot_is_divided_by_points_behind(points, pot, expected):
    assert RING.settle(standing(*points), pot_cents=pot) == expected


@pytest.mark.parametrize(
    ("settlement", "ranks", "pot", "expected"),
    [
        pytest.param(ByRank(), (1, 2, 3, 4), 0, (12, -2, -4, -6), id="Progressives Rommé"),
        pytest.param(ByRank(), (3, 1, 4, 2), 7, (-4, 19, -6, -2), id="with the pot, other seats"),
        pytest.param(ByRank(), (1, 2, 3, 4, 5), 0, (20, -2, -4, -6, -8), id="five"),
        pytest.param(ByRank(step_cents=50), (1, 2, 3), 0, (150, -50, -100), id="other amounts"),
        pytest.param(ByRank(), (1, 2, 2, 4), 0, (12, -3, -3, -6), id="(2 + 4) / 2"),
        pytest.param(ByRank(), (1, 2, 3, 3), 0, (12, -2, -5, -5), id="(4 + 6) / 2"),
        pytest.param(ByRank(), (1, 1, 3, 4), 0, (5, 5, -4, -6), id="(12 − 2) / 2"),
        pytest.param(ByRank(), (1, 1, 1), 0, (0, 0, 0), id="all equal"),
        pytest.param(ByRank(), (1, 1, 1), 5, (2, 2, 1), id="all equal, the pot is shared"),
        # Places 1 and 2 receive 6 + 3 = 9 and pay 2: the earlier seat 5 − 1, the other 4 − 1.
        pytest.param(ByRank(), (1, 1, 3), 3, (4, 3, -4), id="an odd cent to receive"),
        # A step of one cent: places 2 and 3 pay 1 + 2 = 3, the earlier seat two of them.
        pytest.param(ByRank(step_cents=1), (2, 1, 2), 0, (-2, 3, -1), id="an odd cent to pay"),
        # 7 by thirds is 4,67 and 2,33.
        pytest.param(
            ByRank(pot_weights=(2, 1)), (1, 2, 3, 4), 7, (17, 0, -4, -6), id="two thirds, one third"
        ),
        # Places 2 and 3 receive 2 + 0 and pay 2 + 4.
        pytest.param(
            ByRank(pot_weights=(2, 1)), (1, 2, 2, 4), 6, (16, -2, -2, -6), id="a third is shared"
        ),
        # Places 1 and 2 receive 12 + 6 and pay 2.
        pytest.param(
            ByRank(pot_weights=(2, 1)), (1, 1, 3, 4), 6, (8, 8, -4, -6), id="the pot is halved"
        ),
        pytest.param(
            ByRank(pot_weights=(3, 2, 1)), (1, 2), 10, (8, 2), id="fewer players than shares"
        ),
    ],
)
def test_each_player_pays_by_rank_to_the_winner(settlement, ranks, pot, expected):
    assert settlement.settle(ranked(*ranks), pot_cents=pot) == expected


def test_bought_cards_make_the_pot():
    assert ByRank().pot_cents(9) == 9
    assert ByRank(card_cents=10).pot_cents(9) == 90


@pytest.mark.parametrize(
    ("settlement", "points", "cards", "expected"),
    [
        pytest.param(Pairwise(), (10, 20, 40), 0, (40, 10, -50), id="Romme Regeln: no pot"),
        # Stakes of 1 € make 4 €; 3 € go to the first, 1 € by 40 : 20 to those 40 and 60 behind.
        pytest.param(
            RingGamePot(stake_cents=100),
            (10, 50, 70, 300),
            0,
            (200, -33, -67, -100),
            id="Traditionelles Rommé: less the own stake",
        ),
        # Two thirds of 6 cents and one third beside 12, 2, 4 and 6.
        pytest.param(
            ByRank(pot_weights=(2, 1)),
            (10, 20, 30, 40),
            6,
            (16, 0, -4, -6),
            id="Progressives Rommé: cards were paid for at the table",
        ),
    ],
)
def test_the_balance_is_the_amount_left_to_pay(settlement, points, cards, expected):
    assert balance(settlement, standing(*points), cards=cards) == expected


@pytest.mark.parametrize("settlement", [Pairwise(), RING, ByRank()])
def test_an_invalid_standing_is_refused(settlement):
    with pytest.raises(ScoringError, match="Statt Platz 3"):
        settlement.settle(ranked(1, 3))


@pytest.mark.parametrize("settlement", [Pairwise(), RING, ByRank()])
def test_a_pot_below_zero_is_refused(settlement):
    with pytest.raises(ScoringError, match=r"^In der Kasse am Tisch"):
        settlement.settle(ranked(1, 2), pot_cents=-1)


def test_pairwise_has_no_pot():
    with pytest.raises(ScoringError, match=r"^Wo jeder mit jedem"):
        Pairwise().settle(ranked(1, 2), pot_cents=1)


def test_a_pot_needs_a_receiver():
    with pytest.raises(ScoringError, match=r"^Jemand muss die Kasse") as refusal:
        ByRank(pot_weights=())

    assert refusal.value.problems[0].where == "pot_weights"


@pytest.mark.parametrize(
    ("data", "where"),
    [
        ({"kind": "dice"}, ["kind"]),
        ({"kind": "pairwise", "cents_per_point": "1"}, ["cents_per_point"]),
        ({"kind": "ring_game_pot"}, ["stake_cents"]),
        ({"kind": "ring_game_pot", "stake_cents": 1, "winner_percent": 49}, ["winner_percent"]),
        ({"kind": "ring_game_pot", "stake_cents": 1, "winner_percent": 101}, ["winner_percent"]),
        ({"kind": "ring_game_pot", "stake_cents": 1, "within_points": 0}, ["within_points"]),
        ({"kind": "ring_game_pot", "stake_cents": 1, "within_points": 10_001}, ["within_points"]),
        ({"kind": "by_rank", "pot_weights": [1, 0]}, ["pot_weights[1]"]),
        ({"kind": "by_rank", "pot_weights": [1001]}, ["pot_weights[0]"]),
        ({"kind": "by_rank", "step_cents": -1, "card_cents": None}, ["step_cents", "card_cents"]),
    ],
)
def test_a_wrong_settlement_is_refused_with_every_place(data, where):
    with pytest.raises(ScoringError) as refusal:
        from_json(data, *SETTLEMENTS)

    assert [problem.where for problem in refusal.value.problems] == where


@pytest.mark.parametrize(
    ("settlement", "sentence"),
    [
        (Pairwise(), "Jeder rechnet mit jedem ab, je Punkt Unterschied 0,01\u00a0€."),
        (
            RING,
            (
                "Jeder zahlt 2,50\u00a0€ in die Kasse. Wer gewinnt, erhält 75\u00a0% davon; den"
                " Rest teilen sich alle, die weniger als 80 Punkte zurückliegen, je nach Abstand."
            ),
        ),
        (
            ByRank(),
            (
                "Der zweite Platz zahlt 0,02\u00a0€, jeder weitere 0,02\u00a0€ mehr; wer gewinnt,"
                " erhält alles. Die Kasse der gekauften Karten (je 0,01\u00a0€) geht ebenfalls"
                " dorthin."
            ),
        ),
        (
            ByRank(step_cents=50, card_cents=10, pot_weights=(2, 1)),
            (
                "Der zweite Platz zahlt 0,50\u00a0€, jeder weitere 0,50\u00a0€ mehr; wer gewinnt,"
                " erhält alles. Die Kasse der gekauften Karten (je 0,10\u00a0€) wird unter den"
                " ersten Plätzen im Verhältnis 2 : 1 geteilt."
            ),
        ),
    ],
)
def test_the_ausschreibung_can_say_the_settlement(settlement, sentence):
    assert settlement.describe() == sentence


pots = st.integers(0, 5000)
rings = st.builds(
    RingGamePot,
    stake_cents=st.integers(0, 1000),
    winner_percent=st.integers(50, 100),
    within_points=st.integers(1, 150),
)
by_ranks = st.builds(
    ByRank,
    step_cents=st.integers(0, 100),
    card_cents=st.integers(0, 100),
    pot_weights=st.lists(st.integers(1, 9), min_size=1, max_size=4).map(
        lambda weights: tuple(sorted(weights, reverse=True))
    ),
)
pairwise = st.builds(Pairwise, cents_per_point=st.integers(0, 100))
with_pot = st.tuples(rings | by_ranks, pots)
settled = with_pot | st.tuples(pairwise, st.just(0))
tables = st.lists(st.integers(-200, 400) | st.integers(0, 3), min_size=2, max_size=6).map(
    lambda points: standing(*points)
)


@given(pairwise | rings | by_ranks)
def test_a_settlement_survives_json(settlement):
    assert from_json(json.loads(json.dumps(settlement.to_dict())), *SETTLEMENTS) == settlement


@given(settled, tables)
def test_settled_amounts_add_up_to_the_pot(settlement_and_pot, seats):
    settlement, pot = settlement_and_pot

    amounts = settlement.settle(seats, pot_cents=pot)

    assert len(amounts) == len(seats)
    assert sum(amounts) == pot


@given(settled, tables)
def test_a_better_rank_never_gets_less(settlement_and_pot, seats):
    settlement, pot = settlement_and_pot
    amounts = settlement.settle(seats, pot_cents=pot)

    for own, amount in zip(seats, amounts, strict=True):
        for other, others_amount in zip(seats, amounts, strict=True):
            if own.rank < other.rank:
                assert amount >= others_amount
            if own.rank == other.rank:
                assert abs(amount - others_amount) <= 1
