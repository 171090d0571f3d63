"""The tables of a tournament as they stand in the hall."""

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
MOST_ON_TABLETS, MOST_ON_WALLS = 5, 4  # columns of tables that have room there


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorPlan(Generic[Content]):
    """What is shown of each table, where it stands."""

    rows: tuple[tuple[Content | None, ...], ...]  # from the front; None: no table
    is_placed: bool  # by the organiser; else in order

    @property
    def classes(self) -> str:
        """The columns as classes of CSS: those without a table are aisles."""
        each = [
            f"{'tables' if used else 'aisle'}-at-{at}"
            for at, used in enumerate(self._used, start=1)
        ]
        return " ".join([*each, *(["is-wide"] if sum(self._used) > MOST_ON_TABLETS else [])])

    @property
    def fits_walls(self) -> bool:
        """Whether a wall shows the tables as they stand, with names that are read from far."""
        return self.is_placed and sum(self._used) <= MOST_ON_WALLS

    def without_aisles(self) -> FloorPlan[Content]:
        """Return the tables side by side, where there is no room for columns without any."""
        return replace(self, rows=tuple(tuple(compress(row, self._used)) for row in self.rows))

    @property
    def _used(self) -> list[bool]:
        return [any(column) for column in zip(*self.rows, strict=True)]


def floor_plan(tournament: Tournament, tables: Mapping[int, Content]) -> FloorPlan[Content]:
    """Return the tables, given by their numbers, where they stand."""
    rows = standing(tournament.floor, tables)
    return FloorPlan(
        rows=tuple(tuple(map(tables.get, row)) for row in rows),
        is_placed=bool(tournament.floor),
    )


def floor_of(tournament: Tournament) -> Floor:
    """Return where all tables stand that there were, or that the players need now."""
    seated = Table.objects.filter(serie__tournament=tournament).aggregate(last=Max("number"))
    most = max(len(entrants(tournament, day)) for day in tournament.days.numbers or [1])
    needed = -(-most // allowed_sizes(tournament)[0])
    return standing(tournament.floor, range(1, max(seated["last"] or 0, needed) + 1))
