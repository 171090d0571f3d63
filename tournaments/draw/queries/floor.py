"""The positions of the tables in the hall."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import compress
from typing import Generic, TypeVar

from django.db.models import Max

from tournaments.draw.queries.task import allowed_sizes, entrants
from tournaments.models import Table, Tournament
from tournaments.models.floor import Floor, standing

Content = TypeVar("Content")
MOST_ON_TABLETS, MOST_ON_WALLS = 5, 4  # columns of tables that fit on the screen


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorPlan(Generic[Content]):
    """The content shown for each table, at the table's position."""

    rows: tuple[tuple[Content | None, ...], ...]  # from the front; None: no table
    is_placed: bool  # placed by the organiser; else in rows by number

    @property
    def classes(self) -> str:
        """CSS classes of the columns; a column without a table is an aisle."""
        classes = [
            f"{'tables' if used else 'aisle'}-at-{at}"
            for at, used in enumerate(self._used, start=1)
        ]
        return " ".join([*classes, *(["is-wide"] if sum(self._used) > MOST_ON_TABLETS else [])])

    @property
    def fits_walls(self) -> bool:
        """Whether a wall can show the floor plan with names that are legible from far."""
        return self.is_placed and sum(self._used) <= MOST_ON_WALLS

    def without_aisles(self) -> FloorPlan[Content]:
        """Return the plan without its empty columns, for narrow screens."""
        return replace(self, rows=tuple(tuple(compress(row, self._used)) for row in self.rows))

    @property
    def _used(self) -> list[bool]:
        return [any(column) for column in zip(*self.rows, strict=True)]


def floor_plan(tournament: Tournament, tables: Mapping[int, Content]) -> FloorPlan[Content]:
    """Return the floor plan of the tables that are given by number."""
    rows = standing(tournament.floor, tables)
    return FloorPlan(
        rows=tuple(tuple(map(tables.get, row)) for row in rows),
        is_placed=bool(tournament.floor),
    )


def floor_of(tournament: Tournament) -> Floor:
    """Return the floor with all tables used so far, and those that the players need now."""
    seated = Table.objects.filter(serie__tournament=tournament).aggregate(last=Max("number"))
    most = max(len(entrants(tournament, day)) for day in tournament.days.numbers or [1])
    needed = -(-most // allowed_sizes(tournament)[0])
    return standing(tournament.floor, range(1, max(seated["last"] or 0, needed) + 1))
