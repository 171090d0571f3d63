"""The rules and lists that the tests of Wertpunkte score."""

from __future__ import annotations

from dataclasses import replace

from scoring.ambiguity import AmbiguousLine
from scoring.rulesets import ruleset
from scoring.valuation import Valuation, ValuationStep

RULES = ruleset("wertpunkte")  # finished 5, Handrommé 8, up to 30: 2, up to 60: 1
BY_SIZE = replace(
    RULES,
    valuation=Valuation(
        finish={4: 5, 3: 4},
        handromme={4: 8, 3: 6},
        steps=(ValuationStep(upto=30, points=2), ValuationStep(upto=60, points=1)),
        penalty_per=50,
    ),
)


def line(finisher, *minus, handromme=False) -> AmbiguousLine:
    return AmbiguousLine(
        finisher=tuple(finisher) if isinstance(finisher, list) else (finisher,),
        minus=tuple(tuple(hand) if isinstance(hand, list) else (hand,) for hand in minus),
        handromme=tuple(handromme) if isinstance(handromme, list) else (handromme,),
    )


FOUR = (
    line(1, 0, 28, 55, 90),  # 5, 2, 1, 0
    line(3, 61, 88, 0, 40, handromme=True),  # 0, 0, 8, 1
    line(4, 30, 31, 60, 0),  # 2, 1, 1, 5
)
THREE = (
    line(1, 0, 28, 90),  # 4, 2, 0
    line(2, 60, 0, 61, handromme=True),  # 1, 6, 0
)
