"""The quick way from stored games to the points of a list.

A ranking of 1,000 players over five Serien rests on 15,000 games. Nearly all of them are
clear, and what a clear game brings needs no reading of it: its points are added up as
they are stored. A list with anything beside that takes the way of :mod:`scoring.unclear`.
Both ways come to the same, which a test shows for any list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scoring.reading.interchange import line_from_json
from scoring.spielliste import SeatResult, added_for_handromme, sum_up
from scoring.unclear import count_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoring.ruleset import RuleSet


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
    won, handromme, added = [0] * players, [0] * players, [0] * players
    for game in games:
        finisher, was_handromme = game["finisher"], game["handromme"]
        if type(finisher) is list or type(was_handromme) is list or "adjustments" in game:
            return _read_all(games, rule_set, players, bonus_size)
        if finisher is not None:
            won[finisher - 1] += 1
        if was_handromme:
            handromme[finisher - 1] += 1
            for seat in range(players):
                hand = game["minus"][seat]
                if type(hand) is int and seat != finisher - 1:
                    added[seat] += added_for_handromme(hand, rule_set)
    try:
        hands = [sum(column) for column in zip(*[game["minus"] for game in games], strict=True)]
    except TypeError:  # somewhere a list of readings stands instead of a number
        return _read_all(games, rule_set, players, bonus_size)
    rate = rule_set.bonus_per_game[bonus_size or players]
    handromme_rate = rule_set.handromme.bonus if rule_set.handromme else 0
    return tuple(
        [
            SeatResult(
                seat=seat + 1,
                minus=hand + added[seat],
                games_won=won[seat],
                handromme=handromme[seat],
                bonus=-rate * won[seat],
                handromme_bonus=-handromme_rate * handromme[seat],
                penalty=0,
                adjustment=0,
            )
            for seat, hand in enumerate(hands or [0] * players)
        ]
    )


def _read_all(
    games: Sequence[Mapping[str, Any]], rule_set: RuleSet, players: int, bonus_size: int | None
) -> tuple[SeatResult, ...]:
    counts = [count_line(line_from_json(game), rule_set) for game in games]
    return sum_up(counts, rule_set=rule_set, players=players, bonus_size=bonus_size)
