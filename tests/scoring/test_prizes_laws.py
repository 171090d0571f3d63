"""Invariants of all payouts: every cent is accounted for, and no prize is paid twice."""

from hypothesis import given
from hypothesis import strategies as st

from scoring.payments.payouts import RankedNumber, award
from scoring.payments.prizes import OVERALL, PrizeLine, PrizePlan, TieRule
from tests.scoring.prize_plans import fixed, prizes, won


@st.composite
def rankings(draw, most=8):
    """Draw a ranking with many ties; numbers are independent of ranks."""
    results = draw(st.lists(st.integers(0, 4), max_size=most))
    numbers = draw(st.permutations(range(1, len(results) + 1)))
    return [
        RankedNumber(number=number, rank=1 + sum(other < own for other in results))
        for number, own in zip(numbers, results, strict=True)
    ]


@st.composite
def funds(draw):
    whole = draw(st.booleans())
    lines = []
    left = 1000
    for place in sorted(draw(st.sets(st.integers(1, 6)))):
        share = draw(st.integers(1, max(left // 2, 1)))
        left -= share
        lines.append(
            PrizeLine(
                place=place,
                share_permille=share,
                fixed_cents=draw(st.integers(0, 5)) * 100 if whole else draw(st.integers(0, 500)),
                goods=draw(st.sampled_from(["", "", "Sekt"])),
            )
        )
    plan = PrizePlan(lines=tuple(lines), ties=draw(st.sampled_from(TieRule)), whole_euros=whole)
    return plan.fund(takings_cents=draw(st.integers(3000, 50_000)))


@given(funds(), rankings())
def test_every_cent_is_won_or_waiting_or_left_over(fund, placed):
    result = award(fund, {OVERALL: placed})

    by_place = {amount.line.place: amount.cents for amount in fund.amounts}
    assert result.rest_cents >= fund.undistributed_cents
    assert sum(award.cents for award in result.awards) == sum(won(result).values())
    assert sum(won(result).values()) + sum(each.cents for each in result.playoffs) <= sum(
        cents for place, cents in by_place.items() if place <= len(placed)
    )
    if not fund.plan.whole_euros:
        unfilled = sum(amount.cents for amount in result.unfilled)
        assert result.rest_cents == fund.undistributed_cents + unfilled


@given(funds(), rankings(), st.randoms())
def test_the_order_in_which_a_ranking_is_handed_in_changes_nothing(fund, placed, random):
    shuffled = list(placed)
    random.shuffle(shuffled)

    assert award(fund, {OVERALL: shuffled}) == award(fund, {OVERALL: placed})


@given(st.lists(st.integers(0, 900), max_size=7), rankings(), st.booleans())
def test_falling_prizes_never_pay_less_for_a_better_rank(cents, placed, whole_euros):
    unit = 100 if whole_euros else 1
    cents = sorted(((value or 1) * unit for value in cents), reverse=True)
    plan = fixed(*cents, whole_euros=whole_euros)
    result = prizes(plan, [(p.number, p.rank) for p in placed], pot=1_000_000)
    amounts = won(result)

    for own in placed:
        for other in placed:
            ahead, behind = amounts.get(own.number, 0), amounts.get(other.number, 0)
            if own.rank < other.rank:
                assert ahead >= behind
            if own.rank == other.rank:
                assert abs(ahead - behind) <= 1


@given(funds(), rankings())
def test_a_prize_is_either_paid_or_played_off(fund, placed):
    result = award(fund, {OVERALL: placed})

    waiting = {number for playoff in result.playoffs for number in playoff.numbers}
    assert waiting.isdisjoint(won(result))
    assert all(len(playoff.numbers) > 1 for playoff in result.playoffs)


@given(funds(), rankings())
def test_an_entscheidungsspiel_settles_every_playoff(fund, placed):
    in_order = sorted(placed, key=lambda entry: (entry.rank, entry.number))
    decided = [RankedNumber(number=p.number, rank=rank) for rank, p in enumerate(in_order, 1)]

    assert award(fund, {OVERALL: decided}).playoffs == ()
