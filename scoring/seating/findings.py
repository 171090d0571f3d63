"""The defects of a seating, with the players concerned.

The numbers of :mod:`scoring.seating.metrics` compare plans; these findings name the players,
so that a change of places can be assessed before it is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

from scoring.seating.metrics import Player, Round, Table
from scoring.seating.opposite_seats import neighbours
from scoring.seating.sizes import DEFAULT_SIZES
from scoring.seating.task import odd_sizes

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatingFindings:
    """Pairs with the smaller id first, and single ids; all ascending, none twice.

    apart: pairs at one table that must be kept apart.
    away: players not at their fixed table.
    rematches: pairs at one table who met in an earlier Serie.
    again: players at a table of three (of an exceptional size) who sat at one before.
    teammates, clubmates: pairs at one table.
    beside: club mates side by side (§ 2.1.2).
    first_again: players at place 1 who sat there before.
    """

    apart: tuple[Pair, ...] = ()
    away: tuple[int, ...] = ()
    rematches: tuple[Pair, ...] = ()
    again: tuple[int, ...] = ()
    teammates: tuple[Pair, ...] = ()
    clubmates: tuple[Pair, ...] = ()
    beside: tuple[Pair, ...] = ()
    first_again: tuple[int, ...] = ()

    @property
    def broken(self) -> frozenset[Pair | int]:
        """The broken demands: pairs to be kept apart, and players not at their fixed table."""
        return frozenset((*self.apart, *self.away))


def examine(
    tables: Mapping[int, Table],
    players: Iterable[Player],
    *,
    allowed: Sequence[int] = DEFAULT_SIZES,
    history: Sequence[Round] = (),
    fixed_tables: Mapping[int, int] | None = None,
    apart: Iterable[Pair] = (),
) -> SeatingFindings:
    """Return the findings for the tables of one Serie.

    Args:
        tables: players by seat, clockwise, by number of the table; a player who is not
            among *players* has neither club nor team.
        allowed: the table sizes allowed, the preferred one first.
        history: the Serien before this one, as played.
        fixed_tables: id of a player → number of the table they always sit at.
        apart: pairs of ids that never sit at one table.

    >>> clubs = [Player(id=1, club="Skat"), Player(id=2, club="Skat"), Player(id=3)]
    >>> found = examine({1: (1, 2, 3)}, clubs, history=[[(3, 2)]], apart=[(3, 1)])
    >>> found.apart, found.rematches, found.clubmates, found.beside
    (((1, 3),), ((2, 3),), ((1, 2),), ((1, 2),))
    """
    field = list(players)
    club_of = {player.id: player.club for player in field}
    team_of = {player.id: player.team for player in field}
    played = list(chain.from_iterable(history))
    odd = odd_sizes(allowed)
    met = _pairs(played)
    together = _pairs(tables.values())
    small = {player for table in played if len(table) in odd for player in table}
    firsts = {table[0] for table in played}
    table_of = {player: number for number, table in tables.items() for player in table}
    return SeatingFindings(
        apart=tuple(sorted(together & {_pair(*pair) for pair in apart})),
        away=tuple(
            sorted(
                player
                for player, number in (fixed_tables or {}).items()
                if table_of.get(player, number) != number
            )
        ),
        rematches=tuple(sorted(together & met)),
        again=tuple(
            sorted(
                player
                for table in tables.values()
                if len(table) in odd
                for player in table
                if player in small
            )
        ),
        teammates=_of_one(together, team_of),
        clubmates=_of_one(together, club_of),
        beside=_of_one(
            {_pair(*pair) for table in tables.values() for pair in neighbours(table)}, club_of
        ),
        first_again=tuple(sorted(table[0] for table in tables.values() if table[0] in firsts)),
    )


def _pair(player: int, other: int) -> Pair:
    return (player, other) if player < other else (other, player)


def _pairs(tables: Iterable[Table]) -> set[Pair]:
    return {_pair(*pair) for table in tables for pair in combinations(table, 2)}


def _of_one(pairs: Iterable[Pair], group_of: Mapping[int, str | None]) -> tuple[Pair, ...]:
    return tuple(
        sorted(
            (player, other)
            for player, other in pairs
            if group_of.get(player) is not None and group_of.get(player) == group_of.get(other)
        )
    )
