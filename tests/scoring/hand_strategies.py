"""Hands for Hypothesis, with few cards so that every deal can be tried, and hands of a rule set."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from scoring.hand_checks import doubt_of_hand, finisher_objection, hand_objection, joint_objection
from scoring.hands import PossibleHands, possible_hands
from scoring.ruleset import RuleSet


def holdings(*, most_players: int) -> st.SearchStrategy[PossibleHands]:
    """Values that two to *most_players* hands can hold: up to three, one to three cards of each."""
    return st.builds(
        lambda cards, fewest, more, players: PossibleHands(
            cards=cards,
            fewest=fewest,
            most=fewest + more,
            usual=fewest + more,
            players=players,
            nobody_laid_out=fewest > 1,
        ),
        st.dictionaries(st.integers(1, 6), st.integers(1, 3), min_size=1, max_size=3).map(
            lambda counted: tuple(sorted(counted.items()))
        ),
        st.integers(1, 2),
        st.integers(0, 3),
        st.integers(2, most_players),
    )


def hand_problem(
    points: int, *, rule_set: RuleSet, players: int, game: int, after_handromme: bool = False
) -> str | None:
    """Return why a loser of this *game* cannot count *points*."""
    hands = possible_hands(rule_set, players=players, game=game, after_handromme=after_handromme)
    return hand_objection(points, hands)


def hand_doubt(
    points: int, *, rule_set: RuleSet, players: int, game: int, after_handromme: bool = False
) -> str | None:
    """Return why a loser of this *game* hardly counts *points*."""
    hands = possible_hands(rule_set, players=players, game=game, after_handromme=after_handromme)
    return doubt_of_hand(points, hands)


def finisher_problem(
    points: int, *, rule_set: RuleSet, players: int, game: int, handromme: bool = False
) -> str | None:
    """Return why the finisher of this *game* cannot have *points*."""
    limit = 0 if handromme else rule_set.finisher_may_hold
    return finisher_objection(points, limit, possible_hands(rule_set, players=players, game=game))


def joint_problem(
    points: Sequence[int],
    *,
    rule_set: RuleSet,
    players: int,
    game: int,
    after_handromme: bool = False,
) -> str | None:
    """Why hands of this *game* cannot have been held at the same time."""
    hands = possible_hands(rule_set, players=players, game=game, after_handromme=after_handromme)
    return joint_objection(points, points, hands)
