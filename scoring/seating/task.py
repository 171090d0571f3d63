"""The task of planning, in the numbers that the search works with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, combinations

from scoring.seating.metrics import TABLE_OF_THREE, Player, Round

Rounds = list[list[list[int]]]  # players by table and round


@dataclass(frozen=True, kw_only=True)
class Task:
    """A task of planning.

    sizes: seats of each table, the same in every round.
    odd: for each table, whether it is an exception that should rotate.
    met: for each player a row with how often they met each other player before.
    odd_before: how often each player sat at such a table before.
    teams, clubs: a number for each player; −1 is none.
    apart: for each player those who must not sit at the same table.
    fixed: the table (from 0) at which a player sits in every round.
    """

    sizes: tuple[int, ...]
    rounds: int
    odd: tuple[bool, ...]
    met: tuple[bytes, ...]
    odd_before: tuple[int, ...]
    teams: tuple[int, ...]
    clubs: tuple[int, ...]
    apart: Mapping[int, frozenset[int]] = field(default_factory=dict)
    fixed: Mapping[int, int] = field(default_factory=dict)

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.odd_before)

    @cached_property
    def meetings_before(self) -> int:
        """The number of earlier meetings of two players."""
        return sum(map(sum, self.met)) // 2

    @cached_property
    def rematches_before(self) -> int:
        """The number of these that were not the first of the pair."""
        return sum(map(rematches_in, self.met)) // 2

    @cached_property
    def is_first(self) -> bool:
        """Whether no players have met before, nor sat at an odd table."""
        return not self.meetings_before and not any(self.odd_before)


def rematches_in(row: bytes | bytearray) -> int:
    """Return the meetings in a row that were not the first with the same player."""
    return sum(row) - (len(row) - row.count(0))


def make_task(
    order: Sequence[Player],
    *,
    series: int,
    sizes: tuple[int, ...],
    allowed: Sequence[int],
    history: Sequence[Round],
    fixed_tables: Mapping[int, int],
    apart: Iterable[tuple[int, int]],
) -> tuple[Task, Rounds]:
    """Return the task for the players in this order, and the earlier rounds in its numbers.

    Players of the history who no longer play are left out.
    """
    number = {player.id: index for index, player in enumerate(order)}
    past = [
        [[number[id_] for id_ in table if id_ in number] for table in tables] for tables in history
    ]
    met = [bytearray(len(order)) for _player in order]
    for player, other in _pairs(past):
        met[player][other] += 1
        met[other][player] += 1
    odd = odd_sizes(allowed)
    odd_before = Counter(
        id_ for tables in history for table in tables if len(table) in odd for id_ in table
    )
    task = Task(
        sizes=sizes,
        rounds=series,
        odd=tuple(size in odd for size in sizes),
        met=tuple(map(bytes, met)),
        odd_before=tuple(odd_before[player.id] for player in order),
        teams=_labels([player.team for player in order]),
        clubs=_labels([player.club for player in order]),
        apart=foes_of((number[player], number[other]) for player, other in apart),
        fixed={number[id_]: table - 1 for id_, table in fixed_tables.items()},
    )
    return task, past


def foes_of(pairs: Iterable[tuple[int, int]]) -> dict[int, frozenset[int]]:
    """Return for each player in the *pairs* the players they must not meet.

    >>> foes_of([(1, 2)])
    {1: frozenset({2}), 2: frozenset({1})}
    """
    foes: dict[int, frozenset[int]] = {}
    for player, other in pairs:
        foes[player] = foes.get(player, frozenset()) | {other}
        foes[other] = foes.get(other, frozenset()) | {player}
    return foes


def odd_sizes(allowed: Sequence[int]) -> frozenset[int]:
    """Return the sizes that should rotate: three if it is preferred, else all exceptions."""
    return frozenset(allowed[:1] if allowed[0] == TABLE_OF_THREE else allowed[1:])


def _labels(names: Sequence[str | None]) -> tuple[int, ...]:
    """Number the names; ``None`` becomes −1."""
    numbers: dict[str, int] = {}
    return tuple(-1 if name is None else numbers.setdefault(name, len(numbers)) for name in names)


def _pairs(rounds: Rounds) -> Iterator[tuple[int, int]]:
    """Yield every pair that shared a table, once for each time."""
    for table in chain.from_iterable(rounds):
        yield from combinations(table, 2)
