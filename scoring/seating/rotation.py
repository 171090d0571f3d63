"""The order of the Serien, so that all players sit at tables of three equally often.

A player returns early who sits at such a table again while another player sat at one less often.
The order of the Serien of a plan does not change its tables, only the number of early returns.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from scoring.seating.start import least_again
from scoring.seating.task import Rounds, Task

WORK = 10_000_000  # counts of players looked at: all orders of ten Serien of 400, of twelve of 75


def rotation_order(rounds: Rounds, task: Task) -> Rounds:
    """Return the rounds in the order with the fewest early returns; of several, the first.

    All orders are compared, by the sets of rounds that may come first; where there are too many
    of these, the best ones of each size.
    """
    players = _at_odd_tables(rounds, task)
    if not _early_returns(players, task):
        return rounds
    width = max(1, WORK // (len(rounds) ** 2 * task.players))
    # By the set of rounds played, as bits: early returns, order, and the counts after them.
    beam: dict[int, tuple[int, tuple[int, ...], list[int]]] = {0: (0, (), _counts_before(task))}
    for _round in rounds:
        longer: dict[int, tuple[int, tuple[int, ...], list[int]]] = {}
        for played, (early, order, counts) in beam.items():
            for at, seated in enumerate(players):
                if played >> at & 1:
                    continue
                after = counts.copy()
                reached = (early + _count(after, seated), (*order, at), after)
                key = played | 1 << at
                if key not in longer or reached[:2] < longer[key][:2]:
                    longer[key] = reached
        best = sorted(longer, key=lambda key: longer[key][:2])[:width]
        beam = {key: longer[key] for key in best}
    [(_early, order, _counts)] = beam.values()
    return [rounds[at] for at in order]


def least_early(task: Task) -> int:
    """Return a lower bound of the board's aim EARLY, reached if tables go round evenly."""
    seats = sum(size for size, odd in zip(task.sizes, task.odd, strict=True) if odd)
    return sum(least_again(task.odd_before, seats, done) for done in range(1, task.rounds))


def _at_odd_tables(rounds: Rounds, task: Task) -> list[list[int]]:
    """Return for each round the players at odd tables, but for those who always sit there."""
    return [
        [
            player
            for player in chain.from_iterable(
                table for table, odd in zip(tables, task.odd, strict=True) if odd
            )
            if player not in task.fixed
        ]
        for tables in rounds
    ]


def _counts_before(task: Task) -> list[int]:
    """Return how often each player sat at an odd table, ignoring players with a fixed table."""
    most = max(task.odd_before, default=0) + task.rounds
    return [most if player in task.fixed else count for player, count in enumerate(task.odd_before)]


def _early_returns(players: Sequence[Sequence[int]], task: Task) -> int:
    counts = _counts_before(task)
    return sum(_count(counts, seated) for seated in players)


def _count(counts: list[int], seated: Sequence[int]) -> int:
    """Add a round to *counts*; return how many of its players are two or more ahead of another."""
    for player in seated:
        counts[player] += 1
    enough = min(counts) + 1
    return sum(counts[player] > enough for player in seated)
