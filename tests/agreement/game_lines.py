"""The lines of games on the lists of small worlds."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from tournaments.models import Tournament

HANDS, AFTER_HANDROMME = (2, 5, 10, 10, 20, 20, 35, 47, 60, 88), (60, 60, 75, 90)


def line_of(seats: int, chance: Random) -> dict[str, object]:
    """Return a game that the rules let be."""
    handromme = chance.random() < 0.15
    hands = [chance.choice(AFTER_HANDROMME if handromme else HANDS) for _seat in range(seats)]
    finisher = chance.randint(1, seats)
    hands[finisher - 1] = 0
    return {"finisher": finisher, "handromme": handromme, "minus": hands}


def won_by(finisher: int, seats: int) -> dict[str, object]:
    """Return a game after which all others count the same."""
    hands = [10 * (seat != finisher) for seat in range(1, seats + 1)]
    return {"finisher": finisher, "handromme": False, "minus": hands}


def sitting_out(tournament: Tournament, seats: int) -> list[int]:
    """Return the seat sitting out in each game of a list, 0 for none."""
    games = tournament.rule_set.get("dealer_sits_out", {}).get(str(seats))
    if games:
        return [game % seats + 1 for game in range(games)]
    return [0] * int(tournament.rule_set["games"])


def without(seat: int, line: Mapping[str, Any]) -> dict[str, Any]:
    """Return a line in which *seat* sits out; its finish passes to the next seat."""
    hands, finisher = list(line["minus"]), line["finisher"]
    if seat:
        finisher = finisher % len(hands) + 1 if finisher == seat else finisher
        hands[finisher - 1], hands[seat - 1] = 0, None
    return {**line, "finisher": finisher, "minus": hands}
