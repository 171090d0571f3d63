"""Planning one or more Serien: no rematches, club mates apart, small tables rotating.

The aims, each more important than all later ones: no rematches; no player at a table of
three again before every player sat at one, in the end and then after each Serie; team and tandem
mates apart; club mates apart; club mates not side by side; no player at place 1 again. Among
equal plans chance decides: the players are assigned to the construction at random.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from scoring.errors import ScoringError
from scoring.seating.board import AGAIN, APART, REMATCH, TEAM, Board
from scoring.seating.chance import Chance
from scoring.seating.floors import floors
from scoring.seating.metrics import Metrics, Player, Round, measure
from scoring.seating.order import seat_orders
from scoring.seating.refusals import check_apart, find_problems
from scoring.seating.rotation import rotation_order
from scoring.seating.search import LOOK_AT_ALL, Search, anneal
from scoring.seating.sizes import DEFAULT_SIZES, table_sizes
from scoring.seating.start import starting_rounds
from scoring.seating.task import Rounds, Task, make_task

Progress = Callable[[int, int], None]
Offer = Callable[[int], bool]

WORK = 300_000  # swaps tried in the first start: a second of one core
STARTS = 10  # most starts, in a small field
STEPS = 600_000  # most steps of annealing in each further start: two seconds of one core
STEPS_EACH = 100  # steps for each pair of players and Serie
AIMS_OF_FURTHER_STARTS = (APART, REMATCH, AGAIN, TEAM)  # aims for which further starts are made


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A seating: for each Serie its tables, for each table the players by seat.

    starts: number of starts that the search made; with this number it finds the same plan.
    """

    seed: str
    series: tuple[tuple[tuple[int, ...], ...], ...]
    metrics: Metrics
    starts: int


def plan(
    players: Sequence[Player],
    *,
    series: int,
    seed: str,
    allowed: Sequence[int] = DEFAULT_SIZES,
    history: Sequence[Round] = (),
    fixed_tables: Mapping[int, int] | None = None,
    apart: Iterable[tuple[int, int]] = (),
    progress: Progress | None = None,
    offer: Offer | None = None,
    work: int = WORK,
    starts: int = STARTS,
) -> Plan:
    """Plan *series* Serien; the same arguments give the same plan on every machine.

    Args:
        players: the field, with different ids.
        series: how many Serien are planned, at most :data:`MOST_SERIES`.
        seed: of all random choices in the plan.
        allowed: the table sizes allowed, the preferred one first.
        history: earlier Serien as played; players who have left since are allowed.
        fixed_tables: id of a player → number of the table (from 1) they always sit at.
        apart: pairs of ids that never sit at one table.
        progress: called repeatedly with the work done and the most possible work.
        offer: called with the rematches of the best plan after each start that can still be
            improved; if it returns True, that plan is taken.
        work: how many swaps the first start may try.
        starts: most starts.

    Raises:
        ScoringError: for every problem with the arguments; if the players cannot be seated
            at such tables; if fixed tables or players to be kept apart are impossible.
    """
    fixed_tables, apart = fixed_tables or {}, list(apart)
    problems = find_problems(
        players, series, allowed, history, fixed_tables=fixed_tables, apart=apart
    )
    if problems:
        raise ScoringError(problems)
    sizes = table_sizes(len(players), allowed)
    chance = Chance(seed)
    order = chance.shuffled(players)
    task, past = make_task(
        order,
        series=series,
        sizes=sizes,
        allowed=allowed,
        history=history,
        fixed_tables=fixed_tables,
        apart=apart,
    )
    search = _Starts(task, past, chance, starts=starts, progress=progress)
    rounds = rotation_order(search.run(work, offer), task)
    check_apart(rounds, order, task.apart)
    firsts = Counter(table[0] for tables in history for table in tables)
    seated = seat_orders(
        rounds,
        {index: player.club for index, player in enumerate(order)},
        [firsts[player.id] for player in order],
        chance,
    )
    result = tuple(
        tuple(tuple(order[index].id for index in table) for table in tables) for tables in seated
    )
    metrics = measure(players, result, history)
    return Plan(seed=seed, series=result, metrics=metrics, starts=search.done)


class _Starts:
    """The best of several starts.

    The first is a search from a known construction, in a small field followed by some annealing.
    If one of the aims :data:`WORTH_MORE` is not reached, further starts anneal the construction for
    longer.
    """

    def __init__(
        self, task: Task, past: Rounds, chance: Chance, *, starts: int, progress: Progress | None
    ) -> None:
        self.task = task
        self.chance = chance
        self.floors = floors(task)
        begun = starting_rounds(task.sizes, task.rounds, past, task.fixed, chance)
        self.best = self.first = rotation_order(begun, task)
        self.cost: int | None = None  # of the best plan; None before the first search
        self.is_small = task.players <= LOOK_AT_ALL
        self.most = starts if self.is_small else 1
        self.steps = min(STEPS, STEPS_EACH * task.rounds * task.players**2)
        self.done = 0
        self.used = 0
        self.progress = progress

    def run(self, work: int, offer: Offer | None) -> Rounds:
        """Return the best plan found; *work* is that of the first start."""
        polish = self.steps // 10
        self.total = work + (self.most - 1) * (self.steps + polish)
        share = work // 2 if self.is_small else work
        is_best = self._search(self.first, share)
        if self.is_small and not is_best:
            self._anneal(self.best, work // 4, work - share - work // 4)
        self.done = 1
        while self.done < self.most and self._is_worth_more(offer):
            self._anneal(self.first, self.steps, polish)
            self.done += 1
        self._report(self.total)
        return self.best

    def _search(self, rounds: Rounds, work: int) -> bool:
        """Search from a plan; return whether each aim is at its floor."""
        begun = self.used
        search = Search(
            Board(self.task, rounds),
            self.chance,
            floors=self.floors,
            work=work,
            report=lambda more: self._report(begun + more),
        )
        best_rounds = search.run()
        self.used += work
        if self.cost is None or search.best_cost < self.cost:
            self.best, self.cost = best_rounds, search.best_cost
        return search.best_cost <= search.goal

    def _anneal(self, rounds: Rounds, steps: int, work: int) -> None:
        heated = anneal(self.task, rounds, self.chance, floors=self.floors, steps=steps)
        self.used += steps
        self._search(heated, work)

    def _is_worth_more(self, offer: Offer | None) -> bool:
        """Whether the best plan so far can be improved and *offer* does not accept it."""
        values = Board(self.task, self.best).values()
        if all(values[aim] <= self.floors[aim] for aim in AIMS_OF_FURTHER_STARTS):
            return False
        return offer is None or not offer(values[REMATCH])

    def _report(self, used: int) -> None:
        if self.progress is not None:
            self.progress(used, self.total)
