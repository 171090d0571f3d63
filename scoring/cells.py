"""A line of the Spielliste as cells, one for each seat, in the notation of the paper.

A cell has the points of the hand; ``0`` for the finisher of the game, ``H`` by Handrommé,
``5+`` with five points left in hand. What can be read in several ways has a stroke between
the readings: ``17/71``, ``0/23`` (perhaps finished), ``0/H`` (perhaps a Handrommé), ``0/?``
(perhaps finished, and no points stand there).

``static/js/cells.js`` reads the same for pages where lists are typed in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from scoring.errors import Problem
from scoring.texts import _
from scoring.unclear import Line

if TYPE_CHECKING:
    from collections.abc import Sequence

_READING = re.compile(r"(?P<points>[0-9]{1,3})?(?P<mark>[+H?])?")


class _Reading(NamedTuple):
    points: int
    finished: bool
    handromme: bool


@dataclass(frozen=True, slots=True)
class TypedCell:
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


def read_cell(text: str) -> TypedCell | None:
    """Return the readings of a cell, or None if its text is no valid entry.

    >>> read_cell("17/71").minus()
    (17, 71)
    >>> read_cell("0/23").perhaps_finished, read_cell("0/23").minus()
    (True, (23,))
    >>> read_cell("drei") is None
    True
    """
    readings = []
    for part in text.replace(" ", "").upper().split("/"):
        found = _READING.fullmatch(part)
        if not part or found is None or (found["points"] and found["mark"] == "?"):
            return None
        points = int(found["points"] or 0)
        finished = found["mark"] in {"+", "H"} or (found["mark"] is None and points == 0)
        readings.append(_Reading(points, finished, found["mark"] == "H"))
    return TypedCell(tuple(readings)) if len({*readings}) == len(readings) else None


def read_row(cells: Sequence[str], number: int, stored: Line | None = None) -> Line | list[Problem]:
    """Return the line written in a row of cells, or the problems of the cells.

    Whether the line is possible is checked elsewhere.

    Args:
        cells: as typed, seat 1 first.
        number: of the game; places are those of the list, as in ``games[2].minus[0]``.
        stored: what the list has there. It is the answer where the cells say the same: they
            cannot show everything that may stand in a line.
    """
    if stored is not None and write_row(stored) == list(cells):
        return stored
    where = f"games[{number - 1}]"
    read = [read_cell(text) for text in cells]
    problems = [
        Problem(f"{where}.minus[{index}]", _why_not(text, number, index + 1))
        for index, (text, cell) in enumerate(zip(cells, read, strict=True))
        if cell is None
    ]
    sure = [index for index, cell in enumerate(read) if cell and cell.surely_finished]
    if len(sure) > 1:
        message = _(
            "Spiel {number}: Beendet hat nur eine Person, hier sind es {count}. Ist unklar, wer, "
            "dann die Punkte dazuschreiben, etwa 0/23."
        ).format(number=number, count=len(sure))
        problems.append(Problem(f"{where}.minus[{sure[-1]}]", message))
    return problems or _line([cell for cell in read if cell is not None])


def _why_not(text: str, number: int, seat: int) -> str:
    if not text.strip():
        return _("Spiel {number}: Die Punkte von Platz {seat} fehlen.").format(
            number=number, seat=seat
        )
    return _(
        "Spiel {number}: „{text}“ steht auf keiner Liste. Möglich sind Punkte, 0 für beendet, "
        "H für Handrommé und Lesarten wie 17/71."
    ).format(number=number, text=text.strip()[:20])


def _line(cells: Sequence[TypedCell]) -> Line:
    finishers = [seat for seat, cell in enumerate(cells, start=1) if cell.perhaps_finished]
    nobody_else = len(finishers) == 1 and not cells[finishers[0] - 1].surely_finished
    marks = {
        one.handromme for seat in finishers for one in cells[seat - 1].readings if one.finished
    }
    return Line(
        finisher=(*finishers, None) if nobody_else or not finishers else tuple(finishers),
        minus=tuple(cell.minus() for cell in cells),
        handromme=tuple(sorted(marks, reverse=True)) or (False,),
    )


def write_row(line: Line) -> list[str]:
    """Return the cells of a line, as :func:`read_row` reads them.

    >>> write_row(Line(finisher=(1, 3), minus=((23,), (17, 71), (0,), (12,))))
    ['0/23', '17/71', '0/?', '12']
    """
    return [_write_cell(line, seat) for seat in range(1, len(line.minus) + 1)]


def _write_cell(line: Line, seat: int) -> str:
    points = dict.fromkeys(line.minus[seat - 1])
    held = [str(value) if value else "?" for value in points]
    if seat not in line.finisher:
        return "/".join(held)
    marks = sorted({"H" if handromme else "" for handromme in line.handromme})
    if {*line.finisher} == {seat}:
        return "/".join(_finish(value, mark) for value in points for mark in marks)
    return "/".join([*(_finish(0, mark) for mark in marks), *held])


def _finish(points: int, mark: str) -> str:
    return f"{points}{mark or '+'}" if points else mark or "0"
