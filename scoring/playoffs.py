"""The Entscheidungsspiele of § 1.5: their consistency, and the order that follows from them.

They are recorded as orders of start numbers, best first. An order may leave out some of the equal
players, and several orders may be combined. First come the players who lost to no other of the
group; then those who lost to no other of the rest; and so on. Hence no player falls behind
without having lost, players who still share a rank have not lost to each other, and if no rank
is shared, the whole order was won in games. An order may also name players who are not equal
(any more), for instance after a correction; between those it decides nothing.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from graphlib import TopologicalSorter
from itertools import pairwise

from scoring.errors import Problem, ScoringError
from scoring.texts import _


def check_playoffs(playoffs: Sequence[Sequence[int]]) -> None:
    """Refuse Entscheidungsspiele that contradict each other.

    They need not be complete, but no two may contradict each other, directly or through
    others: 7 before 3 and 3 before 9 contradict 9 before 7. The problem names the one that
    was recorded later; the Spielleitung decides which of them is wrong.

    Raises:
        ScoringError: if an order has fewer than two numbers or one of them twice, repeats
            an earlier order, or contradicts earlier ones; every problem, with its place
            as in ``playoffs[1].order``.
    """
    problems: list[Problem] = []
    accepted: list[Sequence[int]] = []
    losers: defaultdict[int, set[int]] = defaultdict(set)
    for index, order in enumerate(playoffs):
        message = _order_problem(order, accepted, losers)
        if message:
            problems.append(Problem(f"playoffs[{index}].order", message))
            continue
        accepted.append(tuple(order))
        for better, worse in pairwise(order):
            losers[better].add(worse)
    if problems:
        raise ScoringError(problems)


def _order_problem(
    order: Sequence[int], accepted: Sequence[Sequence[int]], losers: Mapping[int, set[int]]
) -> str:
    """Return the problem of *order*, given those accepted before; "" if there is none."""
    if len(order) < 2:
        return _("Eine Reihenfolge unter Gleichen hat mindestens zwei Nummern, die beste zuerst.")
    twice = next((number for number in order if order.count(number) > 1), None)
    if twice is not None:
        message = _("Nummer {number} steht in dieser Reihenfolge mehrmals.")
        return message.format(number=twice)
    if tuple(order) in accepted:
        return _("Diese Reihenfolge ist schon erfasst; bitte eine davon streichen.")
    # A cycle always shows in one pair: the order is a chain, so to come back to where it
    # began, one of the earlier games must lead from a number to one in front of it.
    for place, number in enumerate(order):
        beaten = _beaten_by(number, losers)
        for better in order[:place]:
            if better in beaten:
                message = _(
                    "Diese Reihenfolge setzt Nummer {better} vor Nummer {worse}, nach"
                    " den schon erfassten liegt {worse} vor {better}; bitte eine streichen."
                )
                return message.format(better=better, worse=number)
    return ""


def _beaten_by(number: int, losers: Mapping[int, set[int]]) -> set[int]:
    """Return every number that lost to *number*, directly or through others."""
    beaten: set[int] = set()
    waiting = [number]
    while waiting:
        losers_of = losers.get(waiting.pop(), set()) - beaten
        beaten |= losers_of
        waiting.extend(losers_of)
    return beaten


def lot_order(names: Mapping[int, str], seed: str) -> list[int]:
    """Return the order of a lot between equals, if the Ausschreibung has it instead of a game.

    Names are sorted by the SHA-256 of *seed*, a space and the name, so the draw can be repeated.

    Args:
        names: by number, as published with the seed.
        seed: drawn at random for this lot.

    >>> lot_order({7: "Nr. 7", 3: "Nr. 3"}, "c0ffee")
    [7, 3]
    """
    return sorted(names, key=lambda number: (_hash(f"{seed} {names[number]}"), number))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def playoff_levels(
    equals: Mapping[int, Hashable], playoffs: Sequence[Sequence[int]]
) -> dict[int, int]:
    """Return the level of each player of an Entscheidungsspiel among equals.

    0: lost to none of them; 1: lost only to some of level 0; and so on (see the head of this
    module).

    Args:
        equals: the criteria before the Entscheidungsspiel, by start number; the same for equals.
        playoffs: orders that do not contradict each other.
    """
    winners: defaultdict[int, set[int]] = defaultdict(set)
    for order in playoffs:
        last_of: dict[Hashable, int] = {}
        for number in order:
            if number in equals:
                key = equals[number]
                if key in last_of:
                    winners[number].add(last_of[key])
                last_of[key] = number
    levels: dict[int, int] = {}
    for number in TopologicalSorter(winners).static_order():  # winners before losers
        lost_to = winners.get(number, ())
        levels[number] = max((levels[winner] + 1 for winner in lost_to), default=0)
    return levels
