"""Rule sets for Hypothesis, with the options of each."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from hypothesis import strategies as st

from scoring.payments.settlement import ByRank, Pairwise, RingGamePot
from scoring.ruleset import Contract, Round, RuleSet, Variant
from scoring.rulesets import all_rulesets, offered_variants

MOST_DEALT = 20  # at five to a table that is 101 cards, and the smallest pack has 106

settlements = st.one_of(
    st.none(),
    st.builds(Pairwise, cents_per_point=st.integers(0, 100)),
    st.builds(
        RingGamePot,
        stake_cents=st.integers(0, 1000),
        winner_percent=st.integers(50, 100),
        within_points=st.integers(1, 150),
    ),
    st.builds(ByRank, card_cents=st.integers(0, 100), pot_weights=st.sampled_from([(1,), (2, 1)])),
)
melds = st.lists(st.integers(2, 5), min_size=1, max_size=3).map(tuple)
rounds = st.builds(
    Round,
    cards_dealt=st.integers(15, MOST_DEALT),
    contract=st.builds(Contract, groups=melds, discard=st.booleans()),
    extra_cards=st.none() | st.integers(2, 6),
    purchases=st.integers(0, 2),
)


# Made once: to make and check a strategy takes longer than to draw from it.
RULE_SETS = st.sampled_from(all_rulesets())
SEVERAL_ROUNDS = st.lists(rounds, min_size=2, max_size=9).map(tuple)


@cache
def some_of(offered: tuple[Variant, ...]) -> st.SearchStrategy[set[Variant]]:
    return st.sets(st.sampled_from(offered))


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleSet:
    """Return one of the rule sets of the program, unchanged or with chosen options."""
    rule_set = draw(RULE_SETS)
    if draw(st.booleans()):
        return rule_set
    if offered := offered_variants(rule_set):
        rule_set = rule_set.with_variants(draw(some_of(offered)))
    for option in rule_set.options:
        choices = [choice.value for choice in option.choices]
        rule_set = rule_set.with_option(option.field, draw(st.sampled_from(choices)))
    if rule_set.grants:
        points = draw(st.integers(-100, -1))
        rule_set = replace(
            rule_set, grants=tuple(replace(grant, points=points) for grant in rule_set.grants)
        )
    if len(rule_set.rounds) > 1:
        chosen = draw(SEVERAL_ROUNDS)
        rule_set = replace(rule_set, games=len(chosen), rounds=chosen)
    return replace(rule_set, settlement=draw(settlements))
