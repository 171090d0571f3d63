"""The bounds of the entries of a game as plain numbers, for pages that check while typing.

The same bounds as in the sentences of :mod:`scoring.hand_checks`.
"""

from __future__ import annotations

from functools import lru_cache
from math import gcd
from typing import TypedDict

from scoring.hand_checks import ONE_IN
from scoring.hands import PossibleHands, possible_hands
from scoring.ruleset import RuleSet


class HandBounds(TypedDict):
    """The bounds of one hand, and of several together; a list's first entry is one hand."""

    min: int
    max: int
    step: int  # only multiples of it are possible
    impossible: list[int]  # multiples of step between min and max that are not, rising
    joint_min: list[int]
    joint_max: list[int]
    ask_below: int  # possible, but to be asked about
    ask_above: int


class GameBounds(TypedDict):
    """The bounds of the hands of one game."""

    hand: HandBounds
    after_handromme: HandBounds | None  # None: the rules know no Handrommé
    finisher_max: int  # 0, or this much if it is possible as a hand; 0 after a Handrommé


@lru_cache(maxsize=1024)
def bounds(rule_set: RuleSet, players: int, game: int) -> GameBounds:
    """Return the bounds of *game* as plain numbers, ready for JSON; callers must not change them.

    >>> from scoring.rulesets import ruleset
    >>> bounds(ruleset("rommeordnung"), players=4, game=1)["hand"]["joint_max"]
    [197, 328, 458, 582]
    """
    after_handromme = None
    if rule_set.handromme is not None:
        after_handromme = _bounds(
            possible_hands(rule_set, players=players, game=game, after_handromme=True)
        )
    return GameBounds(
        hand=_bounds(possible_hands(rule_set, players=players, game=game)),
        after_handromme=after_handromme,
        finisher_max=rule_set.finisher_may_hold,
    )


def _bounds(hands: PossibleHands) -> HandBounds:
    step = gcd(*(value for value, _cards in hands.cards))
    numbers = range(1, hands.players + 1)
    between = range(hands.lowest(), hands.highest() + 1)
    return HandBounds(
        min=hands.lowest(),
        max=hands.highest(),
        step=step,
        impossible=[v for v in between if v % step == 0 and not hands.can_be(v)],
        joint_min=[hands.lowest(number) for number in numbers],
        joint_max=[hands.highest(number) for number in numbers],
        ask_below=hands.rare_below(ONE_IN),
        ask_above=hands.rare_above(ONE_IN),
    )
