"""What all benchmarks share: a row of their table, a place to work in, and the table itself.

Each script has a function ``rows(place)`` that measures and yields rows; ``python -m benchmarks``
calls one after the other, on each database, and writes what they found.
"""

# Django can be imported only after the database was chosen.
# ruff: noqa: PLC0415

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import Literal

DATABASES = ("SQLite", "PostgreSQL")
NOTHING = "–"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One thing that was measured, beside what is wanted of it."""

    name: str  # the same on each database
    value: float
    unit: str  # "ms", "/s"; empty where the ratio is all there is to say
    ratio: float | None = None  # of *value* to the same of what *beside* names
    beside: str = ""
    wanted: float | None = None
    wanted_of: Literal["ratio", "value"] = "ratio"
    is_floor: bool = False  # whether *wanted* is the least that is good, or the most

    @property
    def misses(self) -> bool:
        """Whether what is wanted is not reached."""
        found = self.ratio if self.wanted_of == "ratio" else self.value
        if self.wanted is None or found is None:
            return False
        return found < self.wanted if self.is_floor else found > self.wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a benchmark works: a folder of its own and an empty database, gone afterwards."""

    folder: Path
    database_url: str
    is_quick: bool = False  # a small size, to see that it runs

    def set_up(self, settings: str = "romme_site.settings") -> None:
        """Let this process, and the servers it starts, use the place; make the tables."""
        os.environ |= {"DATABASE_URL": self.database_url, "DATA_DIR": str(self.folder)}
        os.environ["DJANGO_SETTINGS_MODULE"] = settings
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)


def measured(name: str, place: Place) -> list[Row]:
    """Return the rows of a script; called in a process of its own, for it sets up Django."""
    return list(import_module(f"benchmarks.{name}").rows(place))


def written(found: Sequence[tuple[str, Row]]) -> str:
    """Return the table of *found*, pairs of database and row, in Markdown.

    Each name is one line, where it came first. What misses what is wanted is bold.
    """
    lines: dict[str, dict[str, Row]] = {}
    for database, row in found:
        lines.setdefault(row.name, {})[database] = row
    head = ["what", "wanted"]
    head += [cell for database in DATABASES for cell in (database, "ratio")]
    cells = [[*head, "ratio to"]]
    for name, rows in lines.items():
        any_row = next(iter(rows.values()))
        line = [name, _wanted(any_row)]
        for database in DATABASES:
            line += _measured(rows.get(database))
        cells.append([*line, any_row.beside or NOTHING])
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    cells.insert(1, ["-" * width for width in widths])
    return "".join(f"| {' | '.join(map(str.ljust, line, widths))} |\n" for line in cells)


def _wanted(row: Row) -> str:
    if row.wanted is None:
        return NOTHING
    bound = f"{'≥' if row.is_floor else '≤'} {_number(row.wanted)}"
    return _with_unit(bound, row.unit) if row.wanted_of == "value" else bound


def _measured(row: Row | None) -> tuple[str, str]:
    if row is None:
        return NOTHING, NOTHING
    value = _with_unit(_number(row.value), row.unit)
    ratio = NOTHING if row.ratio is None else _number(row.ratio)
    if not row.misses:
        return value, ratio
    return (value, f"**{ratio}**") if row.wanted_of == "ratio" else (f"**{value}**", ratio)


def _with_unit(number: str, unit: str) -> str:
    return f"{number}{unit}" if unit.startswith("/") else f"{number} {unit}".rstrip()


def _number(value: float) -> str:
    """Return a number of about three digits.

    >>> [_number(value) for value in (0.054, 2, 15.62, 892.3, 3000)]
    ['0.05', '2', '15.6', '892', '3,000']
    """
    if value == int(value) or value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def machine() -> str:
    """Say how large this machine is, and nothing by which it could be found."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    python = platform.python_version()
    return f"{os.cpu_count()} cores, {memory:.0f} GB of memory, Python {python}"


def document(found: Sequence[tuple[str, Row]], *, on: date, size: str) -> str:
    """Return what ``docs/benchmarks.md`` says."""
    return f"""# Benchmarks

Written by `make bench`, {on.isoformat()}: {size}. Each script in
`benchmarks/` says at its head what it does. What is wanted is said of the ratio, or with its unit
of the figure itself; what misses it is bold. A ratio compares with what stands at the end of its
line, measured in the same run.

{written(found)}"""
