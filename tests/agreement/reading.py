"""Reads pages and documents as people do: tables by their headings, and plain text."""

from __future__ import annotations

import re
from html.parser import HTMLParser

VOID = {"br", "img", "input", "link", "meta", "hr", "wbr", "col", "source", "use", "path", "rect"}


class _Tables(HTMLParser):
    """Collects the rows of all tables: each a list of the texts of its cells."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[list[list[str]]] = []
        self._in_cell = False
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self.tables.append([])
        elif tag == "tr" and self.tables:
            self.tables[-1].append([])
        elif tag in {"td", "th"} and self.tables and self.tables[-1]:
            self.tables[-1][-1].append("")
            self._in_cell = True
            span = dict(attrs).get("colspan")
            self._span = int(span or 1)
        elif self._in_cell and tag not in VOID:
            self.handle_data(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in {"td", "th"} and self._in_cell:
            row = self.tables[-1][-1]
            row[-1] = " ".join(row[-1].split())
            row += [row[-1]] * (self._span - 1)
            self._in_cell = False

    def handle_data(self, data: str) -> None:
        if self._in_cell:
            self.tables[-1][-1][-1] += data


def tables(html: str) -> list[list[list[str]]]:
    """Return all tables of a page as rows of cells."""
    reader = _Tables()
    reader.feed(html)
    return reader.tables


def rows_with(html: str, *headings: str) -> list[dict[str, str]]:
    """Return the rows of the tables that have these headings, by heading."""
    found = []
    for rows in tables(html):
        if rows and set(headings) <= set(rows[0]):
            found += [dict(zip(rows[0], row, strict=False)) for row in rows[1:]]
    return found


def text(html: str) -> str:
    """Return the plain text of a page."""
    without = re.sub(r"(?s)<(script|style|svg)\b.*?</\1>", " ", html)
    return " ".join(re.sub(r"<[^>]+>", " ", without).replace("&nbsp;", " ").split())


def number(shown: str) -> int | None:
    """Return a number as it is shown: „−12“, „1.024“, „15,00 €“ in cents; None if there is none."""
    plain = shown.replace("−", "-").replace("\N{NO-BREAK SPACE}", " ").replace("\u202f", "")
    match = re.search(r"-?\d[\d.]*(,\d\d)?", plain)
    return int(re.sub(r"[.,]", "", match.group())) if match else None
