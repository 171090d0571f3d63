"""The ranking of a running Serie: players with different numbers of games compared.

Points grow with every game, so the totals of one table after three games and of another
after eight cannot be compared. The points of each game can: a player with fewer games is ranked
as if each missing one brought the mean of the tables that have played it. Means of
different tables are never subtracted from each other.

This order is provisional: the Romméordnung has none, and no prize depends on it. With equal games
at all tables nothing is added, so the order is that of § 1.5. Means are fractions, never rounded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCourse:
    """The games of a table so far in a Serie."""

    players: int
    brought: Sequence[int]  # by each game to all seats together, without Strafpunkte
    seats: Sequence[int] = ()  # that played each; all of them, if it is empty


Allowances = Mapping[int, Sequence[Fraction]]
"""Size of table → points added for comparison after each number of games, 0 for no game."""


def allowances(tables: Iterable[TableCourse]) -> Allowances:
    """Return the allowance for the points of players, by size of table and number of games.

    It is the sum of the mean points of a seat in each missing game: at the tables of the same
    size that have played it or, if there are none, at all tables that have. Missing games are
    those up to the most that any table has played.

    >>> first = TableCourse(players=4, brought=[60, 40])
    >>> second = TableCourse(players=4, brought=[20])
    >>> [int(added) for added in allowances([first, second])[4]]
    [20, 10, 0]
    """
    tables = list(tables)
    sizes = sorted({table.players for table in tables})
    points: defaultdict[tuple[int, int], int] = defaultdict(int)
    seats: defaultdict[tuple[int, int], int] = defaultdict(int)
    for table in tables:
        for game, brought in enumerate(table.brought):
            for size in (table.players, _ALL):
                points[size, game] += brought
                seats[size, game] += table.seats[game] if table.seats else table.players
    most = max((len(table.brought) for table in tables), default=0)
    by_size: dict[int, Sequence[Fraction]] = {}
    for size in sizes:
        at = [size if seats[size, game] else _ALL for game in range(most)]
        means = [Fraction(points[key, game], seats[key, game]) for game, key in enumerate(at)]
        by_size[size] = list(accumulate(reversed(means), initial=Fraction(0)))[::-1]
    return by_size


_ALL = 0  # no table is of this size


def allowance(added: Allowances, *, players: int, games: int) -> Fraction:
    """Return the points added to those of a player with *games* at a table of *players*.

    A player who has more games than any table, by a change of tables, gets none.

    >>> added = {4: [Fraction(30), Fraction(10), Fraction(0)]}
    >>> [int(allowance(added, players=4, games=games)) for games in (0, 1, 2, 3)]
    [30, 10, 0, 0]
    """
    of_size = added[players]
    return of_size[games] if games < len(of_size) else Fraction(0)


def unplayed_allowance(added: Allowances, *, players: int, games: int) -> Fraction:
    """Return the expected points of the games up to *games* that no table has played yet.

    Each counts the mean points of a game of a seat so far, the same for all at tables of one
    size. It makes a running Serie comparable with a whole one, if only the best Serien count.

    >>> added = {4: [Fraction(30), Fraction(10), Fraction(0)]}
    >>> int(unplayed_allowance(added, players=4, games=12))
    150
    """
    of_size = added[players]
    played = len(of_size) - 1
    return of_size[0] * (games - played) / played if played else Fraction(0)
