"""The columns of an uploaded table, recognised by their headings."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import zip_longest

from tournaments.common import names
from tournaments.machine.sheets import Row

ROWS_ABOVE_HEADINGS = 20  # lists have a title above, banks some lines about the account


class Headings:
    """The headings that are known for each target of a kind of table.

    Args:
        known: target -> its headings, folded by ``names.sort_key`` and joined by commas.
    """

    def __init__(self, known: Mapping[str, str]) -> None:
        self._target_of = {
            heading: target
            for target, headings in known.items()
            for heading in headings.split(", ")
        }

    def recognise(self, heading: str) -> str:
        """Return the target of a heading, or ""; words after the first may be unknown."""
        key = names.sort_key(heading)
        return self._target_of.get(key) or self._target_of.get(key.partition(" ")[0], "")

    def row(self, rows: Sequence[Row], needed: Collection[str]) -> int:
        """Return the number of the row with the headings, 0 if there is none.

        The row with the most known headings counts, if one of them is *needed*.
        """
        best, number_of_best = 0, 0
        for number, cells in rows[:ROWS_ABOVE_HEADINGS]:
            targets = {self.recognise(cell) for cell in cells} - {""}
            if targets.intersection(needed) and len(targets) > best:
                best, number_of_best = len(targets), number
        return number_of_best

    def joined(self, rows: Sequence[Row], needed: Collection[str]) -> list[Row]:
        """Return the rows; headings in two rows are joined in the lower one."""
        numbers = [number for number, _cells in rows]
        if not (number := self.row(rows, needed)):
            return list(rows)
        at = numbers.index(number)
        for upper in (at - 1, at):
            if 0 <= upper < len(rows) - 1 and self._are_one(rows[upper][1], rows[upper + 1][1]):
                below = rows[upper + 1]
                headings = [
                    self._heading(*pair)
                    for pair in zip_longest(rows[upper][1], below[1], fillvalue="")
                ]
                return [*rows[:upper], (below[0], headings), *rows[upper + 2 :]]
        return list(rows)

    def _are_one(self, upper: Sequence[str], lower: Sequence[str]) -> bool:
        """Whether two rows are headings together: both have known ones, and more when joined."""
        targets = [{self.recognise(cell) for cell in row} - {""} for row in (upper, lower)]
        both = {self._heading(*pair) for pair in zip_longest(upper, lower, fillvalue="")}
        together = {self.recognise(cell) for cell in both} - {""}
        strangers = [
            sum(bool(cell) and not self.recognise(cell) for cell in row) for row in (upper, lower)
        ]
        is_headings = all(len(targets[row]) >= strangers[row] for row in (0, 1))
        return is_headings and all(targets) and len(together) > max(map(len, targets))

    def _heading(self, upper: str, lower: str) -> str:
        """Return the joined heading of a column in two rows, in the known spelling."""
        both = f"{upper} {lower}".strip()
        ways = (both, upper.rstrip("-") + lower, lower, upper)
        return next((way for way in ways if names.sort_key(way) in self._target_of), both)

    def guess(self, headings: Sequence[str]) -> list[str]:
        """Return the target of each column; "" for unknown and repeated ones."""
        targets: list[str] = []
        for heading in headings:
            target = self.recognise(heading)
            targets.append("" if target in targets else target)
        return targets


def headings_of(rows: Sequence[Row], heading_row: int) -> list[str]:
    """Return the heading of each column, "" if it has none."""
    width = max(len(cells) for _number, cells in rows)
    headings = next((cells for number, cells in rows if number == heading_row), [])
    return [*headings, *[""] * (width - len(headings))]


def duplicate_target(columns: Sequence[str]) -> str:
    """Return a target that is chosen for two columns, or ""."""
    return next((target for target in columns if target and columns.count(target) > 1), "")
