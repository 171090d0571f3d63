"""Local search: swaps of two players that lower the cost, and ways out of dead ends.

Work is counted, not timed, so that a seed gives the same plan on every machine and the search
always ends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scoring.seating.board import AGAIN, TEAM, Board
from scoring.seating.chance import Chance
from scoring.seating.task import Rounds, Task

LOOK_AT_ALL = 64  # players; in a larger field only a sample of partners is tried
SAMPLE = 48
OVERHEAD = 5  # work of one step besides the swaps tried
TENURE = 3  # fewest steps before a player may be moved again in the same round
RELABELLINGS = 10  # partners tried for changing roles in all rounds
STALE = 600  # steps without a better plan before the search returns to the best one


class Search:
    """Improves a board until each aim is at its floor or the work is used up.

    A unit of work is one swap tried, or the same time. ``best_cost`` is the cost of the best
    plan found.
    """

    def __init__(
        self,
        board: Board,
        chance: Chance,
        *,
        floors: Sequence[int],
        work: int,
        report: Callable[[int], None],
    ) -> None:
        self.board = board
        self.chance = chance
        self.floors = floors
        self.goal = sum(f * w for f, w in zip(floors, board.weights, strict=True))
        self.work = work
        self.done = 0
        self.report = report
        self.best_cost = board.cost
        self.pass_work = 1 + board.task.players * board.task.rounds // OVERHEAD
        self.kept: Rounds | None = None  # the best tables, unless the board shows them
        self.free = [p for p in range(board.task.players) if p not in board.task.fixed]
        self.may_relabel = not (any(any(row) for row in board.task.met) or board.task.apart)
        self.tabu: dict[tuple[int, int], int] = {}
        self.step = 0
        self.last_gain = 0

    def is_over(self) -> bool:
        """Whether every aim is at its floor, or the work is used up."""
        return self.best_cost <= self.goal or self.done >= self.work

    def run(self) -> Rounds:
        """Return the best plan found."""
        while not self.is_over():
            self.done += self.pass_work
            aim = self._choose_aim()
            for at, player in self.chance.shuffled(self.board.spots(aim)):
                if self.board.is_spot(aim, at, player):
                    self._improve(aim, at, player)
                if self.is_over():
                    break
            if self.step - self.last_gain > STALE:
                self._return_to_best()
            self.report(min(self.done, self.work))
        return self.board.tables if self.kept is None else self.kept

    def _choose_aim(self) -> int:
        """Return the first aim above its floor; one time in three, one of the later ones."""
        values = self.board.values()
        open_aims = [aim for aim, value in enumerate(values) if value > self.floors[aim]]
        return open_aims[0] if self.chance.below(3) else self.chance.pick(open_aims)

    def _improve(self, aim: int, at: int, player: int) -> None:
        """Make the best allowed swap of one player, if it does not worsen earlier aims."""
        board = self.board
        self.step += 1
        partners = self._partners(at, player)
        best_change = 0
        best: list[int] = []
        for other in partners:
            change = board.change(at, player, other)
            if best and change > best_change:
                continue
            if board.cost + change >= self.best_cost and self._is_tabu(at, player, other):
                continue
            if best and change == best_change:
                best.append(other)
            else:
                best_change, best = change, [other]
        self.done += OVERHEAD + len(partners)
        if best and best_change < 0:
            self._swap(at, player, self.chance.pick(best), best_change)
        elif aim >= TEAM and self.may_relabel and self._relabel(player):
            return
        elif best and (aim <= AGAIN or best_change < board.weights[AGAIN]):
            self._swap(at, player, self.chance.pick(best), best_change)

    def _partners(self, at: int, player: int) -> list[int]:
        where = self.board.where[at]
        table = where[player]
        candidates: Sequence[int] = self.free
        if len(self.free) > LOOK_AT_ALL:
            candidates = [self.chance.pick(self.free) for _one in range(SAMPLE)]
        return [other for other in candidates if where[other] != table]

    def _is_tabu(self, at: int, *players: int) -> bool:
        return any(self.tabu.get((at, player), 0) > self.step for player in players)

    def _swap(self, at: int, first: int, second: int, change: int) -> None:
        if change > 0 and self.kept is None:
            self.kept = self.board.copy_of_tables()
        self.board.swap(at, first, second, change)
        until = self.step + TENURE + self.chance.below(TENURE)
        self.tabu[at, first] = self.tabu[at, second] = until
        self._note_gain()

    def _relabel(self, player: int) -> bool:
        """Let the player change roles with another in all rounds, if that lowers the cost.

        The meetings change, but not the number of rematches: this separates club mates in a
        plan in which every single swap would cause a rematch.
        """
        board = self.board
        for _try in range(RELABELLINGS):
            other = self.chance.pick(self.free)
            change = board.change_everywhere(player, other)
            self.done += board.task.rounds
            if change < 0:
                board.swap_everywhere(player, other)
                self._note_gain()
                return True
        return False

    def _note_gain(self) -> None:
        if self.board.cost < self.best_cost:
            self.best_cost = self.board.cost
            self.kept = None
            self.last_gain = self.step

    def _return_to_best(self) -> None:
        self.board = Board(self.board.task, self.kept or self.board.tables)
        self.kept = None
        self.tabu.clear()
        self.last_gain = self.step


# --- Simulated annealing for small fields ---------------------------------------------------------
#
# The aims are weighed against each other instead of being strictly ordered: the way to a plan
# without a rematch may lead through plans with one. A worse plan is accepted with a probability
# that halves for each *heat* by which it is worse; the heat falls from step to step.

# Cost of one unit of each aim: apart, rematch, again, early, team, club, beside.
ANNEALING_WEIGHTS = (48, 24, 12, 6, 12, 6, 3)
HOTTEST, COLDEST = 5, 2
MOST_HALVINGS = 24  # less likely than one in 2²⁴ is not tried


def anneal(
    task: Task, rounds: Rounds, chance: Chance, *, floors: Sequence[int], steps: int
) -> Rounds:
    """Return the best plan found within the steps, or the first with all aims at their floors."""
    goal = sum(floor * weight for floor, weight in zip(floors, ANNEALING_WEIGHTS, strict=True))
    board = Board(task, rounds, ANNEALING_WEIGHTS)
    free = [player for player in range(task.players) if player not in task.fixed]
    best, best_cost = board.copy_of_tables(), board.cost
    below, change_of = chance.below, board.change
    for step in range(steps):
        at = below(task.rounds)
        first, second = free[below(len(free))], free[below(len(free))]
        where = board.where[at]
        if where[first] == where[second]:
            continue
        change = change_of(at, first, second)
        if change > 0:
            heat = HOTTEST - (HOTTEST - COLDEST) * step // steps
            if change > heat * MOST_HALVINGS or below(1 << -(-change // heat)):
                continue
        board.swap(at, first, second, change)
        if board.cost < best_cost:
            best, best_cost = board.copy_of_tables(), board.cost
            if best_cost <= goal:
                break
    return best
