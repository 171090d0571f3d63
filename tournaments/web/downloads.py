"""Answers that the browser saves as a file."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import Http404, HttpResponse

from tournaments.machine.sheets import csv_bytes, xlsx_bytes

TYPES = {
    "csv": "text/csv; charset=utf-8",
    "ics": "text/calendar; charset=utf-8",
    "json": "application/json",
    "txt": "text/plain; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


def download(content: bytes | str, name: str) -> HttpResponse:
    """Return a file called *name*, whose ending says of which kind it is."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    kind = TYPES[name.rpartition(".")[2]]
    return HttpResponse(content, content_type=kind, headers=headers)


def table_file(rows: Sequence[Sequence[object]], name: str, title: str = "") -> HttpResponse:
    """Return a table as the CSV or the Excel file called *name*, or 404 for another kind."""
    if name.endswith(".csv"):
        return download(csv_bytes(rows), name)
    if name.endswith(".xlsx"):
        return download(xlsx_bytes(title, rows), name)
    raise Http404
