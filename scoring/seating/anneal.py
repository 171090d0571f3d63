"""Simulated annealing for small fields.

The aims are weighed against each other here instead of being strictly ordered: the way to
a plan without a rematch may lead through plans with one. A worse plan is accepted with a
probability that halves for each *heat* by which it is worse; the heat falls from step to
step. All arithmetic is in whole numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

from scoring.seating.board import Board
from scoring.seating.chance import Chance
from scoring.seating.task import Rounds, Task

# Cost of one unit of each aim: apart, rematch, again, team, club, beside.
SOFT = (48, 24, 12, 12, 6, 3)
HOTTEST, COLDEST = 5, 2
MOST_HALVINGS = 24  # less likely than one in 2²⁴ is not tried


def anneal(
    task: Task, rounds: Rounds, chance: Chance, *, floors: Sequence[int], steps: int
) -> Rounds:
    """Return the best plan found within the steps, or the first with all aims at their floors."""
    goal = sum(floor * weight for floor, weight in zip(floors, SOFT, strict=True))
    board = Board(task, rounds, SOFT)
    free = [player for player in range(task.players) if player not in task.fixed]
    best, best_cost = board.copy_of_tables(), board.cost
    below, change_of = chance.below, board.change
    for step in range(steps):
        at = below(task.rounds)
        one, other = free[below(len(free))], free[below(len(free))]
        where = board.where[at]
        if where[one] == where[other]:
            continue
        change = change_of(at, one, other)
        if change > 0:
            heat = HOTTEST - (HOTTEST - COLDEST) * step // steps
            if change > heat * MOST_HALVINGS or below(1 << -(-change // heat)):
                continue
        board.swap(at, one, other, change)
        if board.cost < best_cost:
            best, best_cost = board.copy_of_tables(), board.cost
            if best_cost <= goal:
                break
    return best
