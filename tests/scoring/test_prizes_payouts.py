"""Payouts: shared, played off, waiting or left over, every cent of the pot is accounted for."""

import pytest

from scoring.errors import ScoringError
from scoring.payments.payouts import award
from scoring.payments.prizes import (
    OVERALL,
    PrizeLine,
    PrizePlan,
    PrizeRanking,
    RankingCategory,
    TieRule,
)
from tests.scoring.prize_plans import TANDEMS, TEAMS, WOMEN, fixed, prizes, ranking, won

SERIE_1 = PrizeRanking(category=RankingCategory.SERIE, serie=1)


def with_goods(*goods, **options):
    lines = [PrizeLine(place=place, goods=what) for place, what in enumerate(goods, 1)]
    return PrizePlan(lines=tuple(lines), **options)


# --- Money -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cents", "placed", "expected"),
    [
        pytest.param((500, 300), [(7, 1), (3, 2), (5, 3)], {7: 500, 3: 300}, id="no tie"),
        pytest.param((500, 300), [(5, 3), (3, 2), (7, 1)], {7: 500, 3: 300}, id="in any order"),
        pytest.param(
            (500, 300, 100), [(7, 1), (3, 2), (5, 2)], {7: 500, 3: 200, 5: 200}, id="(3 + 1) / 2"
        ),
        pytest.param(
            (500, 300, 101),
            [(1, 1), (5, 2), (3, 2)],
            {1: 500, 3: 201, 5: 200},
            id="the odd cent goes to the lowest number",
        ),
        pytest.param(
            (500, 300),
            [(1, 1), (9, 2), (5, 2), (3, 2)],
            {1: 500, 3: 100, 5: 100, 9: 100},
            id="at the border: 3 + 0 + 0 for three",
        ),
        pytest.param((600,), [(1, 1), (2, 1), (3, 1)], {1: 200, 2: 200, 3: 200}, id="all first"),
        pytest.param((500,), [(1, 1), (2, 2), (3, 2)], {1: 500}, id="a tie behind the prizes"),
        pytest.param((500, 300), [], {}, id="nobody"),
    ],
)
def test_tied_players_divide_the_prizes_of_their_places(cents, placed, expected):
    result = prizes(fixed(*cents), placed)

    assert won(result) == expected
    assert result.playoffs == ()


@pytest.mark.parametrize(
    ("second", "how"),
    [
        pytest.param(
            1500,
            "zusammen 45,00\u00a0€, durch 2, auf volle Euro abgerundet: 22,00\u00a0€",
            id="cut",
        ),
        pytest.param(1400, "zusammen 44,00\u00a0€, durch 2: 22,00\u00a0€", id="nothing to cut"),
    ],
)
def test_a_rounded_shared_prize_is_marked(second, how):
    result = prizes(fixed(3000, second, whole_euros=True), [(1, 1), (2, 1)])

    assert [each.how for each in result.awards] == [
        f"1. Platz Gesamtwertung: Plätze 1 bis 2 {how}"
    ] * 2


def test_awards_are_sorted_by_rank_and_explain_their_computation():
    plan = PrizePlan(
        lines=(
            PrizeLine(place=1, share_permille=500, goods="Pokal"),
            PrizeLine(place=2, share_permille=300),
            PrizeLine(place=3, share_permille=200),
        )
    )

    result = prizes(plan, [(9, 2), (4, 1), (2, 2)], pot=1001)

    # 501 + 300 + 200, places 2 and 3 together 500
    assert [
        (each.ranking, each.number, each.rank, each.cents, each.goods) for each in result.awards
    ] == [
        (OVERALL, 4, 1, 501, "Pokal"),
        (OVERALL, 2, 2, 250, ""),
        (OVERALL, 9, 2, 250, ""),
    ]
    assert [each.how for each in result.awards] == [
        "1. Platz Gesamtwertung: 50\u00a0% von 10,01\u00a0€: 5,01\u00a0€ + Pokal",
        ("2. Platz Gesamtwertung: Plätze 2 bis 3 zusammen 5,00\u00a0€, durch 2: 2,50\u00a0€"),
        ("2. Platz Gesamtwertung: Plätze 2 bis 3 zusammen 5,00\u00a0€, durch 2: 2,50\u00a0€"),
    ]


# --- Played off --------------------------------------------------------------------------


def test_a_plan_may_have_unequal_money_played_off():
    plan = fixed(500, 300, 100, ties=TieRule.PLAYOFF)

    result = prizes(plan, [(1, 1), (9, 2), (5, 2)], pot=900)

    assert won(result) == {1: 500}
    [playoff] = result.playoffs
    assert playoff.ranking == OVERALL
    assert playoff.rank == 2
    assert playoff.numbers == (5, 9)
    assert playoff.cents == 400
    assert playoff.how == (
        "2. Platz Gesamtwertung: Die Nummern 5, 9 sind gleich. Ein Entscheidungsspiel entscheidet,"
        " wer welchen Preis erhält."
    )
    assert result.rest_cents == 0


