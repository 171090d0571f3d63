"""Additions of clubs to a plan: Serienpreise, things to choose, a lottery."""

from __future__ import annotations

import pytest

from scoring.errors import ScoringError
from scoring.payments.choosing import ThingsToChoose
from scoring.payments.prizes import PrizePlan, PrizeRanking, RankingCategory
from tests.scoring.prize_plans import cents, shares

BOTH = (
    "Zu Serienpreisen gehört beides: was von jedem Startgeld dafür ist, und was davon jeder Platz"
    " bekommt."
)
SECOND = PrizeRanking(category=RankingCategory.SERIE, serie=2)
NOTHING = "Es ist nichts zum Wählen genannt: eine Sache je Zeile, oder „für alle“."


@pytest.mark.parametrize(
    ("given", "where", "says"),
    [
        ({"serie_cents": 750}, "serie_shares", BOTH),
        ({"serie_shares": (600, 400)}, "serie_cents", BOTH),
        (
            {"serie_cents": 750, "serie_shares": (600, 450)},
            "serie_shares",
            "Die Anteile ergeben zusammen 105\u00a0%, das sind 5\u00a0% zu viel.",
        ),
    ],
)
def test_serienpreise_need_a_part_and_shares_up_to_the_whole(given, where, says):
    with pytest.raises(ScoringError) as refusal:
        PrizePlan(lines=(), **given)

    assert [(each.where, each.message) for each in refusal.value.problems] == [(where, says)]


def test_things_to_choose_are_named_or_for_all():
    with pytest.raises(ScoringError) as refusal:
        ThingsToChoose()

    assert [each.message for each in refusal.value.problems] == [NOTHING]
    assert ThingsToChoose(for_all=True).things == ()


@pytest.mark.parametrize(
    ("plan", "has_prizes"),
    [
        (PrizePlan(lines=()), False),
        (shares(1000), True),
        (PrizePlan(lines=(), serie_cents=750, serie_shares=(1000,)), True),
        (PrizePlan(lines=(), choosing=ThingsToChoose(things=("Schinken",))), True),
    ],
)
def test_a_plan_has_prizes_if_anything_can_be_won(plan, has_prizes):
    assert plan.has_prizes is has_prizes


@pytest.mark.parametrize(("startgeld", "part"), [(2250, 750), (750, 750), (400, 400), (0, 0)])
def test_the_serie_part_never_exceeds_the_startgeld(startgeld, part):
    plan = PrizePlan(lines=(), serie_cents=750, serie_shares=(1000,))

    assert plan.serie_part(startgeld) == part


def test_a_serie_divides_its_part_by_place_and_as_the_plan_rounds():
    """30,25 € by 50, 30 and 20 %: 15,125, 9,075 and 6,05 €, down to whole euros."""
    plan = PrizePlan(lines=(), serie_cents=750, serie_shares=(500, 300, 200), whole_euros=True)

    of_second = plan.of_serie(2)

    assert {line.ranking for line in of_second.lines} == {SECOND}
    assert cents(of_second.fund(takings_cents=3025)) == [1500, 900, 600]
