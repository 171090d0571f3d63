"""The number of pages of a Spielliste, nearly always one, and the height of its rows.

Heights and widths are in mm, as in print/spielliste.css. The width of letters is estimated for
German names, on the high side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

PAGE_HEIGHT = 273.0
PAGE_WIDTH = 184.0
HIGHEST_ROW = 10.2
LOWEST_ROW = 5.6
LOWEST_WITH_CONTRACT = 6.7  # two small lines
TIGHT_ROW = 7.6
WIDTH_BESIDE = 22.0  # columns of game and dealer
WIDTH_BESIDE_FIVE = 19.0  # the same at tables of five and more
WIDTH_CONTRACT = 30.0
WIDTH_CONTRACT_FIVE = 26.0
LETTER = 1.95  # bold 10.5 pt
SMALL_LETTER = 1.75
FIVE = 0.88  # factor of the letters at tables of five and more
NAMES_BY_HAND = 15.0
QR_HEIGHT = 27.0
SIGNATURE = 13.0
SECOND_ROW_TO_SIGN = 30.0  # with names of several lines below each
CONTINUES = 8.0  # the line that the list continues


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetSeat:
    """The player of a seat; empty on a blank list."""

    number: int
    name: str = ""
    about: str = ""  # start number and club
    signed: str = ""  # a drawn signature, as a picture's address
    sign_here: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetHead:
    """The texts of a list besides its games."""

    heading: str
    where: str
    details: str
    note: str = ""
    qr: str = ""
    qr_for: str = ""  # the purpose of the QR code
    code: str = ""  # to type instead of the QR code
    remarks: tuple[str, ...] = ()
    verified: str = ""
    version: str = ""
    by_lot: bool = False  # a lot decides between equals


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """The parts of a list besides its games that need height."""

    head: SheetHead
    seats: Sequence[SheetSeat]
    totals: int  # lines
    has_contracts: bool

    @property
    def is_blank(self) -> bool:
        """Whether the names are written by hand."""
        return not any(seat.name for seat in self.seats)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOfGames:
    """The games of one page: those from *start* on, before *end*, counted from 0."""

    start: int
    end: int
    row_height: float
    signs_in_two_rows: bool = False
    is_compact: bool = False  # sums in low rows and less room to sign, to stay one page

    @property
    def is_tight(self) -> bool:
        """Whether the rows are too low for the usual ring."""
        return self.row_height < TIGHT_ROW


def pages_for(measures: Measures, games: int) -> list[PageOfGames]:
    """Distribute the games over as few pages as possible, with rows as high as these allow.

    A list that does not fit on one page, such as one of 40 games, is continued on another, if
    possible after a whole round.
    """
    many = len(measures.seats) > 4
    if many and _room(measures, rows_to_sign=2) / games >= TIGHT_ROW:
        # Six lines side by side are too short for signatures.
        row = _row(_room(measures, rows_to_sign=2), games, TIGHT_ROW)
        return [PageOfGames(start=0, end=games, row_height=row, signs_in_two_rows=True)]
    lowest = LOWEST_WITH_CONTRACT if measures.has_contracts else LOWEST_ROW
    room, small = _room(measures), _room(measures, compact=True)
    compact = room < games * lowest <= small
    last = max(0.0, small if compact else room)
    full = PAGE_HEIGHT - _above(measures) - CONTINUES
    most, most_on_last = floor(full / lowest), floor(last / lowest)
    before = ceil(max(0, games - most_on_last) / most)
    height = min(HIGHEST_ROW, (before * full + last) / games)
    pages: list[PageOfGames] = []
    start = 0
    for coming in reversed(range(before)):
        least = games - start - most_on_last - coming * most
        rows = max(floor(full / height), least)
        rows = min(games - start, _whole_rounds(rows, least, len(measures.seats)))
        row = _row(full, rows, lowest)
        pages.append(PageOfGames(start=start, end=start + rows, row_height=row, is_compact=compact))
        start += rows
    row = _row(last, games - start, lowest)
    pages.append(
        PageOfGames(
            start=start,
            end=games,
            row_height=row,
            signs_in_two_rows=many and last - (games - start) * row >= SECOND_ROW_TO_SIGN,
            is_compact=compact,
        )
    )
    return pages


def _room(measures: Measures, *, rows_to_sign: int = 1, compact: bool = False) -> float:
    """Return the height that is left for the games on a page."""
    below = _below(measures, rows_to_sign=rows_to_sign, compact=compact)
    return PAGE_HEIGHT - _above(measures) - below


def _whole_rounds(rows: int, least: int, players: int) -> int:
    """Return *rows*, or fewer so that no round is split, but at least *least*."""
    whole = rows - rows % players
    return whole if whole >= max(least, 1) else rows


def _row(height: float, rows: int, lowest: float) -> float:
    return min(HIGHEST_ROW, max(lowest, height / rows)) if rows else lowest


def _lines(text: str, letter: float, width: float) -> int:
    return max(1, ceil(len(text) * letter / width)) if text else 0


def _above(measures: Measures) -> float:
    """Return the height of the title and of the heads of the table."""
    many = len(measures.seats) > 4
    head = measures.head
    beside_title = PAGE_WIDTH - (32 if head.qr else 0) - (30 if head.qr_for else 0)
    title = (
        8.2 * _lines(head.heading, 3.9, beside_title)
        + 4.5 * _lines(head.where, SMALL_LETTER, beside_title)
        + 4.5 * _lines(head.details, SMALL_LETTER, beside_title)
        + 4.5 * _lines(head.note, LETTER, beside_title)
        + 3
    )
    beside = WIDTH_BESIDE_FIVE if many else WIDTH_BESIDE
    if measures.has_contracts:
        beside += WIDTH_CONTRACT_FIVE if many else WIDTH_CONTRACT
    column = (PAGE_WIDTH - beside) / len(measures.seats) - 1.5
    smaller = FIVE if many else 1
    names = max(
        _lines(f"{seat.number} · {seat.name}", LETTER * smaller, column) * 4.2 * smaller
        + _lines(seat.about, SMALL_LETTER * smaller, column) * 3.7 * smaller
        for seat in measures.seats
    )
    if measures.is_blank:
        names = NAMES_BY_HAND
    return 3 + max(QR_HEIGHT if head.qr else 0, title) + 2.5 + names + 2 + 5.8


def _below(measures: Measures, *, rows_to_sign: int, compact: bool) -> float:
    """Return the height of the sums, the remarks and the lines to sign on."""
    side_by_side = ceil(len(measures.seats) / rows_to_sign)
    width = PAGE_WIDTH / side_by_side - 5
    names = max(_lines(seat.sign_here, 1.6, width) for seat in measures.seats)
    return (
        3
        + measures.totals * (5.5 if compact else 6.1)
        + 11  # formula and check
        + sum(1.6 + 4.1 * _lines(remark, 1.65, PAGE_WIDTH) for remark in measures.head.remarks)
        + rows_to_sign * ((11 if compact else SIGNATURE) + 4 * names)
        + (9 if compact else 11)
    )
