"""Tables from and for spreadsheet programs: CSV as German Excel writes it, and XLSX.

Input is checked by its content, not by its name, and has limits, because a file may be made
to exhaust the machine. Output cannot be run as a formula.

openpyxl is loaded with the first workbook that is written, to keep the start of the program fast;
workbooks are read in a process of their own.
"""

# ruff: noqa: PLC0415 - see above

from __future__ import annotations

import csv
import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO, StringIO
from itertools import islice, zip_longest
from typing import Any

from django.utils.translation import gettext as _

from tournaments.common.errors import TournamentError
from tournaments.common.short_texts import clean_line, clean_lines
from tournaments.machine import encodings, workbooks

MAX_BYTES = 2 * 1024 * 1024
MAX_ROWS = 5_000
MAX_COLUMNS = 60
MAX_ROW_NUMBER = 20 * MAX_ROWS  # empty rows between counted
# Packed, two megabytes can hold gigabytes; 5,000 honest rows unpack to a few megabytes.
MAX_UNPACKED_BYTES = 32 * 1024 * 1024
# Formats and names are read whole, and take a hundred times their size; honest ones are small.
MAX_PART_BYTES = 1024 * 1024
_HOLDS_ROWS = re.compile(r"xl/(worksheets/|sharedStrings\.xml|media/|drawings/|pivotCache/)")

# The number of the row as the spreadsheet program shows it, and its cells.
Row = tuple[int, list[str]]

_DELIMITERS = ";\t,|"
_SAMPLE = 30
_SEP_LINE = re.compile(r"\ufeff?sep=(.)\r?\n", re.IGNORECASE)
_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
# First characters of formulas, including the full-width signs of Asian keyboards.
_RUNS = re.compile(r"[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")


class UnreadableSheet(TournamentError):
    """A file that is no table, or too large."""


def read(content: bytes) -> list[Row]:
    """Return the rows of a CSV or XLSX file that are not empty, as text.

    Dates come as ``2026-10-03``, whole numbers without a point. Of a workbook the first
    sheet is read.

    Raises:
        UnreadableSheet: if it is neither, damaged, empty or beyond the limits.
    """
    if len(content) > MAX_BYTES:
        raise UnreadableSheet(
            _("Die Datei ist größer als {n} MB. Bitte nur die Personenliste hochladen.").format(
                n=MAX_BYTES // 1024 // 1024
            )
        )
    if content.startswith(_OLE):
        raise UnreadableSheet(
            _(
                "Das ist eine alte Excel-Datei (.xls) oder eine mit Kennwort. Bitte in Excel ohne "
                "Kennwort als „Excel-Arbeitsmappe (.xlsx)“ oder CSV speichern."
            )
        )
    rows = list(_within_limits(_xlsx(content) if content.startswith(_ZIP) else _csv(content)))
    if not rows:
        raise UnreadableSheet(_("In der Datei steht nichts. Bitte eine andere auswählen."))
    return rows


def doubtful_encodings(content: bytes) -> list[str]:
    """Return the encodings that a CSV file may have, if several, that of ``read`` first."""
    likely = [] if content.startswith(_ZIP) else encodings.encodings_of(content)
    return likely if len(likely) > 1 else []


def _within_limits(rows: Iterable[Sequence[str]]) -> Iterator[Row]:
    count = 0
    for number, cells in enumerate(rows, start=1):
        if number > MAX_ROW_NUMBER:
            raise UnreadableSheet(_too_large())
        if not any(cells):
            continue
        # Limited before cleaning, because a line of two megabytes can have a million cells.
        tidy = [clean_line(cell) for cell in cells[: MAX_COLUMNS + 1]]
        if not any(tidy) and len(cells) <= MAX_COLUMNS:
            continue
        count += 1
        # One row more than allowed, for the headings.
        if count > MAX_ROWS + 1 or len(cells) > MAX_COLUMNS:
            raise UnreadableSheet(_too_large())
        yield number, tidy


def _too_large() -> str:
    return _(
        "Die Tabelle ist zu groß: Es gehen höchstens {rows} Zeilen und {columns} Spalten. Bitte "
        "die Datei teilen."
    ).format(rows=MAX_ROWS, columns=MAX_COLUMNS)


def _csv(content: bytes) -> Iterator[Sequence[str]]:
    text = _decode(content)
    if "\x00" in text:
        raise UnreadableSheet(_no_table())
    delimiter = ""
    first_line = _SEP_LINE.match(text)
    if first_line:  # Excel's own hint, which it does not count as a row
        delimiter, text = first_line[1], text[first_line.end() :]
    try:
        yield from _records(text, delimiter or _delimiter(text))
    except csv.Error as problem:
        raise UnreadableSheet(_no_table()) from problem


def _decode(content: bytes) -> str:
    """Return the text in its likeliest encoding (``machine.encodings``)."""
    for encoding in encodings.encodings_of(content):
        text = encodings.decode(content, encoding)
        if text is not None:
            return text
    raise UnreadableSheet(_no_table())


def _no_table() -> str:
    return _(
        "Das ist keine Tabelle. Lesen lassen sich CSV-Dateien und Excel-Arbeitsmappen (.xlsx)."
    )


def _records(text: str, delimiter: str) -> Iterator[list[str]]:
    return csv.reader(StringIO(text, newline=""), delimiter=delimiter)


