"""What a tournament comes to: kept at its closing, and compared with after a reopening.

The content is plain JSON and names start numbers, teams and prizes, never persons.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.standings import Standing
from tournaments.models import Closing, Tournament
from tournaments.queries import results

OVERALL = "overall"
Line = Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankChange:
    """Somebody's rank and points at the closing and now; None: not in the ranking."""

    number: int  # start number
    rank: tuple[int | None, int | None]
    total: tuple[int | None, int | None]

    @property
    def moves(self) -> bool:
        """Whether the rank is another, and not only the points."""
        return self.rank[0] != self.rank[1]


def snapshot(tournament: Tournament) -> dict[str, Any]:
    """Return what the tournament comes to now, as a closing keeps it."""
    return {"rankings": {OVERALL: [_line(one) for one in results.standings(tournament)]}}


def _line(standing: Standing) -> dict[str, int]:
    return {"number": standing.number, "rank": standing.rank, "total": standing.total}


def changes(tournament: Tournament, closing: Closing) -> list[RankChange]:
    """Return who stands otherwise now than at *closing*, by the rank of now."""
    before = _by_number(closing.content["rankings"][OVERALL])
    after = _by_number(snapshot(tournament)["rankings"][OVERALL])
    found = [
        RankChange(
            number=number,
            rank=(_value(before, number, "rank"), _value(after, number, "rank")),
            total=(_value(before, number, "total"), _value(after, number, "total")),
        )
        for number in before.keys() | after.keys()
        if before.get(number) != after.get(number)
    ]
    last = len(before) + len(after)
    return sorted(found, key=lambda one: (one.rank[1] or last, one.rank[0] or last, one.number))


def _by_number(lines: Sequence[Line]) -> dict[int, Line]:
    return {line["number"]: line for line in lines}


def _value(lines: Mapping[int, Line], number: int, name: str) -> int | None:
    return lines[number][name] if number in lines else None
