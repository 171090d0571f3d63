"""Lists at whose tables of four the dealer sits out, worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scoring.ambiguity import AmbiguousLine
from scoring.reading.interchange import line_from_json
from scoring.rulesets import ruleset

# The Romméordnung, but at a table of four the dealer sits out: 20 games, 15 of each.
RULES = replace(ruleset("rommeordnung"), games=15, dealer_sits_out={4: 20})
Written = dict[str, Any]


def of_four(game: int) -> Written:
    """Return a line: the dealer sits out, the next seat finishes, the others have 20 and 30."""
    minus: list[int | None] = [0, 0, 0, 0]
    for after_dealer, points in enumerate((None, 0, 20, 30)):
        minus[(game - 1 + after_dealer) % 4] = points
    return {"finisher": game % 4 + 1, "handromme": False, "minus": minus}


def of_three(game: int) -> Written:
    """The dealer finishes, the others have 25."""
    minus = [25 * (seat != (game - 1) % 3) for seat in range(3)]
    return {"finisher": (game - 1) % 3 + 1, "handromme": False, "minus": minus}


FOUR = [of_four(game) for game in range(1, 21)]
THREE = [of_three(game) for game in range(1, 16)]

VALUED = ruleset("wertpunkte-geber")  # finished 5, Handrommé 8, up to 30: 2, up to 60: 1


def valued_four(game: int) -> Written:
    """Return a line: the dealer sits out, the next seat finishes, the others have 28 and 55."""
    minus: list[int | None] = [0, 0, 0, 0]
    for after_dealer, points in enumerate((None, 0, 28, 55)):
        minus[(game - 1 + after_dealer) % 4] = points
    return {"finisher": game % 4 + 1, "handromme": False, "minus": minus}


def valued_three(game: int) -> Written:
    """The dealer finishes, the others have 28 and 55."""
    minus = [0, 0, 0]
    for after_dealer, points in enumerate((0, 28, 55)):
        minus[(game - 1 + after_dealer) % 3] = points
    return {"finisher": (game - 1) % 3 + 1, "handromme": False, "minus": minus}


# In the first game of each list a Handrommé, the others with 40 and 55.
VALUED_FOUR = [
    {"finisher": 2, "handromme": True, "minus": [None, 0, 40, 55]},
    *(valued_four(game) for game in range(2, 21)),
]
VALUED_THREE = [
    {"finisher": 1, "handromme": True, "minus": [0, 40, 55]},
    *(valued_three(game) for game in range(2, 16)),
]


def lines(games: list[Written]) -> list[AmbiguousLine]:
    return [line_from_json(game) for game in games]
