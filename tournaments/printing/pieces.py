"""HTML that becomes pages, some dozen sheets at a time, and what each page is made of."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

SHEET = re.compile(r'(?=<(?:article|section) class="sheet\b)')
# Says how high the rows of those lists are that happen to stand together; a row names its height.
STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """HTML that becomes pages on its own."""

    html: str
    weight: int  # sheets or rows in it, for the progress
    bookmark: str = ""
    is_part: bool = False  # its pages are numbered when all the others are there
    has_sheets: bool = False  # each is a page of its own

    def keys(self, shared: str) -> tuple[str, ...]:
        """Return the hash of what each sheet is made of, or one of all.

        Args:
            shared: the hash of what all documents of a kind have in common.
        """
        if not self.has_sheets:
            return (_hash(shared, self.html),)
        head, sheets, end = self._parts()
        around = STYLE.sub("", head) + end
        return tuple(_hash(shared, around, sheet) for sheet in sheets)

    def only(self, numbers: Sequence[int]) -> str:
        """Return the HTML with these sheets, counted from 0."""
        if not self.has_sheets:
            return self.html
        head, sheets, end = self._parts()
        return "".join([head, *(sheets[number] for number in numbers), end])

    def _parts(self) -> tuple[str, list[str], str]:
        head, *sheets = SHEET.split(self.html)
        sheets[-1], tag, end = sheets[-1].rpartition("</body>")
        return head, [sheet.rstrip() for sheet in sheets], tag + end


def _hash(*parts: str) -> str:
    return hashlib.sha256("".join(parts).encode()).hexdigest()
