"""The ranking of a running Serie: players with different numbers of games compared.

Points grow with every game, so the totals of one table after three games and of another
after eight cannot be compared. Comparable is the distance of a player from the mean of all
tables after the same number of games. To express it in points, a player with fewer games is
ranked as if the missing ones brought the mean of all tables.

This order is provisional; the Ordnung has none, and no prize depends on it. With equal games
at all tables nothing is added and it is that of § 1.5. Means are fractions, never rounded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCourse:
    """The points of a table so far in a Serie."""

    players: int
    after: Mapping[int, int]  # games → points of all seats together, without Strafpunkte


def hall_means(tables: Iterable[TableCourse]) -> dict[int, Fraction]:
    """Return the mean points of a player after each number of games, 0 for no game.

    A table counts for the numbers of games for which it has points.

    >>> first = TableCourse(players=4, after={1: 60, 2: 100})
    >>> second = TableCourse(players=3, after={1: 45})
    >>> hall_means([first, second])
    {0: Fraction(0, 1), 1: Fraction(15, 1), 2: Fraction(25, 1)}
    """
    points: defaultdict[int, int] = defaultdict(int)
    players: defaultdict[int, int] = defaultdict(int)
    for table in tables:
        for games, together in table.after.items():
            points[games] += together
            players[games] += table.players
    means = {games: Fraction(points[games], players[games]) for games in sorted(points)}
    return {0: Fraction(0)} | means


def allowance(means: Mapping[int, Fraction], games: int) -> Fraction:
    """Return the points added for comparison to those of a player with this number of *games*.

    That is the mean of all tables after the most games, less the mean after *games*. A
    number of games for which no table has points counts as the next lower one.

    >>> means = {0: Fraction(0), 1: Fraction(15), 2: Fraction(25)}
    >>> [int(allowance(means, games)) for games in (0, 1, 2)]
    [25, 10, 0]
    """
    reached = max(known for known in means if known <= games)
    return means[max(means)] - means[reached]
