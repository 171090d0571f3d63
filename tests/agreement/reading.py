"""Reads pages and documents as people do: tables by their headings, and plain text."""

from __future__ import annotations

import re
from html import unescape

Rows = list[list[str]]
CELL = re.compile(r'(?s)<t([dh])\b(?:[^>]*?colspan="(\d+)")?[^>]*>(.*?)</t\1>')


def text(html: str) -> str:
    """Return the plain text of a page."""
    without = re.sub(r"(?s)<(script|style|svg)\b.*?</\1>", " ", html)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", without)).split())


def tables(html: str) -> list[Rows]:
    """Return all tables of a page as rows of cells; a wide cell is repeated for each column."""
    return [
        [
            [
                text(cell)
                for _tag, span, cell in CELL.findall(row)
                for _column in range(int(span or 1))
            ]
            for row in re.split(r"<tr\b", table)[1:]
        ]
        for table in re.split(r"<table\b", html)[1:]
    ]


def rows_with(html: str, *headings: str) -> list[dict[str, str]]:
    """Return the rows of the tables that have these headings, by heading."""
    return [
        dict(zip(rows[0], row, strict=False))
        for rows in tables(html)
        if rows and set(headings) <= set(rows[0])
        for row in rows[1:]
    ]


def number(shown: object) -> int | None:
    """Return a shown number: „−12“, „1.024“, „15,00 €“ in cents; None without one."""
    plain = "" if shown is None else str(shown).replace("−", "-")
    match = re.search(r"-?\d[\d.]*(,\d\d)?", plain)
    return int(re.sub(r"[.,]", "", match.group())) if match else None


def start_number(shown: object) -> int | None:
    """Return the start number in a cell: „4“ or „Name03, Gisela D Nr. 4 · TSV Gera“."""
    match = re.search(r"Nr\. (\d+)", str(shown)) or re.fullmatch(r"(\d+)", str(shown))
    return int(match[1]) if match else None
