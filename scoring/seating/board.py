"""A plan during the search: the seats of all players, and the cost.

Inside the search, players are the numbers 0, 1, … in a random order, so that the plan does
not depend on the order of the list. The cost is one whole number in which the aims are like
digits: no gain at a later aim compensates a loss at an earlier one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb

from scoring.seating.opposite_seats import least_beside
from scoring.seating.task import Rounds, Task, rematches_in

# The aims in their order. TEAM and later ones depend on groups of players only. AGAIN counts after
# the last round, EARLY after each round before it.
APART, REMATCH, AGAIN, EARLY, TEAM, CLUB, BESIDE = range(7)
AIMS = 7


class Groups:
    """The cost of the members of one kind of group (team or club) at their tables.

    ``price[size][members]`` is the cost of *members* members of one group at a table.
    """

    def __init__(
        self, labels: Sequence[int], price: Mapping[int, Sequence[int]], rounds: Rounds
    ) -> None:
        self.labels = labels
        self.price = price
        self.counts = [[self._count(table) for table in tables] for tables in rounds]

    def _count(self, table: Sequence[int]) -> dict[int, int]:
        counts: dict[int, int] = {}
        for player in table:
            label = self.labels[player]
            if label >= 0:
                counts[label] = counts.get(label, 0) + 1
        return counts

    def total(self, sizes: Sequence[int]) -> int:
        """Return the cost of all tables."""
        return sum(
            self.price[size][count]
            for tables in self.counts
            for size, counts in zip(sizes, tables, strict=True)
            for count in counts.values()
        )

    def change(
        self, spot: tuple[int, int, int], leaving: int, coming: int, sizes: Sequence[int]
    ) -> int:
        """Return how the cost changes if a player of each of two tables changes places.

        Args:
            spot: the round and the two tables; *leaving* sits at the first of them,
                *coming* at the second.
        """
        out, into = self.labels[leaving], self.labels[coming]
        if out == into:
            return 0
        at, here, there = spot
        counts_here, counts_there = self.counts[at][here], self.counts[at][there]
        price_here, price_there = self.price[sizes[here]], self.price[sizes[there]]
        change = 0
        if out >= 0:
            count = counts_here[out]
            change += price_here[count - 1] - price_here[count]
            count = counts_there.get(out, 0)
            change += price_there[count + 1] - price_there[count]
        if into >= 0:
            count = counts_there[into]
            change += price_there[count - 1] - price_there[count]
            count = counts_here.get(into, 0)
            change += price_here[count + 1] - price_here[count]
        return change

    def swap(self, spot: tuple[int, int, int], leaving: int, coming: int) -> None:
        """Count two players who have changed places; arguments as in :meth:`change`."""
        at, here, there = spot
        for player, left, joined in ((leaving, here, there), (coming, there, here)):
            label = self.labels[player]
            if label >= 0:
                self.counts[at][left][label] -= 1
                self.counts[at][joined][label] = self.counts[at][joined].get(label, 0) + 1


class Board:
    """The tables of all rounds with their cost, kept up to date swap by swap.

    ``weights[aim]`` is the cost of one unit of an aim, ``cost`` the sum.
    """

    def __init__(self, task: Task, rounds: Rounds, weights: tuple[int, ...] | None = None) -> None:
        self.task = task
        self.tables = [[list(table) for table in tables] for tables in rounds]
        self.weights = weights or strict_weights(task)
        self.met = [bytearray(row) for row in task.met]
        self.odd_count = list(task.odd_before)
        self.where = [[0] * task.players for _round in rounds]
        for at, tables in enumerate(self.tables):
            for number, table in enumerate(tables):
                for player in table:
                    self.where[at][player] = number
                    self.odd_count[player] += task.odd[number]
                    for other in table:
                        if other != player:
                            self.met[player][other] += 1
        self.odd_until = self._odd_until()
        self.groups = self._groups()
        self.cost = self._cost()

    def _odd_until(self) -> list[list[int]]:
        """Return how often each player sat at an odd table after each round but the last."""
        counts, until = list(self.task.odd_before), []
        for where in self.where[:-1]:
            counts = [
                count + self.task.odd[number] for count, number in zip(counts, where, strict=True)
            ]
            until.append(counts)
        return until

    def _groups(self) -> list[Groups]:
        """Return groups with prices of whole tables: pairs at one table, and pairs side by side."""
        task, weights = self.task, self.weights
        team_price = {
            size: [weights[TEAM] * comb(members, 2) for members in range(size + 1)]
            for size in set(task.sizes)
        }
        club_price = {
            size: [
                weights[CLUB] * comb(members, 2) + weights[BESIDE] * least_beside(members, size)
                for members in range(size + 1)
            ]
            for size in set(task.sizes)
        }
        return [
            Groups(labels, price, self.tables)
            for labels, price in ((task.teams, team_price), (task.clubs, club_price))
            if _has_mates(labels)
        ]

    def _cost(self) -> int:
        task, weights = self.task, self.weights
        again = sum(map(rematches_in, self.met)) // 2
        apart = sum(
            other in task.apart.get(player, ())
            for tables in self.tables
            for table in tables
            for player in table
            for other in table
        )
        return (
            weights[APART] * (apart // 2)
            + weights[REMATCH] * again
            + weights[AGAIN] * _pairs_of(self.odd_count)
            + weights[EARLY] * sum(map(_pairs_of, self.odd_until))
            + sum(groups.total(task.sizes) for groups in self.groups)
        )

    def change(self, at: int, first: int, second: int) -> int:
        """Return how the cost changes if two players at different tables of a round swap."""
        task, weights = self.task, self.weights
        tables, where = self.tables[at], self.where[at]
        here, there = where[first], where[second]
        change = weights[REMATCH] * (
            self._rematch_change(tables[here], first, second)
            + self._rematch_change(tables[there], second, first)
        )
        if task.odd[here] != task.odd[there]:
            leaves, comes = (first, second) if task.odd[here] else (second, first)
            change += weights[AGAIN] * (self.odd_count[comes] - self.odd_count[leaves] + 1)
            for counts in self.odd_until[at:]:
                change += weights[EARLY] * (counts[comes] - counts[leaves] + 1)
        for groups in self.groups:
            change += groups.change((at, here, there), first, second, task.sizes)
        if first in task.apart or second in task.apart:
            change += weights[APART] * self._apart_change(at, first, second)
        return change

    def _rematch_change(self, table: Sequence[int], leaving: int, coming: int) -> int:
        met_leaving, met_coming = self.met[leaving], self.met[coming]
        change = 0
        for other in table:
            if other != leaving:
                if met_coming[other]:
                    change += 1
                if met_leaving[other] > 1:
                    change -= 1
        return change

    def _apart_change(self, at: int, first: int, second: int) -> int:
        nobody: frozenset[int] = frozenset()
        not_one, not_two = self.task.apart.get(first, nobody), self.task.apart.get(second, nobody)
        where = self.where[at]
        here, there = self.tables[at][where[first]], self.tables[at][where[second]]
        return (
            sum(other in not_two for other in here if other != first)
            - sum(other in not_one for other in here)
            + sum(other in not_one for other in there if other != second)
            - sum(other in not_two for other in there)
        )

    def swap(self, at: int, first: int, second: int, change: int) -> None:
        """Swap two players; *change* is what :meth:`change` returned for it."""
        task, where, tables = self.task, self.where[at], self.tables[at]
        here, there = where[first], where[second]
        for player, mate, left, joined in (
            (first, second, here, there),
            (second, first, there, here),
        ):
            row = self.met[player]
            for other in tables[left]:
                if other != player:
                    row[other] -= 1
                    self.met[other][player] -= 1
            for other in tables[joined]:
                if other != mate:
                    row[other] += 1
                    self.met[other][player] += 1
            for counts in (self.odd_count, *self.odd_until[at:]):
                counts[player] += task.odd[joined] - task.odd[left]
        for groups in self.groups:
            groups.swap((at, here, there), first, second)
        tables[here][tables[here].index(first)] = second
        tables[there][tables[there].index(second)] = first
        where[first], where[second] = there, here
        self.cost += change

    def change_everywhere(self, first: int, second: int) -> int:
        """Return how the cost changes if two players change roles in all rounds.

        Both must have no history and no separations: then their rematches and odd tables are the
        same after the change.
        """
        return sum(
            groups.change((at, where[first], where[second]), first, second, self.task.sizes)
            for groups in self.groups
            for at, where in enumerate(self.where)
            if where[first] != where[second]
        )

    def swap_everywhere(self, first: int, second: int) -> None:
        """Let two players change roles in all rounds; applying it twice restores the plan."""
        for at, where in enumerate(self.where):
            if where[first] != where[second]:
                self.swap(at, first, second, self.change(at, first, second))

    def values(self) -> list[int]:
        """Return the digits of the cost: the value of each aim."""
        values = []
        rest = self.cost
        for weight in self.weights:
            value, rest = divmod(rest, weight)
            values.append(value)
        return values

    def copy_of_tables(self) -> Rounds:
        """Return the tables of all rounds as they are now."""
        return [[list(table) for table in tables] for tables in self.tables]

    def is_spot(self, aim: int, at: int, player: int) -> bool:
        """Whether a player is still one of the :meth:`spots`."""
        number = self.where[at][player]
        return player in self._concerned(aim, at, number)

    def spots(self, aim: int) -> list[tuple[int, int]]:
        """Return (round, player) for every player whose place adds to the cost of an aim.

        Players with a fixed table are left out, because they cannot be moved.
        """
        fixed = self.task.fixed
        return [
            (at, player)
            for at, tables in enumerate(self.tables)
            for number in range(len(tables))
            for player in self._concerned(aim, at, number)
            if player not in fixed
        ]

    def _concerned(self, aim: int, at: int, number: int) -> list[int]:
        """Return the players of a table who add to the cost of an aim."""
        table = self.tables[at][number]
        if aim in (AGAIN, EARLY):
            counts = self.odd_count if aim == AGAIN else (*self.odd_until, self.odd_count)[at]
            if not self.task.odd[number]:
                return []
            enough = min(counts) + 1
            return [player for player in table if counts[player] > enough]
        if aim == APART:
            apart = self.task.apart
            return [p for p in table if p in apart and not apart[p].isdisjoint(table)]
        if aim == REMATCH:
            met = self.met
            return [p for p in table if any(met[p][other] > 1 for other in table)]
        labels = self.task.teams if aim == TEAM else self.task.clubs
        at_table = [labels[player] for player in table]
        return [p for p in table if labels[p] >= 0 and at_table.count(labels[p]) > 1]


def _pairs_of(counts: Sequence[int]) -> int:
    return sum(comb(count, 2) for count in counts)


def strict_weights(task: Task) -> tuple[int, ...]:
    """Return for each aim a weight above anything that all later aims together can cost."""
    tables = len(task.sizes) * task.rounds
    pairs = tables * comb(max(task.sizes), 2)
    most_odd = max(task.odd_before, default=0) + task.rounds
    highest = [0] * AIMS
    highest[APART] = highest[TEAM] = highest[CLUB] = highest[BESIDE] = pairs
    highest[REMATCH] = pairs + task.meetings_before
    highest[AGAIN] = task.players * comb(most_odd, 2)
    highest[EARLY] = highest[AGAIN] * (task.rounds - 1)
    weights = [1]
    for value in reversed(highest[1:]):
        weights.append(weights[-1] * (value + 1))
    return tuple(reversed(weights))


def _has_mates(labels: Sequence[int]) -> bool:
    """Whether any two players are of one group."""
    members = [label for label in labels if label >= 0]
    return len(members) > len(set(members))
