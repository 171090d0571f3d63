"""Prize plans in cents: fixed sums first, shares of the rest, nothing lost, nothing overdrawn."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.payments.prizes import (
    OVERALL,
    PrizeLine,
    PrizePlan,
    PrizeRanking,
    RankingCategory,
    Recipient,
    TieRule,
    winner_takes_all,
)
from tests.scoring.prize_plans import TANDEMS, TEAMS, WOMEN, cents, shares

SERIE_2 = PrizeRanking(category=RankingCategory.SERIE, serie=2)


# --- From the plan to cents --------------------------------------------------------------


@pytest.mark.parametrize(
    ("plan", "takings", "amounts", "undistributed"),
    [
        pytest.param(shares(500, 300, 200), 96_000, [48_000, 28_800, 19_200], 0, id="whole pot"),
        # 10,01 €: 500,5 + 300,3 + 200,2; the cent left over goes to ,5.
        pytest.param(shares(500, 300, 200), 1001, [501, 300, 200], 0, id="largest remainder"),
        pytest.param(shares(500, 500), 1001, [501, 500], 0, id="equal shares: the better place"),
        pytest.param(shares(500, 300), 1000, [500, 300], 200, id="shares short of the whole"),
        # 7,01 € less 1,4 + 1,4 = 2,8: remainders 0,2 · 0,2 · 0,6: the cent stays over.
        pytest.param(shares(200, 200), 701, [140, 140], 421, id="the unshared part gets its cent"),
        pytest.param(
            # 480,5 € - 288,3 € - 192,2 €
            shares(500, 300, 200, whole_euros=True),
            96_100,
            [48_000, 28_800, 19_200],
            100,
            id="whole euros, rounded down",
        ),
        pytest.param(shares(1000, kept_cents=6000), 96_000, [90_000], 0, id="a sum stays"),
        pytest.param(shares(1000, kept_permille=100), 96_005, [86_405], 0, id="a tenth stays"),
        pytest.param(shares(1000), 0, [0], 0, id="nobody has paid yet"),
        pytest.param(PrizePlan(lines=()), 5000, [], 5000, id="no prizes"),
    ],
)
def test_shares_become_cents(plan, takings, amounts, undistributed):
    fund = plan.fund(takings_cents=takings)

    assert cents(fund) == amounts
    assert fund.undistributed_cents == undistributed


def test_fixed_sums_come_first_and_shares_divide_the_rest():
    # 960,00 € − 96,00 € + 40,50 € = 904,50 €; less 10,50 € + 50,00 € leaves 844,00 €.
    plan = PrizePlan(
        lines=(
            PrizeLine(ranking=WOMEN, place=1, fixed_cents=1050),
            PrizeLine(ranking=SERIE_2, place=1, fixed_cents=5000, goods="Blumen"),
            PrizeLine(place=2, share_permille=250),
            PrizeLine(place=1, share_permille=500, fixed_cents=0, goods="Pokal"),
            PrizeLine(place=3, goods="Präsentkorb"),
        ),
        kept_permille=100,
    )

    fund = plan.fund(takings_cents=96_000, extra_cents=4050)

    assert fund.kept_cents == 9600
    assert fund.pot_cents == 90_450
    assert [(amount.line.ranking, amount.line.place, amount.cents) for amount in fund.amounts] == [
        (OVERALL, 1, 42_200),
        (OVERALL, 2, 21_100),
        (OVERALL, 3, 0),
        (SERIE_2, 1, 5000),
        (WOMEN, 1, 1050),
    ]
    assert fund.undistributed_cents == 21_100
    assert [amount.how for amount in fund.amounts] == [
        "50\u00a0% von 844,00\u00a0€: 422,00\u00a0€ + Pokal",
        "25\u00a0% von 844,00\u00a0€: 211,00\u00a0€",
        "Präsentkorb",
        "fester Betrag 50,00\u00a0€ + Blumen",
        "fester Betrag 10,50\u00a0€",
    ]


def test_whole_euros_cut_shares_and_say_so():
    plan = PrizePlan(
        lines=(PrizeLine(place=1, share_permille=333, fixed_cents=1200),), whole_euros=True
    )

    fund = plan.fund(takings_cents=11_200)

    # 33,3 % of 100,00 € are 33,30 €.
    assert cents(fund) == [1200 + 3300]
    assert fund.undistributed_cents == 6700
    assert fund.amounts[0].how == (
        "fester Betrag 12,00\u00a0€ + 33,3\u00a0% von 100,00\u00a0€, auf volle Euro abgerundet:"
        " 33,00\u00a0€"
    )


def test_rankings_are_listed_by_category_then_by_serie():
    rankings = [
        PrizeRanking(category=category, serie=serie)
        for category, serie in [
            (RankingCategory.SENIORS, None),
            (RankingCategory.JUNIORS, None),
            (RankingCategory.WOMEN, None),
            (RankingCategory.TANDEM, None),
            (RankingCategory.TEAM, None),
            (RankingCategory.SERIE, 10),
            (RankingCategory.SERIE, 9),
            (RankingCategory.OVERALL, None),
        ]
    ]
    lines = tuple(PrizeLine(ranking=ranking, place=1, goods="x") for ranking in rankings)

    fund = PrizePlan(lines=lines).fund(takings_cents=0)

    assert [amount.line.ranking for amount in fund.amounts] == rankings[::-1]


# --- Rankings ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("category", "name", "recipient"),
    [
        (RankingCategory.OVERALL, "Gesamtwertung", Recipient.PLAYER),
        (RankingCategory.SERIE, "Serie 7", Recipient.PLAYER),
        (RankingCategory.TEAM, "Mannschaften", Recipient.TEAM),
        (RankingCategory.TANDEM, "Tandems", Recipient.TANDEM),
        (RankingCategory.WOMEN, "Damen", Recipient.PLAYER),
        (RankingCategory.JUNIORS, "Junioren", Recipient.PLAYER),
        (RankingCategory.SENIORS, "Senioren", Recipient.PLAYER),
    ],
)
def test_each_ranking_has_a_name_and_says_who_receives(category, name, recipient):
    ranking = PrizeRanking(
        category=category, serie=7 if category is RankingCategory.SERIE else None
    )

    assert ranking.describe() == name
    assert ranking.recipient is recipient


# --- The best of a Serie ------------------------------------------------------------------


def test_winner_takes_all_gives_the_whole_pot_to_the_first():
    fund = winner_takes_all(SERIE_2).fund(takings_cents=12_345)

    assert [(amount.line.ranking, amount.line.place, amount.cents) for amount in fund.amounts] == [
        (SERIE_2, 1, 12_345)
    ]


# --- Laws --------------------------------------------------------------------------------

RANKINGS = [
    OVERALL,
    WOMEN,
    TEAMS,
    TANDEMS,
    SERIE_2,
    PrizeRanking(category=RankingCategory.SERIE, serie=1),
]
keys = st.tuples(st.sampled_from(RANKINGS), st.integers(1, 6))


@st.composite
def plans(draw):
    whole = draw(st.booleans())
    lines = []
    left = 1000
    for ranking, place in draw(st.lists(keys, unique=True, max_size=8)):
        share = draw(st.integers(0, left))
        left -= share
        goods = draw(st.sampled_from(["", "Pokal"])) if share else "Blumen"
        lines.append(
            PrizeLine(
                ranking=ranking,
                place=place,
                share_permille=share,
                fixed_cents=draw(st.integers(0, 20)) * 100 if whole else draw(st.integers(0, 2000)),
                goods=goods,
            )
        )
    return PrizePlan(
        lines=tuple(lines),
        kept_permille=draw(st.integers(0, 1000)),
        ties=draw(st.sampled_from(TieRule)),
        whole_euros=whole,
    )


@given(plans())
def test_a_plan_survives_json(plan):
    assert PrizePlan.from_dict(json.loads(json.dumps(plan.to_dict()))) == plan


@given(plans(), st.integers(0, 1_000_000), st.randoms())
def test_a_plan_never_exceeds_the_pot_in_any_order_of_its_lines(plan, takings, random):
    extra = sum(line.fixed_cents for line in plan.lines)
    lines = list(plan.lines)
    random.shuffle(lines)
    other = PrizePlan.from_dict(plan.to_dict() | {"lines": [line.to_dict() for line in lines]})

    fund = plan.fund(takings_cents=takings, extra_cents=extra)

    assert fund.pot_cents == takings - fund.kept_cents + extra
    assert 0 <= fund.kept_cents <= takings
    assert sum(cents(fund)) + fund.undistributed_cents == fund.pot_cents
    assert fund.undistributed_cents >= 0
    assert all(amount.cents >= amount.line.fixed_cents for amount in fund.amounts)
    assert other.fund(takings_cents=takings, extra_cents=extra).amounts == fund.amounts
