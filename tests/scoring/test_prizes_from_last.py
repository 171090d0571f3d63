"""Prizes for the last: counted from behind among those with a result in every Serie."""

import pytest

from scoring.errors import ScoringError
from scoring.payments.payouts import award, ranks_from_last
from scoring.payments.prizes import PrizeLine, PrizePlan, PrizeRanking, RankingCategory, TieRule

LAST = PrizeRanking(category=RankingCategory.OVERALL, from_last=True)
LAST_WOMAN = PrizeRanking(category=RankingCategory.WOMEN, from_last=True)

# Eight players; 4 and 5 share a place, and so do the last two.
RANKS = {11: 1, 12: 2, 13: 3, 14: 4, 15: 4, 16: 6, 17: 7, 18: 7}


def prizes(*lines: PrizeLine, ranks=RANKS, ties=TieRule.SHARE, cents=10_000):
    plan = PrizePlan(lines=lines, ties=ties)
    placed = {LAST: ranks_from_last(ranks), LAST_WOMAN: ranks_from_last({12: 1, 17: 2})}
    return award(plan.fund(takings_cents=cents), placed)


def test_places_from_behind_are_shared_like_places_from_the_front():
    assert {entry.number: entry.rank for entry in ranks_from_last(RANKS)} == {
        17: 1,
        18: 1,
        16: 3,
        14: 4,
        15: 4,
        13: 6,
        12: 7,
        11: 8,
    }
    assert ranks_from_last({}) == []


def test_two_tied_for_last_share_both_prizes():
    result = prizes(
        PrizeLine(ranking=LAST, place=1, fixed_cents=1000),
        PrizeLine(ranking=LAST, place=2, fixed_cents=500),
    )

    # 10 € + 5 € for two
    assert [(each.number, each.cents) for each in result.awards] == [(17, 750), (18, 750)]
    assert "Letzter Platz Gesamtwertung: " in result.awards[0].how


def test_one_thing_for_two_last_players_needs_an_entscheidungsspiel():
    result = prizes(PrizeLine(ranking=LAST, place=1, goods="Rote Laterne"))

    [tie] = result.playoffs
    assert tie.numbers == (17, 18)
    assert tie.how.startswith("Letzter Platz Gesamtwertung: Die Nummern 17, 18 sind gleich.")


def test_the_last_woman_wins_besides_the_last_of_all():
    result = prizes(
        PrizeLine(ranking=LAST, place=3, goods="Salz"),
        PrizeLine(ranking=LAST_WOMAN, place=1, goods="Blumen"),
        PrizeLine(ranking=LAST_WOMAN, place=2, goods="Kerze"),
    )

    assert [(each.number, each.goods, each.how) for each in result.awards] == [
        (16, "Salz", "3. Platz von hinten Gesamtwertung: Salz"),
        (17, "Blumen", "Letzter Platz Damen: Blumen"),
        (12, "Kerze", "Vorletzter Platz Damen: Kerze"),
    ]


def test_an_unoccupied_place_from_behind_is_left_over():
    result = prizes(PrizeLine(ranking=LAST, place=9, fixed_cents=1000))

    assert [amount.cents for amount in result.unfilled] == [1000]
    assert result.rest_cents == 10_000


@pytest.mark.parametrize(
    "fields",
    [
        {"category": RankingCategory.SERIE, "serie": 2},
        {"category": RankingCategory.DAY, "day": 1},
        {"category": RankingCategory.TEAM},
        {"category": RankingCategory.TANDEM},
        {"category": RankingCategory.MIXED},
    ],
)
def test_only_rankings_of_players_by_all_serien_are_counted_from_behind(fields):
    with pytest.raises(ScoringError, match="Von hinten gezählt wird nur"):
        PrizeRanking(from_last=True, **fields)


def test_a_plan_may_use_both_ends_of_one_ranking():
    plan = PrizePlan(
        lines=(
            PrizeLine(ranking=LAST, place=1, goods="Rote Laterne"),
            PrizeLine(place=1, share_permille=1000),
        )
    )

    assert PrizePlan.from_dict(plan.to_dict()) == plan
    assert [line.place_name for line in sorted(plan.lines, key=lambda line: line.order)] == [
        "1. Platz",
        "Letzter Platz",
    ]
