"""Prize plans and payouts in few words, for the tests of prizes."""

from scoring.payments.payouts import RankedNumber, award
from scoring.payments.prizes import OVERALL, PrizeLine, PrizePlan, PrizeRanking, RankingCategory

WOMEN = PrizeRanking(category=RankingCategory.WOMEN)
TEAMS = PrizeRanking(category=RankingCategory.TEAM)
TANDEMS = PrizeRanking(category=RankingCategory.TANDEM)


def shares(*permille, **options):
    lines = [
        PrizeLine(place=place, share_permille=share) for place, share in enumerate(permille, 1)
    ]
    return PrizePlan(lines=tuple(lines), **options)


def fixed(*cents, **options):
    lines = [PrizeLine(place=place, fixed_cents=sum_) for place, sum_ in enumerate(cents, 1)]
    return PrizePlan(lines=tuple(lines), **options)


def cents(fund):
    return [amount.cents for amount in fund.amounts]


def ranking(*placed):
    """A ranking from pairs of number and rank."""
    return [RankedNumber(number=number, rank=rank) for number, rank in placed]


def prizes(plan, placed, *, pot=100_000):
    return award(plan.fund(takings_cents=pot), {OVERALL: ranking(*placed)})


def won(result):
    return {each.number: each.cents for each in result.awards}
