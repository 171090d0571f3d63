"""Places in a ranking of any kind, where equal entries share one: 1, 2, 2, 4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.errors import ScoringError
from scoring.texts import _


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatStanding:
    """How one seat stands at the end of a list; ``rank`` is its place at the table."""

    points: int  # result of the list, fewer are better, may be negative
    rank: int  # by § 1.5: points, games finished, Handrommés, Entscheidungsspiel
    games_won: int = 0


def tie_groups(ranks: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return the positions that share a rank, best rank first, each group in order.

    Raises:
        ScoringError: if the ranks are none: they begin with 1, and after a shared rank
            as many are left out as share it.

    >>> tie_groups([2, 4, 1, 2])
    ((2,), (0, 3), (1,))
    """
    by_rank: dict[int, list[int]] = {}
    for position in sorted(range(len(ranks)), key=lambda position: ranks[position]):
        by_rank.setdefault(ranks[position], []).append(position)
    next_rank = 1
    for rank, positions in by_rank.items():
        if rank != next_rank:
            raise ScoringError(
                _(
                    "Die Plätze passen nicht zusammen: Statt Platz {rank} muss Platz {expected}"
                    " kommen. Nach einem geteilten Platz fallen so viele weg, dass jede Person"
                    " gezählt ist (1, 2, 2, 4)."
                ).format(rank=rank, expected=next_rank)
            )
        next_rank += len(positions)
    return tuple(map(tuple, by_rank.values()))


def table_groups(seats: Sequence[SeatStanding]) -> tuple[tuple[int, ...], ...]:
    """Check the standing of a table and return its tied groups, best first.

    Raises:
        ScoringError: if there are fewer than two seats, the ranks are none, or a seat
            stands before one with fewer points.
    """
    if len(seats) < 2:
        raise ScoringError(_("An einem Tisch sitzen mindestens zwei Personen."))
    groups = tie_groups([seat.rank for seat in seats])
    in_order = [seats[position].points for group in groups for position in group]
    if in_order != sorted(in_order):
        raise ScoringError(
            _("Die Plätze passen nicht zu den Punkten: Wer weniger Punkte hat, steht vorn.")
        )
    for group in groups:
        if len({seats[position].points for position in group}) > 1:
            raise ScoringError(
                _("Einen Platz am Tisch kann nur teilen, wer gleich viele Punkte hat.")
            )
    return groups