@pytest.mark.parametrize(
    ("cents", "placed", "playoff"),
    [
        pytest.param((300, 300), [(1, 1), (2, 1)], None, id="equal money needs none"),
        pytest.param((300,), [(1, 1), (2, 1)], (1, 2), id="at the border of the prizes"),
        pytest.param((300,), [(1, 1), (2, 2), (3, 2)], None, id="behind the prizes"),
    ],
)
def test_only_unequal_money_is_played_off(cents, placed, playoff):
    result = prizes(fixed(*cents, ties=TieRule.PLAYOFF), placed)

    assert [each.numbers for each in result.playoffs] == ([playoff] if playoff else [])


@pytest.mark.parametrize("ties", TieRule)
def test_goods_are_never_divided(ties):
    result = prizes(with_goods("Pokal", "Medaille", ties=ties), [(1, 1), (2, 1), (3, 3)])

    assert result.awards == ()
    assert [each.numbers for each in result.playoffs] == [(1, 2)]


def test_equal_goods_need_no_playoff_and_their_money_is_shared():
    plan = PrizePlan(
        lines=(
            PrizeLine(place=1, fixed_cents=1000, goods="Sekt"),
            PrizeLine(place=2, fixed_cents=500, goods="Sekt"),
        )
    )

    result = prizes(plan, [(1, 1), (2, 1)])

    assert [(each.number, each.cents, each.goods) for each in result.awards] == [
        (1, 750, "Sekt"),
        (2, 750, "Sekt"),
    ]
    assert result.awards[1].how == (
        "1. Platz Gesamtwertung: Plätze 1 bis 2 zusammen 15,00\u00a0€, durch 2: 7,50\u00a0€ + Sekt"
    )


# --- Several rankings --------------------------------------------------------------------


def test_a_missing_ranking_keeps_its_money():
    plan = PrizePlan(
        lines=(
            PrizeLine(place=1, share_permille=1000),
            PrizeLine(ranking=SERIE_1, place=1, fixed_cents=2000),
            PrizeLine(ranking=WOMEN, place=1, fixed_cents=1500),
        )
    )

    result = award(plan.fund(takings_cents=10_000), {SERIE_1: ranking((8, 1), (4, 2))})

    assert won(result) == {8: 2000}
    assert [amount.line.ranking for amount in result.pending] == [OVERALL, WOMEN]
    assert result.unfilled == ()
    assert result.rest_cents == 0


def test_a_prize_without_a_winner_is_reported_and_left_over():
    plan = PrizePlan(
        lines=(
            PrizeLine(place=1, fixed_cents=1000),
            PrizeLine(place=2, fixed_cents=500),
            PrizeLine(place=3, fixed_cents=250),
            PrizeLine(ranking=WOMEN, place=1, fixed_cents=700),
        )
    )

    result = award(plan.fund(takings_cents=2550), {OVERALL: ranking((1, 1), (2, 1)), WOMEN: []})

    assert won(result) == {1: 750, 2: 750}
    assert [(amount.line.ranking, amount.line.place) for amount in result.unfilled] == [
        (OVERALL, 3),
        (WOMEN, 1),
    ]
    # 100 was never planned, 250 and 700 have no winner.
    assert result.rest_cents == 1050


def test_all_that_one_number_wins_is_paid_out_together():
    plan = PrizePlan(
        lines=(
            PrizeLine(place=1, fixed_cents=1000, goods="Pokal"),
            PrizeLine(place=2, fixed_cents=800),
            PrizeLine(ranking=SERIE_1, place=1, fixed_cents=300),
            PrizeLine(ranking=WOMEN, place=1, fixed_cents=200, goods="Blumen"),
            PrizeLine(ranking=TEAMS, place=1, fixed_cents=600),
            PrizeLine(ranking=TANDEMS, place=1, fixed_cents=400),
        )
    )
    rankings = {
        OVERALL: ranking((30, 1), (4, 2)),
        SERIE_1: ranking((4, 1), (30, 2)),
        WOMEN: ranking((30, 1)),
        TEAMS: ranking((4, 1)),
        TANDEMS: ranking((2, 1)),
    }

    result = award(plan.fund(takings_cents=5000), rankings)

    assert {
        (award.ranking, award.number): (award.cents, award.goods) for award in result.awards
    } == {
        (OVERALL, 30): (1000, "Pokal"),
        (OVERALL, 4): (800, ""),
        (SERIE_1, 4): (300, ""),
        (WOMEN, 30): (200, "Blumen"),
        (TEAMS, 4): (600, ""),
        (TANDEMS, 2): (400, ""),
    }
    assert [award.how for award in result.awards if award.number == 30] == [
        "1. Platz Gesamtwertung: fester Betrag 10,00\u00a0€ + Pokal",
        "1. Platz Damen: fester Betrag 2,00\u00a0€ + Blumen",
    ]


def test_a_repeated_number_is_refused():
    with pytest.raises(ScoringError, match=r"^In der Rangliste „Gesamtwertung“ steht eine Nummer"):
        prizes(fixed(100), [(1, 1), (1, 2)])