def _delimiter(text: str) -> str:
    """Return the delimiter that splits all rows evenly, else most rows into most cells.

    A comma in each amount of a bank splits as many rows, but into fewer cells.
    """

    def evenness(delimiter: str) -> tuple[bool, int]:
        sample = islice(_records(text, delimiter), _SAMPLE)
        widths = Counter(len(row) for row in sample if row)
        most = max((rows * (width - 1) for width, rows in widths.items()), default=0)
        return len(widths) == 1 and most > 0, most

    return max(_DELIMITERS, key=evenness)


def _xlsx(content: bytes) -> Iterator[Sequence[str]]:
    _check_package(content)
    try:
        rows = workbooks.read_in_subprocess(
            content,
            most_rows=MAX_ROW_NUMBER + 1,
            most_columns=MAX_COLUMNS + 1,
        )
    except workbooks.DamagedWorkbook as problem:
        raise UnreadableSheet(
            _("Die Excel-Datei ist beschädigt. Bitte in Excel öffnen und neu speichern.")
        ) from problem
    except workbooks.WorkbookTooLarge as problem:
        raise UnreadableSheet(_takes_too_much()) from problem
    except workbooks.WorkbookReaderBusy as problem:
        raise UnreadableSheet(
            _("Gerade wird eine andere Excel-Datei gelesen. Bitte gleich noch einmal hochladen.")
        ) from problem
    words = {True: _("ja"), False: _("nein")}
    for cells in rows:
        yield [cell if isinstance(cell, str) else words[cell] for cell in cells]


def _takes_too_much() -> str:
    return _(
        "Die Excel-Datei enthält zu viel außer den Zeilen der Tabelle. Bitte nur die Zeilen in "
        "eine neue Datei kopieren oder als CSV speichern."
    )


def _check_package(content: bytes) -> None:
    try:
        with zipfile.ZipFile(BytesIO(content)) as package:
            parts = {part.filename: part.file_size for part in package.infolist()}
    except zipfile.BadZipFile as problem:
        raise UnreadableSheet(_no_table()) from problem
    if "xl/workbook.xml" not in parts:
        raise UnreadableSheet(
            _("LibreOffice-Tabellen bitte als „Excel 2007–365 (.xlsx)“ oder CSV speichern.")
            if "content.xml" in parts
            else _no_table()
        )
    if sum(parts.values()) > MAX_UNPACKED_BYTES:
        raise UnreadableSheet(
            _("Die Excel-Datei ist ausgepackt zu groß. Bitte nur die Personenliste speichern.")
        )
    if any(size > MAX_PART_BYTES for name, size in parts.items() if not _HOLDS_ROWS.match(name)):
        raise UnreadableSheet(_takes_too_much())


def unguard(cell: str) -> str:
    """Remove the apostrophe that :func:`csv_bytes` puts before possible formulas.

    >>> unguard("'+49 341 1234"), unguard("'s-Hertogenbosch")
    ('+49 341 1234', "'s-Hertogenbosch")
    """
    return cell[1:] if cell.startswith("'") and _RUNS.match(cell[1:]) else cell


def csv_bytes(rows: Iterable[Sequence[object]]) -> bytes:
    """Return a CSV file that German Excel opens by itself: BOM, semicolons, CRLF.

    >>> csv_bytes([["Name", "Jahr"], ["=1+1", 1950]])[3:]
    b"Name;Jahr\\r\\n'=1+1;1950\\r\\n"
    """
    out = StringIO(newline="")
    writer = csv.writer(out, delimiter=";")
    for row in rows:
        writer.writerow([_guarded(cell) for cell in row])
    return out.getvalue().encode("utf-8-sig")


def _guarded(cell: object) -> object:
    text = _printable(cell)
    return f"'{text}" if isinstance(text, str) and _RUNS.match(text) else text


def _printable(cell: object) -> object:
    """Return a cell as XML can hold it; texts of an archive are stored as they came."""
    return clean_lines(cell).lstrip() if isinstance(cell, str) else cell


def xlsx_bytes(title: str, rows: Sequence[Sequence[object]]) -> bytes:
    """Return a workbook of one sheet; the first row holds the headings and stays in view."""
    from openpyxl import Workbook
    from openpyxl.utils import get_column_letter

    workbook = Workbook(write_only=True)
    sheet = workbook.create_sheet(clean_line(title))
    sheet.freeze_panes = "A2"
    for number, cells in enumerate(zip_longest(*rows), start=1):
        width = max(len(str(cell or "")) for cell in cells)
        sheet.column_dimensions[get_column_letter(number)].width = min(60, width + 3)
    for number, row in enumerate(rows):
        sheet.append([_xlsx_cell(sheet, cell, is_heading=number == 0) for cell in row])
    out = BytesIO()
    workbook.save(out)
    return out.getvalue()


def _xlsx_cell(sheet: Any, value: object, *, is_heading: bool) -> Any:
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font

    value = _printable(value)
    cell = WriteOnlyCell(sheet, value=value)
    if isinstance(value, str):
        # Left alone, openpyxl makes a formula of what begins with an equals sign.
        cell.data_type = "s"
        cell.quotePrefix = bool(_RUNS.match(value))
    if is_heading:
        cell.font = Font(bold=True)
    return cell
