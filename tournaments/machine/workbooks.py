"""Reading an Excel workbook in a subprocess with limits of time and memory.

A workbook of some kilobytes can be made to take minutes and gigabytes. The subprocess has a low
priority, and each worker of the server runs one at a time.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import date, datetime, time
from io import BytesIO
from pathlib import Path
from typing import Any

from tournaments.machine.operating_system import limit_resources, lower_priority, without_console

# The largest honest file, 5,000 rows of 60 columns, takes 4 seconds of a slow core and 66 MB.
MOST_CPU_SECONDS = 10
MOST_SECONDS = 30  # the process waits while others have the processor
MOST_MEMORY = 512 * 2**20
MOST_TEXT = 32 * 2**20  # characters in all cells; a cell may repeat a long text that is stored once
_NICER = 10
READ_LOCK = threading.Lock()
_COMMAND = "from tournaments.machine.workbooks import answer; answer()"

Cell = str | bool


class DamagedWorkbook(Exception):
    """The file is damaged."""


class WorkbookTooLarge(Exception):
    """Reading the file takes too much time or memory."""


class WorkbookReaderBusy(Exception):
    """Another file is being read by this process."""


def read_in_subprocess(content: bytes, *, most_rows: int, most_columns: int) -> list[list[Cell]]:
    """Return the first rows of the first sheet, with the empty ones between them.

    Raises:
        DamagedWorkbook: if the file is damaged.
        WorkbookTooLarge: if reading it takes too much time or memory.
        WorkbookReaderBusy: if another thread of this process is reading one.
    """
    if not READ_LOCK.acquire(blocking=False):
        raise WorkbookReaderBusy
    try:
        numbers = (most_rows, most_columns, MOST_CPU_SECONDS, MOST_MEMORY)
        try:
            done = subprocess.run(  # noqa: S603 - our own command and numbers of ours
                [sys.executable, "-c", _COMMAND, *map(str, numbers)],
                input=content,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=Path(__file__).parents[2],
                timeout=MOST_SECONDS,
                check=False,
                **without_console(),
            )
        except subprocess.TimeoutExpired as problem:
            raise WorkbookTooLarge from problem
    finally:
        READ_LOCK.release()
    if done.returncode:
        raise WorkbookTooLarge
    rows: list[list[Cell]] | None = json.loads(done.stdout)
    if rows is None:
        raise DamagedWorkbook
    return rows


def answer() -> None:
    """Write the rows of the workbook on the standard input as JSON; null if it is damaged.

    Ends with an error when it takes too much.
    """
    most_rows, most_columns, seconds, memory = map(int, sys.argv[1:])
    limit_resources(seconds=seconds, memory=memory)
    lower_priority(_NICER)
    try:
        rows = list(
            rows_of(sys.stdin.buffer.read(), most_rows=most_rows, most_columns=most_columns)
        )
    except (MemoryError, OverflowError):
        sys.exit(1)
    # openpyxl has no error of its own for a damaged file: it raises arbitrary exceptions.
    except Exception:  # noqa: BLE001
        rows = None
    sys.stdout.write(json.dumps(rows))


def rows_of(content: bytes, *, most_rows: int, most_columns: int) -> Iterator[list[Cell]]:
    """Yield the first rows of the first sheet.

    Raises:
        OverflowError: if their texts are too long together.
    """
    from openpyxl import load_workbook  # noqa: PLC0415 - only this process needs it

    workbook = load_workbook(BytesIO(content), read_only=True, data_only=True)
    sheet = workbook.worksheets[0]
    sheet.reset_dimensions()  # the size declared in the file may be wrong
    left = MOST_TEXT
    for cells in sheet.iter_rows(values_only=True, max_row=most_rows, max_col=most_columns):
        texts = [_text(cell) for cell in cells]
        while texts and texts[-1] == "":
            texts.pop()
        left -= sum(len(text) for text in texts if isinstance(text, str))
        if left < 0:
            raise OverflowError
        yield texts


def _text(cell: Any) -> Cell:
    match cell:
        case None:
            return ""
        case bool():
            return cell
        case float() if cell.is_integer():
            return str(int(cell))
        case datetime() if cell.time() == time():
            return cell.date().isoformat()
        case date():
            return cell.isoformat()
    return str(cell)
