"""The start of the search: a known construction, thinned out to the number of players.

A design has full tables only. For a field with smaller tables some of its points stay
empty; they are drawn among those that never share a table, so that each leaves one seat
free in every round. Of many such choices, the one that spreads the small tables best over
the players is taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb

from scoring.seating.chance import Chance
from scoring.seating.designs import designs
from scoring.seating.draw import deal
from scoring.seating.searched_designs import Design
from scoring.seating.stored_plans import stored_plan
from scoring.seating.task import Rounds

CHOICES = 600  # choices of rounds and empty points that are compared
MISSES = 20  # points tried in a row before a choice is given up


@dataclass(frozen=True, slots=True)
class ThinnedDesign:
    """Rounds of a design and points that stay empty in them.

    ``again`` measures how unevenly the tables with an empty seat rotate: over all points, the
    pairs of such tables that one point sits at.
    """

    rounds: Design
    empty: frozenset[int]
    again: int

    def tables(self) -> Rounds:
        """Return the rounds without the empty points."""
        return [
            [[point for point in table if point not in self.empty] for table in tables]
            for tables in self.rounds
        ]


def starting_rounds(
    sizes: Sequence[int], rounds: int, past: Rounds, fixed: Mapping[int, int], chance: Chance
) -> Rounds:
    """Return *rounds* rounds of players 0, 1, … at tables of these sizes.

    Args:
        past: earlier rounds. A single one in which the same players sat at tables of the
            same sizes is made part of the construction, so that no pair meets again.
        fixed: the table at which a player sits in every round.
    """
    first_round = past[:1] if len(past) == 1 and _is_like(past[0], sizes) else []
    thinning = _best_thinning(sizes, len(first_round) + rounds, chance)
    made: Rounds = []
    if thinning is not None:
        made = _name_points(thinning.tables(), first_round, chance)
    while len(made) < rounds:
        made.append(deal(chance.shuffled(range(sum(sizes))), sizes))
    return [_arrange(tables, sizes, fixed, chance) for tables in made]


def _is_like(tables: list[list[int]], sizes: Sequence[int]) -> bool:
    """Whether all players of the field sat at tables of these sizes."""
    seated = sorted(player for table in tables for player in table)
    return seated == list(range(sum(sizes))) and sorted(map(len, tables)) == sorted(sizes)


def _best_thinning(sizes: Sequence[int], rounds: int, chance: Chance) -> ThinnedDesign | None:
    """Return the best of many ways to thin out the known designs, or ``None``.

    If no design has enough rounds, all rounds of those with the most are used.
    """
    stored = stored_plan(sizes, rounds)
    if stored is not None:
        return ThinnedDesign(stored.rounds, frozenset(), stored.again)
    full, tables = max(sizes), len(sizes)
    known = designs(tables, full, rounds)
    if min(sizes) < full - 1 or not known:
        return None
    most = min(rounds, *map(len, known))
    empty = tables * full - sum(sizes)
    least = least_again([0] * sum(sizes), empty * (full - 1), most)
    best: ThinnedDesign | None = None
    for _choice in range(CHOICES):
        tried = _thinning(chance.pick(known), most, empty, chance)
        if tried is not None and (best is None or tried.again < best.again):
            best = tried
            if best.again == least:
                break
    return best


def least_again(counts: Sequence[int], seats: int, rounds: int) -> int:
    """Return the fewest pairs of odd tables of one player, if such seats rotate evenly.

    Args:
        counts: how often each player sat at such a table before.
        seats: how many seats at such tables each of the coming rounds has.

    >>> least_again([0] * 14, 6, 2), least_again([0] * 14, 6, 3)
    (0, 4)
    """
    after = list(counts)
    for _round in range(rounds):
        after.sort()
        for turn in range(seats):
            after[turn] += 1
    return sum(comb(count, 2) for count in after)


def _thinning(design: Design, rounds: int, empty: int, chance: Chance) -> ThinnedDesign | None:
    """Choose rounds and empty points at random; ``None`` if no further point is found."""
    chosen = tuple(chance.shuffled(design)[:rounds])
    points = sum(map(len, design[0]))
    gone: list[int] = []
    small: Counter[int] = Counter()  # how often a point sits at a table with an empty seat
    misses = 0
    while len(gone) < empty:
        point = chance.below(points)
        if point in gone or point in small:
            misses += 1
            if misses > MISSES:
                return None
            continue
        gone.append(point)
        small.update(
            mate for tables in chosen for mate in _table_of(tables, point) if mate != point
        )
    again = sum(comb(count, 2) for count in small.values())
    return ThinnedDesign(chosen, frozenset(gone), again)


def _name_points(rounds: Rounds, given: Rounds, chance: Chance) -> Rounds:
    """Replace points by players: at random, or so that one round is the *given* one.

    The given round is left out of the result.
    """
    points = [point for table in rounds[0] for point in table]
    if given:
        model = _by_size(rounds.pop(), chance)
        players = _by_size(given[0], chance)
        points = [point for table in model for point in chance.shuffled(table)]
        names = [player for table in players for player in table]
    else:
        names = chance.shuffled(range(len(points)))
    name = dict(zip(points, names, strict=True))
    return [[[name[point] for point in table] for table in tables] for tables in rounds]


def _table_of(tables: Sequence[tuple[int, ...]], point: int) -> tuple[int, ...]:
    return next(table for table in tables if point in table)


def _by_size(tables: list[list[int]], chance: Chance) -> list[list[int]]:
    return sorted(chance.shuffled(tables), key=len)


def _arrange(
    tables: list[list[int]], sizes: Sequence[int], fixed: Mapping[int, int], chance: Chance
) -> list[list[int]]:
    """Number the tables at random among those of one size, and seat those with a fixed table.

    If a whole table can get the number, no player moves; otherwise two players swap.
    """
    by_size: dict[int, list[list[int]]] = {}
    for table in chance.shuffled(tables):
        by_size.setdefault(len(table), []).append(list(table))
    numbered = [by_size[size].pop() for size in sizes]
    where = {player: number for number, table in enumerate(numbered) for player in table}
    settled: set[int] = set()
    for player, number in fixed.items():
        now = where[player]
        if now != number and sizes[now] == sizes[number] and not {now, number} & settled:
            numbered[now], numbered[number] = numbered[number], numbered[now]
        elif now != number:
            other = chance.pick([mate for mate in numbered[number] if fixed.get(mate) != number])
            here, there = numbered[now], numbered[number]
            here[here.index(player)], there[there.index(other)] = other, player
        where = {mate: at for at, table in enumerate(numbered) for mate in table}
        settled.add(number)
    return numbered
