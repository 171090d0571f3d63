"""The floor plan of a hall: rows from its front, in each cell the number of a table or 0."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

Floor = list[list[int]]
MOST_COLUMNS = 8  # on a wide screen there is room for a name beside each table


def check_floor(value: Any) -> None:
    """Refuse a value that is no rows of equal length with each table once.

    Raises:
        ValidationError: if it is not.
    """
    are_rows = isinstance(value, list) and all(isinstance(row, list) for row in value)
    cells = list(chain.from_iterable(value)) if are_rows else [None]
    tables = [cell for cell in cells if cell != 0]
    if (
        any(type(cell) is not int or not 0 <= cell <= 9999 for cell in cells)
        or len(set(tables)) < len(tables)
        or len({len(row) for row in value}) > 1
        or any(len(row) > MOST_COLUMNS for row in value)
    ):
        raise ValidationError(_("Das ist keine Aufstellung von Tischen."))


def in_order(tables: Sequence[int], columns: int = 0) -> Floor:
    """Return tables in rows of *columns*; 0 for as many as suit their number.

    >>> in_order([1, 2, 3, 4, 5], 3)
    [[1, 2, 3], [4, 5, 0]]
    """
    columns = columns or (4 if len(tables) <= 16 else 6 if len(tables) <= 36 else MOST_COLUMNS)
    rows = [list(tables[at : at + columns]) for at in range(0, len(tables), columns)]
    return [row + [0] * (columns - len(row)) for row in rows]


def standing(floor: Floor, tables: Collection[int]) -> Floor:
    """Return the floor plan of just these tables; those without a place are in rows at the back.

    >>> standing([[0, 2], [1, 0], [7, 0]], [1, 2, 3])
    [[0, 2], [1, 0], [3, 0]]
    """
    rest = sorted(set(tables) - set(chain.from_iterable(floor)))
    rows = [[cell if cell in tables else 0 for cell in row] for row in floor]
    while rows and not any(rows[-1]):
        rows.pop()
    return rows + in_order(rest, len(floor[0]) if floor else 0)


def moved(floor: Floor, table: int, column: int, row: int) -> Floor:
    """Return the rows after a table was moved to a cell; a table there swaps with it.

    >>> moved([[1, 2]], 1, 2, 1)
    [[0, 2, 0], [0, 0, 1]]
    >>> moved([[1, 2]], 1, 1, 0)
    [[2, 1]]
    """
    columns, rows = max(len(floor[0]), column + 1), max(len(floor), row + 1)
    wide = [line + [0] * (columns - len(line)) for line in floor]
    wide += [[0] * columns for _none in range(rows - len(wide))]
    other = wide[row][column]
    swap = {table: other, other: table} if other else {table: 0}
    swapped = [[swap.get(cell, cell) for cell in line] for line in wide]
    swapped[row][column] = table
    return _trimmed(swapped)


def _trimmed(floor: Floor) -> Floor:
    """Leave out empty rows at the back and empty columns at the right."""
    columns = max((at + 1 for row in floor for at, cell in enumerate(row) if cell), default=0)
    rows = [row[:columns] for row in floor]
    while rows and not any(rows[-1]):
        rows.pop()
    return rows
