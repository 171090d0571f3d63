"""Invariants of every unclear line (§ 2.2.6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from hypothesis import assume, given
from hypothesis import strategies as st

from scoring import ambiguity
from scoring.ambiguity import AmbiguousLine
from scoring.ruleset import RuleSet
from scoring.rulesets import ruleset
from tests.scoring.clear_lines import Game, score

RULE_SETS = (
    ruleset("rommeordnung"),
    ruleset("traditionell"),
    ruleset("contract"),
    replace(ruleset("hausregel"), finisher_may_hold=7),
    # No source has both; an organiser's own rules may.
    replace(ruleset("hausregel"), id="eigene", ends_without_finisher=True),
)
PLAYERS = 3
SEATS = range(1, PLAYERS + 1)
HANDS = st.integers(2, 12)  # few different ones, so that readings often agree


def readings(entries: st.SearchStrategy) -> st.SearchStrategy:
    return st.lists(entries, min_size=1, max_size=3).map(tuple)


# Made once: to make and check a strategy takes longer than to draw from it.
RULES = st.sampled_from(RULE_SETS)
FINISHERS = readings(st.sampled_from(SEATS))
FINISHERS_OR_NONE = readings(st.sampled_from(SEATS) | st.none())
HANDROMME = readings(st.booleans())
NOTHING = readings(st.just(0))
KEPT = readings(st.just(0) | st.integers(2, 7))
PLAYED = readings(HANDS)
PERHAPS_NOTHING = st.sampled_from([(), (0,)])


@st.composite
def lines(draw: st.DrawFn) -> tuple[RuleSet, AmbiguousLine]:
    """Draw a rule set and a line that it allows, every hand given that may count."""
    rule_set = draw(RULES)
    finishers = draw(FINISHERS_OR_NONE if rule_set.ends_without_finisher else FINISHERS)
    knows_handromme = rule_set.handromme is not None and set(finishers) != {None}
    handromme = draw(HANDROMME) if knows_handromme else (False,)
    if None in finishers:
        assume(set(handromme) != {True})
    minus = []
    for seat in SEATS:
        if set(finishers) == {seat}:
            may_keep = rule_set.finisher_may_hold and True not in handromme
            entry = draw(KEPT if may_keep else NOTHING)
        elif seat in finishers:
            entry = draw(PLAYED) + draw(PERHAPS_NOTHING)
        else:
            entry = draw(PLAYED)
        minus.append(entry)
    return rule_set, AmbiguousLine(finisher=finishers, minus=tuple(minus), handromme=handromme)


def every_course(line: AmbiguousLine, rule_set: RuleSet) -> Iterator[Game]:
    """Yield every clear game that the readings of a line allow together."""
    for finisher, handromme in product(set(line.finisher), set(line.handromme)):
        if handromme and finisher is None:
            continue
        keeps = 0 if handromme else rule_set.finisher_may_hold
        hands = [
            # Points that are given only for the case that a seat did not finish say
            # nothing about the case that it did: then it has none.
            [points for points in entry if points <= keeps] or [0]
            if seat == finisher
            else [points for points in entry if points > 0]
            for seat, entry in enumerate(line.minus, start=1)
        ]
        for minus in product(*hands):
            yield Game(finisher=finisher, minus=minus, handromme=handromme)


@given(lines())
def test_the_reading_is_the_worst_of_an_exhaustive_search(drawn):
    rule_set, line = drawn

    results = ambiguity.score([line], rule_set=rule_set, players=PLAYERS)

    courses = [
        score([game], rule_set=rule_set, players=PLAYERS) for game in every_course(line, rule_set)
    ]
    for result, *of_seat in zip(results, *courses, strict=True):
        assert result.total == max(each.total for each in of_seat)
        assert result.minus == max(each.minus for each in of_seat)
        assert result.games_won == min(each.games_won for each in of_seat)
        assert result.handromme == min(each.handromme for each in of_seat)
