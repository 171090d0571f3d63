"""The quick way from stored games to the points of a list.

A ranking of 1,000 players over five Serien rests on 15,000 games. Nearly all of them are
clear, and what a clear game brings needs no reading of it: its points are added up as
they are stored. A list with anything beside that takes the way of :mod:`scoring.unclear`.
Both ways come to the same, which a test shows for any list.
"""

from __future__ import annotations

from itertools import compress
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from scoring.reading.interchange import line_from_json
from scoring.spielliste import SeatResult, added_for_handromme, sum_up
from scoring.unclear import count_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoring.ruleset import RuleSet

_PARTS = itemgetter("finisher", "handromme", "minus")
_PARTS_OF_A_CLEAR_GAME = 3


def tally(
    games: Sequence[Mapping[str, Any]],
    *,
    rule_set: RuleSet,
    players: int,
    bonus_size: int | None = None,
) -> tuple[SeatResult, ...]:
    """Return what stored games come to for each seat, seat 1 first, Strafpunkte apart.

    Args:
        games: lines as the interchange format has them, checked when they were stored.
        rule_set: by which they are scored.
        players: number of people at the table.
        bonus_size: the size of table that counts for the bonus, if it is not *players*.

    >>> from scoring.rulesets import ruleset
    >>> games = [
    ...     {"finisher": 1, "handromme": False, "minus": [0, 23, 45, 12]},
    ...     {"finisher": 3, "handromme": True, "minus": [61, 88, 0, 40]},
    ... ]
    >>> [seat.total for seat in tally(games, rule_set=ruleset("rommeordnung"), players=4)]
    [41, 111, -25, 52]
    """
    count = len(games)
    if not games or sum(map(len, games)) > _PARTS_OF_A_CLEAR_GAME * count:  # adjustments
        return _read_all(games, rule_set, players, bonus_size)
    finishers, by_handromme, hands = zip(*map(_PARTS, games), strict=True)
    seats = range(1, players + 1)
    won = list(map(finishers.count, seats))
    done = by_handromme.count(True)
    if (
        sum(won) + finishers.count(None) < count  # somewhere a list of readings stands instead
        or done + by_handromme.count(False) < count
    ):
        return _read_all(games, rule_set, players, bonus_size)
    try:
        minus = list(map(sum, zip(*hands, strict=True)))
    except TypeError:  # as above, instead of a hand
        return _read_all(games, rule_set, players, bonus_size)
    handromme = [0] * players
    if done:
        for finisher, row in compress(zip(finishers, hands, strict=True), by_handromme):
            handromme[finisher - 1] += 1
            for at, hand in enumerate(row):
                if at != finisher - 1:
                    minus[at] += added_for_handromme(hand, rule_set)
    bonus = -rule_set.bonus_per_game[bonus_size or players]
    for_handromme = -rule_set.handromme.bonus if rule_set.handromme else 0
    sums = zip(seats, minus, won, handromme, strict=True)
    return tuple(
        [SeatResult(at, hand, n, m, bonus * n, for_handromme * m) for at, hand, n, m in sums]
    )


def _read_all(
    games: Sequence[Mapping[str, Any]], rule_set: RuleSet, players: int, bonus_size: int | None
) -> tuple[SeatResult, ...]:
    counts = [count_line(line_from_json(game), rule_set) for game in games]
    return sum_up(counts, rule_set=rule_set, players=players, bonus_size=bonus_size)
