"""Planning one or more Serien: nobody meets twice, club mates apart, everything going round.

The aims, each more important than all that follow: no rematches; nobody at a table of
three again before everybody was; team and tandem mates apart; club mates apart; club mates
not side by side; nobody at place 1 again. Among plans that are equal by these it stays a
draw: the players are put into the construction at random.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from scoring.errors import ScoringError
from scoring.seating.anneal import anneal
from scoring.seating.board import Board
from scoring.seating.chance import Chance
from scoring.seating.floors import floors
from scoring.seating.metrics import Metrics, Player, Round, measure
from scoring.seating.order import seat_orders
from scoring.seating.refusals import check_apart, find_problems
from scoring.seating.search import LOOK_AT_ALL, Search
from scoring.seating.sizes import DEFAULT_SIZES, table_sizes
from scoring.seating.start import start
from scoring.seating.task import Rounds, Task, make_task

Progress = Callable[[int, int], None]

WORK = 300_000  # swaps looked at, at most: a few seconds of one slow core


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Who sits where: for each Serie its tables, for each table the players by seat."""

    seed: str
    series: tuple[tuple[tuple[int, ...], ...], ...]
    metrics: Metrics


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
    work: int | None = None,
) -> Plan:
    """Plan so many Serien; the same arguments give the same plan on every machine.

    Args:
        players: the field, with different ids.
        series: how many Serien are planned, at most :data:`MOST_SERIES`.
        seed: what all chance in the plan comes from.
        allowed: the table sizes allowed, the preferred one first.
        history: earlier Serien as played; who has left since may stand in them.
        fixed_tables: id of a player → number of the table (from 1) they always sit at.
        apart: pairs of ids that never sit at one table.
        progress: called now and then with the work done and the most there can be.
        work: how many swaps the search may look at; :data:`WORK` if not given.

    Raises:
        ScoringError: for every problem with the arguments; if the players cannot be seated
            at such tables; if what is fixed or to be kept apart cannot be had.
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
    rounds = _best_rounds(task, past, chance, WORK if work is None else work, progress)
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
    return Plan(seed=seed, series=result, metrics=measure(players, result, history))


def _best_rounds(
    task: Task, past: Rounds, chance: Chance, work: int, progress: Progress | None
) -> Rounds:
    """Search from a known construction; in a small field, once more from somewhere else."""

    def report(done: int) -> None:
        if progress is not None:
            progress(done, work)

    lowest = floors(task)
    board = Board(task, start(task.sizes, task.rounds, past, task.fixed, chance))
    is_small = task.players <= LOOK_AT_ALL
    share = work // 2 if is_small else work
    search = Search(board, chance, floors=lowest, work=share, report=report)
    rounds = search.run()
    if is_small and search.best_cost > search.goal:
        steps = work // 4
        heated = anneal(task, rounds, chance, floors=lowest, steps=steps)
        done = share + steps
        again = Search(
            Board(task, heated),
            chance,
            floors=lowest,
            work=work - done,
            report=lambda more: report(done + more),
        )
        heated = again.run()
        if again.best_cost < search.best_cost:
            rounds = heated
    report(work)
    return rounds
