"""A line of the Spielliste as cells, one for each seat, in the notation of the paper.

A cell has the points of the hand; ``0`` for the finisher of the game, ``H`` by Handrommé,
``5+`` with five points left in hand. A stroke separates several readings: ``17/71``, ``0/23``
(perhaps finished), ``0/H`` (perhaps a Handrommé), ``0/?`` (perhaps finished, and the points are
missing). ``?`` alone is an unreadable hand: its readings are the lowest and the highest possible
points, of which the highest count (§ 2.2.6). ``00`` are no points in a hand that did not finish;
only an override accepts them. The cell of a dealer who sits out is empty or a dash.

``static/js/cells.js`` implements the same notation for pages where lists are typed in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from scoring.ambiguity import AmbiguousLine
from scoring.errors import Problem
from scoring.plausibility import LineContext
from scoring.texts import _

_READING = re.compile(r"(?P<points>[0-9]{1,3})?(?P<mark>[+H?])?")


class _Reading(NamedTuple):
    points: int
    finished: bool
    handromme: bool


_NO_POINTS, _UNREADABLE = "00", "?"
SITS_OUT = "–"


@dataclass(frozen=True, slots=True)
class TypedCell:
    """The readings of one cell."""

    readings: tuple[_Reading, ...]
    is_unreadable: bool = False

    @property
    def has_finished(self) -> bool:
        """Whether the seat finished the game in every reading."""
        return bool(self.readings) and all(reading.finished for reading in self.readings)

    @property
    def may_have_finished(self) -> bool:
        """Whether the seat finished the game in at least one reading."""
        return any(reading.finished for reading in self.readings)

    def minus(self) -> tuple[int, ...]:
        """Return the points; for a seat that may have finished, the points if it did not."""
        held = [reading.points for reading in self.readings if not reading.finished]
        return tuple(dict.fromkeys(held or [reading.points for reading in self.readings]))


_NO_HAND = TypedCell(())


def read_cell(text: str) -> TypedCell | None:
    """Return the readings of a cell, or None if its text is no valid entry.

    >>> read_cell("17/71").minus()
    (17, 71)
    >>> read_cell("0/23").may_have_finished, read_cell("0/23").minus()
    (True, (23,))
    >>> read_cell("drei") is None
    True
    """
    readings = []
    parts = text.replace(" ", "").upper().split("/")
    for part in parts:
        match = _READING.fullmatch(part)
        if not part or match is None or (match["points"] and match["mark"] == "?"):
            return None
        points = int(match["points"] or 0)
        no_points = points == 0 and match["mark"] is None and part != _NO_POINTS
        finished = match["mark"] in {"+", "H"} or no_points
        readings.append(_Reading(points, finished, match["mark"] == "H"))
    is_unreadable = parts == [_UNREADABLE]
    doubts_held = _UNREADABLE in parts and not any(reading.finished for reading in readings)
    if len({*readings}) < len(readings) or (doubts_held and not is_unreadable):
        return None
    return TypedCell(tuple(readings), is_unreadable)


def read_row(
    cells: Sequence[str], game: LineContext, stored: AmbiguousLine | None = None
) -> AmbiguousLine | list[Problem]:
    """Return the line written in a row of cells, or the problems of the cells.

    Whether the line is possible is checked elsewhere.

    Args:
        cells: as typed, seat 1 first.
        game: the context of the line; places are those of the list, as in ``games[2].minus[0]``.
        stored: the line in the list. It is returned if its cells are the same, because cells
            cannot show everything that a line can hold.
    """
    if stored is not None and write_row(stored, game) == list(cells):
        return stored
    number = game.number
    where = f"games[{number - 1}]"
    sits_out = game.rule_set.sits_out(number, game.players)
    read = [
        _NO_HAND if at == sits_out and text.strip("-– ") == "" else read_cell(text)
        for at, text in enumerate(cells, start=1)
    ]
    problems = [
        Problem(f"{where}.minus[{index}]", _cell_problem(text, number, index + 1))
        for index, (text, cell) in enumerate(zip(cells, read, strict=True))
        if cell is None
    ]
    sure = [index for index, cell in enumerate(read) if cell and cell.has_finished]
    if len(sure) > 1:
        message = _(
            "Spiel {number}: Beendet hat nur eine Person, hier sind es {count}. Ist unklar, wer, "
            "dann die Punkte dazuschreiben, etwa 0/23."
        ).format(number=number, count=len(sure))
        problems.append(Problem(f"{where}.minus[{sure[-1]}]", message))
    return problems or _line([cell for cell in read if cell is not None], game)


def _cell_problem(text: str, number: int, seat: int) -> str:
    if not text.strip():
        return _("Spiel {number}: Die Punkte von Platz {seat} fehlen.").format(
            number=number, seat=seat
        )
    return _(
        "Spiel {number}: „{text}“ steht auf keiner Liste. Möglich sind Punkte, 0 für beendet, "
        "H für Handrommé, Lesarten wie 17/71 und ? allein für eine Hand, die nicht zu lesen ist."
    ).format(number=number, text=text.strip()[:20])


def _line(cells: Sequence[TypedCell], game: LineContext) -> AmbiguousLine:
    finishers = [seat for seat, cell in enumerate(cells, start=1) if cell.may_have_finished]
    nobody_else = len(finishers) == 1 and not cells[finishers[0] - 1].has_finished
    marks = {
        reading.handromme
        for seat in finishers
        for reading in cells[seat - 1].readings
        if reading.finished
    }
    line = AmbiguousLine(
        finisher=(*finishers, None) if nobody_else or not finishers else tuple(finishers),
        minus=tuple(cell.minus() for cell in cells),
        handromme=tuple(sorted(marks, reverse=True)) or (False,),
    )
    unreadable = game.unreadable(line)
    minus = tuple(unreadable if cell.is_unreadable else cell.minus() for cell in cells)
    return replace(line, minus=minus)


def write_row(line: AmbiguousLine, game: LineContext | None = None) -> list[str]:
    """Return the cells of a line, as :func:`read_row` reads them in this *game*.

    >>> write_row(AmbiguousLine(finisher=(1, 3), minus=((23,), (17, 71), (0,), (12,))))
    ['0/23', '17/71', '0/?', '12']
    """
    unreadable = game.unreadable(line) if game is not None and not line.is_clear else None
    return [
        _UNREADABLE
        if readings == unreadable and seat not in line.finisher
        else _write_cell(line, seat)
        for seat, readings in enumerate(line.minus, start=1)
    ]


def _write_cell(line: AmbiguousLine, seat: int) -> str:
    points = dict.fromkeys(line.minus[seat - 1])
    if not points:  # the seat that sits out
        return ""
    if seat not in line.finisher:
        return "/".join(str(value) if value else _NO_POINTS for value in points)
    held = [str(value) if value else _UNREADABLE for value in points]
    marks = sorted({"H" if handromme else "" for handromme in line.handromme})
    if {*line.finisher} == {seat}:
        return "/".join(_finish(value, mark) for value in points for mark in marks)
    return "/".join([*(_finish(0, mark) for mark in marks), *held])


def _finish(points: int, mark: str) -> str:
    return f"{points}{mark or '+'}" if points else mark or "0"
