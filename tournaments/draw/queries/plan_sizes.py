"""The largest font size at which a seating plan fits its sheets on the wall.

Lengths are in em of the plan's font and follow print/seating.css. The width of letters is an
upper estimate for German names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil, inf

from tournaments.draw.queries.seating import NamedPlace, SeatedTable

MM = 25.4 / 72  # mm per point
WIDTH, HEIGHT = 182.0, 236.0  # mm between the margins, below the head and above the last line
LARGEST, STEP = 26.0, 0.5  # points
BOLD, REGULAR = 0.53, 0.54  # width of a letter
LINE, SMALL = 1.12, 0.8  # height of a line; relative size of the text below a name
MOST_LINES = 2  # of a name
NUMBERS, NUMBER, ROW = 7.8, 1.4, 0.25  # by name: columns beside; a table's number; room
PLACE, GAP, HEAD = 3.0, 0.27, 2.2  # by table: numbers beside the name, room, head of a table
COLUMN_GAP = 7.0  # mm, between columns of names
NOTE_HEIGHT = 12.0  # mm, above the names
TABLE_GAPS = {1: 5.0, 2: 5.0, 3: 2.5}  # mm, around tables, by columns
_WORD = re.compile(r"[^\s-]+-?")


@dataclass(frozen=True, slots=True)
class PlanSize:
    """The number of columns, and the font size in points."""

    columns: int
    points: float


def of_names(rows: Sequence[NamedPlace], used: float) -> PlanSize:
    """Return the size of a plan by name; *used* mm of its sheets are for other content."""

    def sheets(columns: int, em: float) -> float:
        width = (WIDTH - COLUMN_GAP * (columns - 1)) / columns / em - NUMBERS
        lines = sum(
            max(_lines(row.name, width, BOLD) * LINE + _extra_height(row.note, width), NUMBER) + ROW
            for row in rows
        )
        return ((lines / columns + 2 + (columns > 1) * LINE) * em + NOTE_HEIGHT + used) / HEIGHT

    return _largest(sheets, PlanSize(2, 11.5))


def of_tables(tables: Sequence[SeatedTable]) -> PlanSize:
    """Return the size of a plan by table."""

    def sheets(columns: int, em: float) -> float:
        width = (WIDTH - TABLE_GAPS[columns] * (columns - 1)) / columns / em - PLACE
        heights = [
            HEAD
            + sum(
                _lines(place.name, width, REGULAR) * LINE
                + _extra_height(place.club, width)
                + _extra_height(place.note, width)
                + GAP
                for place in table.places
            )
            for table in tables
        ]
        rows = (max(heights[at : at + columns]) for at in range(0, len(heights), columns))
        return _sheets_needed(row * em + TABLE_GAPS[columns] for row in rows)

    return _largest(sheets, PlanSize(3, 12))


def _sheets_needed(rows: Iterable[float]) -> float:
    """Return the number of sheets, as a fraction, that unbroken rows need."""
    whole, filled = 0, 0.0
    for row in rows:
        if filled + row > HEIGHT:
            whole, filled = whole + 1, 0.0
        filled += row
    return whole + filled / HEIGHT


def _largest(sheets: Callable[[int, float], float], least: PlanSize) -> PlanSize:
    """Return the largest size that needs no more sheets than the smallest size."""
    choices = range(1, least.columns + 1)
    fewest = ceil(min(1e6, *(sheets(columns, least.points * MM) for columns in choices)))
    for step in range(ceil((LARGEST - least.points) / STEP)):
        points = LARGEST - step * STEP
        for columns in choices:
            if sheets(columns, points * MM) <= fewest:
                return PlanSize(columns, points)
    return least


def _extra_height(text: str, width: float) -> float:
    return _lines(text, width / SMALL, REGULAR) * LINE * SMALL if text else 0


def _lines(text: str, width: float, letter: float) -> float:
    """Return the number of lines of a text that breaks between words and after hyphens.

    Infinite if a word is longer than a line, or the text has more than ``MOST_LINES`` lines.
    """
    lines, filled = 1, 0.0
    for word in _WORD.findall(text):
        needed = len(word) * letter
        if needed > width:
            return inf
        if filled + needed > width:
            lines, filled = lines + 1, 0.0
        filled += needed + (0 if word.endswith("-") else letter / 2)
    return lines if lines <= MOST_LINES else inf
