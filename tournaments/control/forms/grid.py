"""What is typed into the grid of a paper list, and back: cells and lines.

A cell has what stands on the paper: the points of the hand; ``0`` for whoever finished
the game, ``H`` by Handrommé, ``5+`` with five points left in hand. What can be read in
several ways has a stroke between the readings: ``17/71``, ``0/23`` (perhaps finished),
``0/H`` (perhaps a Handrommé), ``0/?`` (perhaps finished, and no points stand there).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from scoring.errors import Problem
from scoring.interchange import line_from_json, lines_to_json
from scoring.ruleset import RuleSet
from scoring.spielliste import Adjustment
from scoring.unclear import Line

_READING = re.compile(r"(?P<points>\d{1,3})?(?P<mark>[+H?])?")


class _Reading(NamedTuple):
    points: int
    finished: bool
    handromme: bool


@dataclass(frozen=True, slots=True)
class Cell:
    """The readings of one cell."""

    readings: tuple[_Reading, ...]

    @property
    def surely_finished(self) -> bool:
        """Whether no reading has this seat hold cards."""
        return all(one.finished for one in self.readings)

    @property
    def perhaps_finished(self) -> bool:
        """Whether some reading has this seat finish the game."""
        return any(one.finished for one in self.readings)

    def minus(self) -> tuple[int, ...]:
        """Return the points; of a seat that may have finished, for the case that it did not."""
        held = [one.points for one in self.readings if not one.finished]
        return tuple(dict.fromkeys(held or [one.points for one in self.readings]))


def read_cell(text: str) -> Cell | None:
    """Return what a cell says, or None if that is nothing that stands on a list.

    >>> read_cell("17/71").minus()
    (17, 71)
    >>> read_cell("0/23").perhaps_finished, read_cell("0/23").minus()
    (True, (23,))
    >>> read_cell("drei") is None
    True
    """
    readings = []
    for part in re.sub(r"\s", "", text).upper().split("/"):
        found = _READING.fullmatch(part)
        if not part or found is None or (found["points"] and found["mark"] == "?"):
            return None
        points = int(found["points"] or 0)
        finished = found["mark"] in {"+", "H"} or (found["mark"] is None and points == 0)
        readings.append(_Reading(points, finished, found["mark"] == "H"))
    return Cell(tuple(readings)) if len({*readings}) == len(readings) else None


def read_row(
    cells: Sequence[str], number: int, adjustments: Sequence[Adjustment] = ()
) -> dict[str, Any] | list[Problem]:
    """Return the line that stands in a row of cells, or what is wrong with them.

    Places are those of the list, as in ``games[2].minus[0]``. Whether the line can be is
    for the rules to say.
    """
    where = f"games[{number - 1}]"
    read = [read_cell(text) for text in cells]
    problems = [
        Problem(f"{where}.minus[{index}]", _why_not(text, number, index + 1))
        for index, (text, cell) in enumerate(zip(cells, read, strict=True))
        if cell is None
    ]
    known = [cell for cell in read if cell is not None]
    sure = [index for index, cell in enumerate(read) if cell and cell.surely_finished]
    if len(sure) > 1:
        problems.append(
            Problem(
                f"{where}.minus[{sure[-1]}]",
                _(
                    "Spiel {number}: Beendet hat nur eine Person, hier sind es {count}. Ist "
                    "unklar, wer, dann die Punkte dazuschreiben, etwa 0/23."
                ).format(number=number, count=len(sure)),
            )
        )
    if problems:
        return problems
    return lines_to_json([_line(known, adjustments)])[0]


def _why_not(text: str, number: int, seat: int) -> str:
    if not text.strip():
        return _("Spiel {number}: Die Punkte von Platz {seat} fehlen.").format(
            number=number, seat=seat
        )
    return _(
        "Spiel {number}: „{text}“ steht auf keiner Liste. Möglich sind Punkte, 0 für beendet, "
        "H für Handrommé und Lesarten wie 17/71."
    ).format(number=number, text=text.strip()[:20])


def _line(cells: Sequence[Cell], adjustments: Sequence[Adjustment]) -> Line:
    finishers = [seat for seat, cell in enumerate(cells, start=1) if cell.perhaps_finished]
    nobody_else = len(finishers) == 1 and not cells[finishers[0] - 1].surely_finished
    marks = {
        one.handromme for seat in finishers for one in cells[seat - 1].readings if one.finished
    }
    return Line(
        finisher=(*finishers, None) if nobody_else or not finishers else tuple(finishers),
        minus=tuple(cell.minus() for cell in cells),
        handromme=tuple(sorted(marks, reverse=True)) or (False,),
        adjustments=tuple(adjustments),
    )


def write_row(data: Mapping[str, Any]) -> list[str]:
    """Return the cells of a stored line, as :func:`read_row` reads them.

    >>> write_row({"finisher": [1, 3], "handromme": False, "minus": [23, [17, 71], 0, 12]})
    ['0/23', '17/71', '0/?', '12']
    """
    line = line_from_json(data)
    return [_write_cell(line, seat) for seat in range(1, len(line.minus) + 1)]


def _write_cell(line: Line, seat: int) -> str:
    points = line.minus[seat - 1]
    if seat not in line.finisher:
        return "/".join(map(str, points))
    marks = ["H" if handromme else "" for handromme in dict.fromkeys(line.handromme)]
    marks.sort()
    if set(line.finisher) == {seat}:
        return "/".join(_finish(value, mark) for value in points for mark in marks)
    held = [str(value) if value else "?" for value in points]
    return "/".join([*(_finish(0, mark) for mark in marks), *held])


def _finish(points: int, mark: str) -> str:
    if points == 0:
        return mark or "0"
    return f"{points}{mark or '+'}"


def granted(data: Mapping[str, Any] | None, rule_set: RuleSet, number: int, seats: int) -> set[int]:
    """Return which of the rule set's grants a stored line has, by their place in it."""
    if data is None:
        return set()
    have = {(one.seat, one.points) for one in line_from_json(data).adjustments}
    return {
        index
        for index, grant in enumerate(rule_set.grants)
        if (rule_set.receiver(grant, number, seats), grant.points) in have
    }


def adjustments_of(
    data: Mapping[str, Any] | None,
    chosen: set[int],
    rule_set: RuleSet,
    number: int,
    seats: int,
) -> list[Adjustment]:
    """Return the adjustments of a line: the grants chosen, and what else stood there."""
    grants = {
        (rule_set.receiver(grant, number, seats), grant.points): (index, grant)
        for index, grant in enumerate(rule_set.grants)
    }
    there = list(line_from_json(data).adjustments) if data else []
    kept = [one for one in there if (one.seat, one.points) not in grants]
    return kept + [
        Adjustment(seat=seat, points=points, reason=_(grant.name))
        for (seat, points), (index, grant) in grants.items()
        if index in chosen
    ]
