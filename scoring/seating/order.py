"""The seats at a table: club mates apart, and place 1 rotating.

Both are possible at once: turning a table moves place 1 and keeps the neighbours. So the
players of place 1 are chosen first, as evenly as possible, and then the order around the
table.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Mapping, Sequence
from itertools import chain

from scoring.seating.chance import Chance
from scoring.seating.opposite_seats import cross
from scoring.seating.task import Rounds


def seat_orders(
    rounds: Rounds,
    club_of: Mapping[int, Hashable | None],
    firsts: Sequence[int],
    chance: Chance,
) -> Rounds:
    """Return the same tables with the players by seat.

    Args:
        firsts: how often each player sat at place 1 before.
    """
    tables = list(chain.from_iterable(rounds))
    chosen = iter(even_firsts(tables, firsts, chance))
    return [
        [_turn(cross(table, club_of, chance), next(chosen)) for table in tables_of_round]
        for tables_of_round in rounds
    ]


def _turn(table: list[int], first: int) -> list[int]:
    at = table.index(first)
    return table[at:] + table[:at]


def even_firsts(
    tables: Sequence[Sequence[int]], before: Sequence[int], chance: Chance
) -> list[int]:
    """Choose one player of each table so that the players are chosen most evenly.

    Each table takes a player who was chosen least often. Then chains of tables shift the
    choice from a player with two more than another, until there is no such chain. The
    result is optimal (Harvey, Ladner, Lovász, Tamir 2006: semi-matchings).

    >>> even_firsts([(0, 1, 2), (0, 1, 3), (0, 2, 3)], [0, 1, 1, 1], Chance("2026"))
    [2, 0, 0]
    """
    load = list(before)
    chosen = [-1] * len(tables)
    held: list[set[int]] = [set() for _player in before]  # tables at which a player is chosen
    for number in chance.shuffled(range(len(tables))):
        least = min(load[player] for player in tables[number])
        first = chance.pick([player for player in tables[number] if load[player] == least])
        chosen[number] = first
        held[first].add(number)
        load[first] += 1
    while chain_of_tables := _chain(tables, load, held):
        for number, player in chain_of_tables:
            held[chosen[number]].discard(number)
            load[chosen[number]] -= 1
            chosen[number] = player
            held[player].add(number)
            load[player] += 1
    return chosen


def _chain(
    tables: Sequence[Sequence[int]], load: Sequence[int], held: Sequence[set[int]]
) -> list[tuple[int, int]]:
    """Return (table, new choice) that even out the load by one, or an empty list."""
    much = min(load) + 2
    for start in sorted(
        (p for p, count in enumerate(load) if count >= much), key=lambda p: -load[p]
    ):
        came_by: dict[int, tuple[int, int]] = {start: (-1, -1)}
        queue = deque([start])
        while queue:
            player = queue.popleft()
            if load[player] <= load[start] - 2:
                steps = []
                while player != start:
                    number, before = came_by[player]
                    steps.append((number, player))
                    player = before
                return steps
            for number in sorted(held[player]):
                for other in tables[number]:
                    if other not in came_by:
                        came_by[other] = (number, player)
                        queue.append(other)
    return []
