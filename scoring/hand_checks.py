"""Sentences for hands of one game, alone or together, with impossible or rare points.

Every sentence says what to check. All bounds are computed from the pack
(:mod:`scoring.hands`); which of them apply to a line is decided in
:mod:`scoring.plausibility`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count

from scoring.hands import PossibleHands
from scoring.texts import _

ONE_IN = 10_000
"""A value is rare that at most one in so many random hands goes beyond.

80 players in three Serien count some 2,200 hands, so chance alone brings one of these in
every fourth or fifth tournament. Players do not hold random cards, they lay out and keep
what fits; still, such a value is a slip more often than not.
"""
_ONE_IN_SHOWN = f"{ONE_IN:,}".replace(",", ".")


# --- One hand -------------------------------------------------------------------------


def hand_objection(points: int, hands: PossibleHands) -> str | None:
    """Return why a player who did not finish cannot count *points*, or None.

    Args:
        points: of one hand, before any doubling.
        hands: the possible hands.

    >>> from scoring.hands import possible_hands
    >>> from scoring.rulesets import ruleset
    >>> hand_objection(198, possible_hands(ruleset("rommeordnung"), players=4, game=1))
    '198 kann nicht sein: 13 Karten zählen höchstens 197. Bitte nachzählen.'
    """
    if points >= 0 and hands.values >> points & 1:
        return None
    if points < hands.lowest():
        return _too_low(points, hands)
    if points > hands.highest():
        return _(
            "{points} kann nicht sein: {cards} Karten zählen höchstens {highest}. Bitte nachzählen."
        ).format(points=points, cards=hands.most, highest=hands.highest())
    below = next(filter(hands.can_be, count(points, -1)))
    above = next(filter(hands.can_be, count(points)))
    return _(
        "{points} kann nicht sein: Die Karten ergeben {below} oder {above}, "
        "aber nichts dazwischen. Bitte nachzählen."
    ).format(points=points, below=below, above=above)


def _too_low(points: int, hands: PossibleHands) -> str:
    if hands.nobody_laid_out:
        return _(
            "{points} kann nicht sein: Nach einem Handrommé halten die anderen noch "
            "{cards} Karten, und die zählen mindestens {lowest}. "
            "Bitte nachzählen oder prüfen, ob es ein Handrommé war."
        ).format(points=points, cards=hands.fewest, lowest=hands.lowest())
    if points == 0:
        return _(
            "0 Punkte hat nur, wer das Spiel beendet; wer noch Karten hält, hat mindestens "
            "{lowest}. Bitte nachzählen oder prüfen, wer das Spiel beendet hat."
        ).format(lowest=hands.lowest())
    return _(
        "{points} kann nicht sein: Wer noch Karten hält, hat mindestens {lowest}. Bitte nachzählen."
    ).format(points=points, lowest=hands.lowest())


def finisher_objection(points: int, limit: int, hands: PossibleHands) -> str | None:
    """Return why a finisher, who may hold *limit* points, cannot have *points*, or None (§ 8.1).

    Some rules let a player finish with a few points left, though not by Handrommé.
    """
    if points == 0:
        return None
    if limit == 0:
        return _(
            "Wer das Spiel beendet, hat 0 Punkte, nicht {points}. "
            "Bitte die Punkte prüfen oder wer das Spiel beendet hat."
        ).format(points=points)
    if points > limit:
        return _(
            "Wer das Spiel beendet, darf höchstens {limit} Punkte in der Hand haben, "
            "nicht {points}. Bitte die Punkte prüfen oder wer das Spiel beendet hat."
        ).format(limit=limit, points=points)
    return hand_objection(points, hands)


def doubt_of_hand(points: int, hands: PossibleHands) -> str | None:
    """Return why *points* are doubtful for a player who did not finish, or None.

    *points* are those of a possible hand. They are compared with all hands of the number of
    cards dealt plus those by which a hand may grow; for the lower limit after a Handrommé, with
    all hands of the number of cards dealt.
    """
    highest, lowest = hands.rare_above(ONE_IN), hands.rare_below(ONE_IN)
    if points > highest:
        return _(
            "{points} ist ungewöhnlich viel: Von {one_in} zufälligen Blättern mit {cards} "
            "Karten zählt höchstens eines mehr als {limit}. Bitte nachzählen."
        ).format(points=points, one_in=_ONE_IN_SHOWN, cards=hands.usual, limit=highest)
    if points < lowest:
        return _(
            "{points} ist nach einem Handrommé ungewöhnlich wenig: Von {one_in} zufälligen "
            "Blättern mit {cards} Karten zählt höchstens eines weniger als {limit}. "
            "Bitte nachzählen und prüfen, ob es ein Handrommé war."
        ).format(points=points, one_in=_ONE_IN_SHOWN, cards=hands.fewest, limit=lowest)
    return None


# --- Hands together -------------------------------------------------------------------


def joint_objection(
    at_least: Iterable[int], at_most: Iterable[int], hands: PossibleHands
) -> str | None:
    """Return why no values from *at_least* to *at_most* can be held at the same time, or None.

    The values are those of all players who hold cards, each possible by itself, in any
    order. Every subset of the hands must keep the bounds; of each size, the subset nearest
    to a bound is tested.

    >>> from scoring.hands import possible_hands
    >>> from scoring.rulesets import ruleset
    >>> points = [197, 132, 2]
    >>> joint_objection(points, points, possible_hands(ruleset("rommeordnung"), players=4, game=1))
    '197 + 132 kann nicht sein: 2 Hände aus einem Kartenpaket zählen zusammen höchstens 328. \
Bitte nachzählen.'
    """
    falling = sorted(at_least, reverse=True)
    rising = sorted(at_most)
    for number in range(2, len(rising) + 1):
        highest, lowest = hands.highest(number), hands.lowest(number)
        if sum(falling[:number]) > highest:
            return _(
                "{hands} kann nicht sein: {number} Hände aus einem Kartenpaket zählen "
                "zusammen höchstens {highest}. Bitte nachzählen."
            ).format(hands=_sum(falling[:number]), number=number, highest=highest)
        if sum(rising[:number]) < lowest:
            return _together_too_low(rising[:number], lowest, hands)
    return None


def _together_too_low(points: Sequence[int], lowest: int, hands: PossibleHands) -> str:
    if hands.nobody_laid_out:
        sentence = _(
            "{hands} kann nicht sein: Nach einem Handrommé zählen {number} Hände aus einem "
            "Kartenpaket zusammen mindestens {lowest}. "
            "Bitte nachzählen oder prüfen, ob es ein Handrommé war."
        )
    else:
        sentence = _(
            "{hands} kann nicht sein: {number} Hände aus einem Kartenpaket zählen "
            "zusammen mindestens {lowest}. Bitte nachzählen."
        )
    return sentence.format(hands=_sum(points), number=len(points), lowest=lowest)


def _sum(points: Sequence[int]) -> str:
    return " + ".join(map(str, points))
