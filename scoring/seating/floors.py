"""Lower bounds (floors) of the aims, at which the search may stop.

Up to the first aim above its floor, no plan is better than the floors. For fields in ``plans.txt``
the search stops at the best known plan. A floor that cannot be reached only costs time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import comb

from scoring.seating.board import AGAIN, AIMS, BESIDE, CLUB, EARLY, REMATCH, TEAM
from scoring.seating.metrics import TABLE_OF_THREE
from scoring.seating.opposite_seats import least_beside
from scoring.seating.rotation import least_early
from scoring.seating.sizes import table_sizes
from scoring.seating.start import least_again
from scoring.seating.stored_plans import stored_plan
from scoring.seating.task import Task

# Fewest rematches, and with these the fewest returns to a table of three (over all players,
# the pairs of such tables that one player sits at), by (players, rounds): proven by an
# exhaustive search, see tests/scoring/test_seating_least.py.
LEAST_REMATCHES: dict[tuple[int, int], tuple[int, int]] = {
    (3, 2): (3, 3), (3, 3): (6, 9), (4, 2): (6, 0), (4, 3): (12, 0),
    (6, 2): (2, 6), (6, 3): (5, 18), (7, 2): (3, 1), (7, 3): (6, 3),
    (8, 2): (4, 0), (8, 3): (8, 0), (9, 2): (0, 9), (9, 3): (0, 27),
    (10, 2): (1, 4), (10, 3): (2, 12), (11, 2): (2, 1), (11, 3): (4, 3),
    (12, 2): (3, 0), (12, 3): (6, 0),
}  # fmt: skip


def floors(task: Task) -> tuple[int, ...]:
    """Return for each aim a lower bound of its value in a best plan."""
    lowest = [0] * AIMS
    lowest[REMATCH] = least_rematches(task)
    lowest[AGAIN] = _returns(task, lowest[REMATCH])
    lowest[EARLY] = least_early(task)
    unmet = _pairs_without_meeting(task, lowest[REMATCH])
    lowest[TEAM] = max(
        task.rounds * _least_pairs(task.teams, task.sizes)[0], _pairs(task.teams) - unmet
    )
    pairs, beside = _least_pairs(task.clubs, task.sizes)
    lowest[CLUB] = max(task.rounds * pairs, _pairs(task.clubs) - unmet)
    lowest[BESIDE] = task.rounds * beside
    known = _known(task)
    if known is not None and known[0] >= lowest[REMATCH]:
        lowest[REMATCH], lowest[AGAIN] = known
    return tuple(lowest)


def _known(task: Task) -> tuple[int, int] | None:
    """Return the rematches and returns of the best possible plan, or of the best known one."""
    if not task.is_first or task.odd != tuple(size == TABLE_OF_THREE for size in task.sizes):
        return None
    if task.sizes == table_sizes(task.players) and (task.players, task.rounds) in LEAST_REMATCHES:
        return LEAST_REMATCHES[task.players, task.rounds]
    best = stored_plan(task.sizes, task.rounds)
    return None if best is None else (best.rematches, best.again)


def least_rematches(task: Task) -> int:
    """Return a lower bound of the rematches of a plan, earlier ones included."""
    meetings = task.rounds * sum(comb(size, 2) for size in task.sizes)
    # The players of a table come from at most as many tables as the first round has.
    each = [divmod(size, len(task.sizes)) for size in task.sizes]
    forced = sum(len(task.sizes) * comb(low, 2) + more * low for low, more in each)
    fixed_together = [
        pair for pair in combinations(task.fixed, 2) if len({task.fixed[p] for p in pair}) == 1
    ]
    return max(
        task.rematches_before
        + sum(task.rounds - (task.met[player][other] == 0) for player, other in fixed_together),
        task.meetings_before + meetings - comb(task.players, 2),
        forced * (task.rounds - 1) if task.is_first else 0,
    )


def _returns(task: Task, rematches: int) -> int:
    odd_sizes = [size for size, odd in zip(task.sizes, task.odd, strict=True) if odd]
    before = task.odd_before
    free = [count for player, count in enumerate(before) if player not in task.fixed]
    always = [before[player] + task.rounds for player, at in task.fixed.items() if task.odd[at]]
    never = [before[player] for player, at in task.fixed.items() if not task.odd[at]]
    returns = least_again(free, sum(odd_sizes) - len(always), task.rounds)
    returns += sum(comb(count, 2) for count in always + never)
    if rematches or not task.is_first:
        return returns
    # Without a rematch, a table that is not odd takes at most one player from each odd table
    # of another round; the other players of that table sit at an odd table again.
    places = sum(
        min(size, len(odd_sizes)) for size, odd in zip(task.sizes, task.odd, strict=True) if not odd
    )
    return max(returns, comb(task.rounds, 2) * (sum(odd_sizes) - places))


def _pairs_without_meeting(task: Task, rematches: int) -> int:
    """Return the number of pairs that need not meet if no pair meets twice."""
    pairs = comb(task.players, 2)
    if rematches:
        return pairs
    return pairs - task.rounds * sum(comb(size, 2) for size in task.sizes)


def _pairs(labels: Sequence[int]) -> int:
    """Return the number of pairs of players of the same group."""
    members = Counter(label for label in labels if label >= 0)
    return sum(comb(count, 2) for count in members.values())


def _least_pairs(labels: Sequence[int], sizes: Sequence[int]) -> tuple[int, int]:
    """Return the fewest pairs of a group at one table, and side by side, in one round.

    Each further member at a table costs more than the one before, so the cheapest places
    are taken one after the other.
    """
    steps = sorted(
        (members - 1, least_beside(members, size) - least_beside(members - 1, size))
        for size in sizes
        for members in range(1, size + 1)
    )
    counts = Counter(label for label in labels if label >= 0)
    steps_taken = [step for count in counts.values() for step in steps[:count]]
    return sum(pairs for pairs, _beside in steps_taken), sum(
        beside for _pairs, beside in steps_taken
    )
