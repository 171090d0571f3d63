"""Seating by the ranking so far: the tables depend on the ranks, not on chance.

Two orders are in use. From the top, table 1 takes the best, table 2 those after them, and
so on. In a snake the best go one to a table, the next in reverse order, so that all tables
are about equally strong. Tables of an exceptional size are last in both (§ 2.1.1).

Fixed tables are filled first; then players to be kept apart change places with the player
nearest in the ranking. Only the order of equal players and the seats at a table are random:
they come from the seed, so that the draw can be repeated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import chain, combinations

from scoring.errors import ScoringError
from scoring.seating.chance import Chance
from scoring.seating.metrics import Player, Round
from scoring.seating.order import seat_orders
from scoring.seating.refusals import check_apart, find_problems
from scoring.seating.sizes import DEFAULT_SIZES, table_sizes
from scoring.seating.task import foes_of

Foes = Mapping[int, frozenset[int]]

TRIES = 200  # attempts to leave a dead end while players who must not meet sit together
FORBIDDEN_COST = 1_000_000  # cost of such a pair, more than all team mates together


class RankOrder(StrEnum):
    """How the ranking is divided into tables."""

    TOP = "top"
    SNAKE = "snake"


def set_by_rank(
    ranked: Sequence[Sequence[int]],
    players: Sequence[Player],
    *,
    order: RankOrder,
    seed: str,
    allowed: Sequence[int] = DEFAULT_SIZES,
    history: Sequence[Round] = (),
    fixed_tables: Mapping[int, int] | None = None,
    apart: Iterable[tuple[int, int]] = (),
) -> tuple[tuple[int, ...], ...]:
    """Return the tables of one Serie, each with its players by seat.

    Args:
        ranked: ids best first, equal players in one group; all players once.
        players: the field, with clubs and teams.
        order: from the top or as a snake.
        seed: of the order among equals and of the seats at a table.
        allowed: the table sizes allowed, the preferred one first.
        history: earlier Serien as played; place 1 rotates by them.
        fixed_tables: id of a player → number of the table (from 1) they always sit at.
        apart: pairs of ids that never sit at one table.

    Raises:
        ScoringError: for every problem with the arguments; if the players cannot be seated
            at such tables, or not all pairs can be kept apart.

    >>> field = [Player(id=number) for number in range(1, 9)]
    >>> best_first = [[number] for number in range(1, 9)]
    >>> for table in set_by_rank(best_first, field, order=RankOrder.SNAKE, seed="2026"):
    ...     print(sorted(table))
    [1, 4, 5, 8]
    [2, 3, 6, 7]
    """
    fixed_tables, apart = fixed_tables or {}, list(apart)
    problems = find_problems(players, 1, allowed, history, fixed_tables=fixed_tables, apart=apart)
    if problems:
        raise ScoringError(problems)
    index = {player.id: at for at, player in enumerate(players)}
    if sorted(chain.from_iterable(ranked)) != sorted(index):
        raise ValueError("ranked must name every player once")
    chance = Chance(seed)
    drawn = [index[id_] for group in ranked for id_ in chance.shuffled(group)]
    fixed = {index[id_]: table - 1 for id_, table in fixed_tables.items()}
    tables = _fill(drawn, table_sizes(len(players), allowed), order, fixed)
    foes = foes_of((index[player], index[other]) for player, other in apart)
    parting = _PlayerSeparation(tables, drawn, frozenset(fixed), foes, _mates(players))
    tables = parting.run(chance)
    check_apart([tables], players, foes)
    firsts = Counter(table[0] for earlier in history for table in earlier)
    seated = seat_orders(
        [tables],
        {at: player.club for at, player in enumerate(players)},
        [firsts[player.id] for player in players],
        chance,
    )
    return tuple(tuple(players[at].id for at in table) for table in seated[0])


def _fill(
    drawn: Sequence[int], sizes: Sequence[int], order: RankOrder, fixed: Mapping[int, int]
) -> list[list[int]]:
    """Assign the seats in the order of the ranking, after those at fixed tables."""
    tables: list[list[int]] = [[] for _size in sizes]
    for player, table in fixed.items():
        tables[table].append(player)
    free = [size - len(table) for size, table in zip(sizes, tables, strict=True)]
    turns = iter(_turns(free, order))
    for player in drawn:
        if player not in fixed:
            tables[next(turns)].append(player)
    return tables


def _turns(free: Sequence[int], order: RankOrder) -> list[int]:
    """Return the table of each seat, best first.

    >>> _turns([2, 2, 1], RankOrder.TOP), _turns([2, 2, 1], RankOrder.SNAKE)
    ([0, 0, 1, 1, 2], [0, 1, 2, 1, 0])
    """
    if order is RankOrder.TOP:
        return [table for table, seats in enumerate(free) for _seat in range(seats)]
    return [
        table
        for turn in range(max(free))
        for table in (range(len(free)) if turn % 2 == 0 else reversed(range(len(free))))
        if free[table] > turn
    ]


def _mates(players: Sequence[Player]) -> dict[int, frozenset[int]]:
    teams: dict[str, set[int]] = {}
    for at, player in enumerate(players):
        if player.team is not None:
            teams.setdefault(player.team, set()).add(at)
    return {at: frozenset(team - {at}) for team in teams.values() for at in team}


class _PlayerSeparation:
    """The search for swaps that keep players apart as far as possible."""

    def __init__(
        self,
        tables: list[list[int]],
        drawn: Sequence[int],
        fixed: frozenset[int],
        foes: Foes,
        mates: Foes,
    ) -> None:
        self.tables = tables
        self.rank = {player: at for at, player in enumerate(drawn)}
        self.movable = [player for player in drawn if player not in fixed]
        self.foes, self.mates = foes, mates
        self.table_of = {player: at for at, table in enumerate(tables) for player in table}

    def run(self, chance: Chance) -> list[list[int]]:
        """Return the tables; dead ends are left by random changes."""
        self._improve()
        tries = 0
        while self._cost() >= FORBIDDEN_COST and tries < TRIES and len(self.movable) > 1:
            tries += 1
            self._swap(*chance.shuffled(self.movable)[:2])
            self._improve()
        return self.tables

    def _improve(self) -> None:
        """Swap while it helps: the lowest player concerned with the nearest in the ranking."""
        while swap := next(filter(None, map(self._best_swap, reversed(self.movable))), None):
            self._swap(*swap)

    def _best_swap(self, player: int) -> tuple[int, int] | None:
        table = self.table_of[player]
        if not self._trouble(player, table):
            return None
        swaps = [
            (-gain, abs(self.rank[player] - self.rank[other]), self.rank[other], other)
            for other in self.movable
            if self.table_of[other] != table and (gain := self._gain(player, other)) > 0
        ]
        return (player, min(swaps)[3]) if swaps else None

    def _swap(self, player: int, other: int) -> None:
        here, there = self.table_of[player], self.table_of[other]
        at, to = self.tables[here].index(player), self.tables[there].index(other)
        self.tables[here][at], self.tables[there][to] = other, player
        self.table_of[player], self.table_of[other] = there, here

    def _trouble(self, player: int, table: int, *, without: int = -1) -> int:
        foes = self.foes.get(player, frozenset())
        mates = self.mates.get(player, frozenset())
        people = [person for person in self.tables[table] if person != without]
        return sum(FORBIDDEN_COST * (person in foes) + (person in mates) for person in people)

    def _gain(self, player: int, other: int) -> int:
        here, there = self.table_of[player], self.table_of[other]
        before = self._trouble(player, here) + self._trouble(other, there)
        after = self._trouble(player, there, without=other) + self._trouble(
            other, here, without=player
        )
        return before - after

    def _cost(self) -> int:
        return sum(
            FORBIDDEN_COST * (other in self.foes.get(player, ()))
            + (other in self.mates.get(player, ()))
            for table in self.tables
            for player, other in combinations(table, 2)
        )
