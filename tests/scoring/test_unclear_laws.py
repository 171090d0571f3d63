"""What must hold for every unclear line, whatever it says (§ 2.2.6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from hypothesis import assume, given
from hypothesis import strategies as st

from scoring import unclear
from scoring.ruleset import RuleSet
from scoring.rulesets import ruleset
from scoring.unclear import Line, count_line, explain
from tests.scoring.clear import Game, score

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
def lines(draw: st.DrawFn) -> tuple[RuleSet, Line]:
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
    return rule_set, Line(finisher=finishers, minus=tuple(minus), handromme=handromme)


def every_course(line: Line, rule_set: RuleSet) -> Iterator[Game]:
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

    found = unclear.score([line], rule_set=rule_set, players=PLAYERS)

    courses = [
        score([game], rule_set=rule_set, players=PLAYERS) for game in every_course(line, rule_set)
    ]
    for result, *of_seat in zip(found, *courses, strict=True):
        assert result.total == max(each.total for each in of_seat)
        assert result.minus == max(each.minus for each in of_seat)
        assert result.games_won == min(each.games_won for each in of_seat)
        assert result.handromme == min(each.handromme for each in of_seat)


@given(lines(), st.data())
def test_one_more_reading_never_lowers_a_total(drawn, data):
    rule_set, line = drawn
    entry = data.draw(st.sampled_from(["finisher", "handromme", "minus"]))
    if entry == "finisher":
        seat = data.draw(st.none() | st.sampled_from(SEATS))
        more = replace(line, finisher=(*line.finisher, seat))
    elif entry == "handromme":
        more = replace(line, handromme=(*line.handromme, data.draw(st.booleans())))
    else:
        seat = data.draw(st.sampled_from(SEATS))
        minus = list(line.minus)
        minus[seat - 1] = (*minus[seat - 1], data.draw(st.integers(0, 200)))
        more = replace(line, minus=tuple(minus))

    before = unclear.score([line], rule_set=rule_set, players=PLAYERS)
    after = unclear.score([more], rule_set=rule_set, players=PLAYERS)

    for old, new in zip(before, after, strict=True):
        assert new.total >= old.total
        assert new.games_won <= old.games_won
        assert new.handromme <= old.handromme


@given(lines(), st.sampled_from(SEATS), st.integers(0, 20))
def test_larger_points_never_lower_a_total(drawn, seat, more):
    rule_set, line = drawn
    minus = list(line.minus)
    minus[seat - 1] = tuple(points + more for points in minus[seat - 1])

    before = unclear.score([line], rule_set=rule_set, players=PLAYERS)
    after = unclear.score([replace(line, minus=tuple(minus))], rule_set=rule_set, players=PLAYERS)

    assert after[seat - 1].total >= before[seat - 1].total
    assert [new for new in after if new.seat != seat] == [old for old in before if old.seat != seat]


@given(lines(), st.permutations(SEATS))
def test_permuting_the_seats_permutes_the_counts(drawn, old_seats):
    rule_set, line = drawn
    new_seat: dict[int | None, int | None] = {None: None}
    new_seat |= {old: new for new, old in enumerate(old_seats, start=1)}
    moved = replace(
        line,
        finisher=tuple(new_seat[seat] for seat in line.finisher),
        minus=tuple(line.minus[old - 1] for old in old_seats),
    )

    before = count_line(line, rule_set)

    after = count_line(moved, rule_set)
    for new, old in enumerate(old_seats, start=1):
        assert replace(after[new - 1], seat=old) == before[old - 1]


@given(lines())
def test_every_number_that_a_clear_line_would_not_give_is_explained(drawn):
    rule_set, line = drawn

    for explained in explain(line, rule_set):
        seat = explained.count.seat
        is_plain = len(set(line.minus[seat - 1])) == 1 and explained.count.added == 0
        is_credited_as_read = (seat in line.finisher) == explained.count.finished and (
            not explained.count.finished or explained.count.handromme == any(line.handromme)
        )
        assert bool(explained.reasons) == (not is_plain or not is_credited_as_read)
