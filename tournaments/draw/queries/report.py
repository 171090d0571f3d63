"""The measures of a seating for the Spielleitung, with names, before and after a change.

The task is computed again, so that later changes of clubs and separations count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.seating import Player, SeatingFindings, examine
from tournaments.common import names
from tournaments.common.club_names import club_key, near_pairs
from tournaments.draw.queries.task import make_task
from tournaments.models import Draw, Registration, Seat, Serie

Rows = Mapping[int, Sequence[int]]  # keys of registrations clockwise, by number of the table
PairOrNumber = tuple[int, int] | int  # of start numbers

# In the order of weight; the first two are promises, the others are aims.
MEASURES: tuple[tuple[str, Promise], ...] = (
    ("apart", _("„Nicht zusammen“, und doch an einem Tisch")),
    ("away", _("Nicht am festen Tisch")),
    ("rematches", _("Wiederbegegnungen")),
    ("again", _("Wieder am Dreiertisch")),
    ("teammates", _("Partner an einem Tisch")),
    ("clubmates", _("Vereinspaare an einem Tisch")),
    ("beside", _("davon nebeneinander")),
    ("first_again", _("Wieder auf Platz 1")),
)
PROMISES = ("apart", "away")


def rows_of(draw: Draw) -> dict[int, list[int]]:
    """Return the seats of a draft without the places and tables that have no card yet."""
    rows = {
        number: [key for key in row if key is not None]
        for number, row in enumerate(draw.seats, start=1)
    }
    return {number: row for number, row in rows.items() if row}


def published_rows(serie: Serie) -> dict[int, list[int]]:
    """Return the published seats; one query."""
    rows: dict[int, list[int]] = {}
    seats = Seat.objects.filter(serie=serie).order_by("table__number", "number")
    for table, key in seats.values_list("table__number", "registration"):
        rows.setdefault(table, []).append(key)
    return rows


def swapped(rows: Rows, first: int, second: int) -> dict[int, list[int]]:
    """Return the rows after a swap of two players."""
    other = {first: second, second: first}
    return {number: [other.get(key, key) for key in row] for number, row in rows.items()}


class SeatingReview:
    """Examines seats of a Serie; fetches the task once, on first use."""

    def __init__(self, serie: Serie) -> None:
        self.serie = serie

    @cached_property
    def _task(self) -> dict[str, Any]:
        return make_task(self.serie)

    @cached_property
    def _number_of(self) -> dict[int, int]:
        pairs = self.serie.tournament.registrations.values_list("pk", "number")
        return {key: number or 0 for key, number in pairs}

    def findings(self, rows: Rows) -> SeatingFindings:
        """Return the findings of these seats by start numbers."""
        task = self._task
        return examine(
            {number: [self._number_of[key] for key in row] for number, row in rows.items()},
            [Player(**player) for player in task["players"]],
            allowed=task["table_sizes"],
            history=task["history"],
            fixed_tables=dict(task["fixed_tables"]),
            apart=[(first, second) for first, second in task["apart"]],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One measure: its count now and after a change, and the players that it concerns."""

    label: str | Promise
    now: int
    then: int | None
    people: tuple[str, ...]  # concerned now, or only after the change
    resolved: tuple[str, ...]  # no longer concerned after the change
    is_promise: bool

    @property
    def more(self) -> int:
        """The increase by the change; below 0 for an improvement."""
        return 0 if self.then is None else self.then - self.now

    @property
    def tone(self) -> str:
        """The colour of the line: red for a broken promise, amber for worse, felt for better."""
        if self.is_promise and (self.now if self.then is None else self.then):
            return "red"
        if not self.more:
            return ""
        return "amber" if self.more > 0 else "felt"


def compare_measures(
    now: SeatingFindings, names: Mapping[int, Registration], then: SeatingFindings | None = None
) -> list[Measure]:
    """Return the measures that occur, in the order of weight."""
    measures = []
    for name, label in MEASURES:
        findings_of = attrgetter(name)
        before: set[PairOrNumber] = set(findings_of(now))
        after: set[PairOrNumber] = set(findings_of(then)) if then is not None else before
        if not before and not after:
            continue
        new = after - before if then is not None else before
        measures.append(
            Measure(
                label=label,
                now=len(before),
                then=None if then is None else len(after),
                people=tuple(_in_words(concerned, names) for concerned in sorted(new, key=_key)),
                resolved=tuple(
                    _in_words(concerned, names) for concerned in sorted(before - after, key=_key)
                ),
                is_promise=name in PROMISES,
            )
        )
    return measures


def near_clubs(people: Iterable[Registration]) -> list[tuple[str, str]]:
    """Return pairs of clubs with similar names; a draw takes them for different clubs (§ 2.1.2)."""
    spelt = {club_key(player.club.name): player.club.name for player in people if player.club}
    return near_pairs(sorted(spelt.values(), key=names.sort_key))


def _key(concerned: PairOrNumber) -> tuple[int, ...]:
    return concerned if isinstance(concerned, tuple) else (concerned,)


def _in_words(concerned: PairOrNumber, names: Mapping[int, Registration]) -> str:
    return " – ".join(
        f"{number} {names[number].person.full_name}" if number in names else str(number)
        for number in _key(concerned)
    )
