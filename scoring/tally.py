"""The results of stored games: the points of lists, and their results for a ranking.

Clear games are added up directly from their JSON, because a ranking of 1,000 players over five
Serien needs 15,000 of them; a list with an unclear game or an adjustment is counted line by
line (:mod:`scoring.ambiguity`). Both give the same results.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from scoring.ambiguity import count_line
from scoring.competitors import Result
from scoring.reading.interchange import line_from_json
from scoring.ruleset import RuleSet
from scoring.spielliste import SeatResult, added_for_handromme

# Separates the games of a list in one text; within a game JSON has no line break.
SEPARATOR = ",\n"

# Minus points, games finished, those by Handrommé, adjustments, and Wertpunkte of the hands.
Sums = tuple[int, ...]


def tally(
    games: str, *, rule_set: RuleSet, players: int, bonus_size: int | None = None
) -> tuple[SeatResult, ...]:
    """Return the result of stored games for each seat, seat 1 first, without Strafpunkte.

    Args:
        games: lines in JSON as the interchange format has them, ``SEPARATOR`` between them;
            checked when they were stored.
        players: number of people at the table.
        bonus_size: the size of table that counts for the bonus, if it is not *players*.

    >>> from scoring.rulesets import ruleset
    >>> first = '{"finisher": 1, "handromme": false, "minus": [0, 23, 45, 12]}'
    >>> second = '{"finisher": 3, "handromme": true, "minus": [61, 88, 0, 40]}'
    >>> seats = tally(first + SEPARATOR + second, rule_set=ruleset("rommeordnung"), players=4)
    >>> [seat.total for seat in seats]
    [41, 111, -25, 52]
    """
    ((_games, sums),) = sums_of([games], rule_set, players)
    bonus, for_handromme = rule_set.rates(bonus_size or players)
    return tuple(
        SeatResult(
            *(seat, minus, won, handromme, bonus * won, for_handromme * handromme),
            adjustment=adjusted,
            steps=steps if rule_set.valuation else None,
        )
        for seat, (minus, won, handromme, adjusted, steps) in enumerate(sums, start=1)
    )


def ranking_results(
    lists: Iterable[str], *, rule_set: RuleSet, players: int, bonus_size: int | None = None
) -> dict[str, tuple[Result, ...]]:
    """Return the results of each list for the ranking, seat 1 first; see :func:`tally`."""
    rates = rule_set.rates(bonus_size or players)
    is_valued = rule_set.valuation is not None
    return {
        games: tuple([_result(each, rates, is_valued=is_valued) for each in sums])
        for games, sums in sums_of(lists, rule_set, players)
    }


def _result(sums: Sums, rates: tuple[int, int], *, is_valued: bool) -> Result:
    minus, won, handromme, adjusted, steps = sums
    bonus, counted = rates[0] * won + rates[1] * handromme, minus + adjusted
    if is_valued:
        return Result(steps + bonus, won, handromme, augen=counted)
    return Result(counted + bonus, won, handromme)


def sums_of(
    lists: Iterable[str], rule_set: RuleSet, players: int
) -> Iterator[tuple[str, tuple[Sums, ...]]]:
    """Yield lists, or single games, with the sums for each seat; see :func:`tally`."""
    for text in lists:
        games = json.loads(f"[{text}]")
        if not games:
            yield text, ((0, 0, 0, 0, 0),) * players
        elif text.count("[") == len(games):  # only the hands: no other entry has several values
            yield text, _sums_of_clear(games, rule_set, players)
        else:
            yield text, _sums_of_lines(games, rule_set)


def _sums_of_clear(
    games: Sequence[dict[str, Any]], rule_set: RuleSet, players: int
) -> tuple[Sums, ...]:
    hands = [game["minus"] for game in games]
    if players in rule_set.dealer_sits_out:  # the dealer has no hand
        hands = [[hand or 0 for hand in row] for row in hands]
    won = [game["finisher"] for game in games]
    steps = [0] * len(hands[0])
    if valuation := rule_set.valuation:
        for game in games:
            for at, hand in enumerate(game["minus"]):
                if hand is not None and at + 1 != game["finisher"]:
                    steps[at] += valuation.of_hand(hand)
    by_handromme = [game for game in games if game["handromme"] and game["finisher"]]
    if by_handromme and added_for_handromme(1, rule_set):
        for game in by_handromme:
            others = [added_for_handromme(hand or 0, rule_set) for hand in game["minus"]]
            others[game["finisher"] - 1] = 0
            hands.append(others)
    handromme = [game["finisher"] for game in by_handromme]
    return tuple(
        [
            (minus, won.count(seat), handromme.count(seat), 0, steps[seat - 1])
            for seat, minus in enumerate(map(sum, zip(*hands, strict=True)), start=1)
        ]
    )


def _sums_of_lines(games: Iterable[dict[str, Any]], rule_set: RuleSet) -> tuple[Sums, ...]:
    counts = [count_line(line_from_json(game), rule_set) for game in games]
    return tuple(
        (
            sum(line.minus for line in of_seat),
            sum(line.finished for line in of_seat),
            sum(line.handromme for line in of_seat),
            sum(line.adjustment for line in of_seat),
            sum(line.step for line in of_seat),
        )
        for of_seat in zip(*counts, strict=True)
    )
