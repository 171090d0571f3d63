"""The table of results: measured values, their bounds, and both databases side by side."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import date

DATABASES = ("SQLite", "PostgreSQL")
NOTHING = "–"
BY_HAND = "†"  # marks rows that no benchmark writes
HEAD = ("what", "wanted", *(cell for name in DATABASES for cell in (name, "ratio")), "ratio to")

HEADING = """\
`make bench` measured this on {on} ({size}) and writes this table.
`make bench ONLY="entries start"` prints some rows. Marks say which rows were measured elsewhere,
under load or by hand. Bold is what misses the bound under “wanted”: a bound with a unit is of the
figure, others are of the ratio to what the row names last, measured in the same run.
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One figure; its name is the same on each database."""

    name: str
    value: float
    unit: str = ""  # "ms", "/s"
    ratio: float | None = None  # of *value* to the same figure of what *beside* names
    beside: str = ""
    _: KW_ONLY
    most: float | None = None  # wanted of *value*
    most_ratio: float | None = None
    least_ratio: float | None = None

    @property
    def ratio_misses(self) -> bool:
        """Whether the ratio is outside its bounds."""
        if self.ratio is None:
            return False
        is_too_much = self.most_ratio is not None and self.ratio > self.most_ratio
        return is_too_much or (self.least_ratio is not None and self.ratio < self.least_ratio)

    @property
    def value_misses(self) -> bool:
        """Whether the value is above its bound."""
        return self.most is not None and self.value > self.most

    @property
    def wanted(self) -> str:
        """Return the bound as the table shows it."""
        if self.most is not None:
            return f"≤ {_with_unit(self.most, self.unit)}"
        if self.most_ratio is not None:
            return f"≤ {_number(self.most_ratio)}"
        return NOTHING if self.least_ratio is None else f"≥ {_number(self.least_ratio)}"

    def cells(self) -> tuple[str, str]:
        """Return value and ratio; one that misses its bound is bold."""
        ratio = NOTHING if self.ratio is None else _bold(_number(self.ratio), self.ratio_misses)
        return _bold(_with_unit(self.value, self.unit), self.value_misses), ratio


def waits(name: str, seconds: Sequence[float]) -> Iterable[Row]:
    """Return the rows of the waiting times: three, or for a few waits only the longest."""
    ordered = sorted(seconds)
    if len(ordered) > 5:
        yield Row(f"{name}, median", ordered[len(ordered) // 2], "s")
        yield Row(f"{name}, p95", percentile(ordered, 95), "s")
    yield Row(f"{name}, longest", ordered[-1], "s")


def percentile(values: Iterable[float], share: int) -> float:
    """Return the value that *share* of a hundred do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * share // 100)]


def table(results: Iterable[tuple[str, Row]], by_hand: Iterable[Sequence[str]] = ()) -> str:
    """Return the Markdown table of pairs of database and row, and below it the rows *by_hand*."""
    lines: dict[str, dict[str, Row]] = {}
    for database, row in results:
        lines.setdefault(row.name, {})[database] = row
    cells: list[Sequence[str]] = [HEAD]
    for name, rows in lines.items():
        row = next(iter(rows.values()))
        both = [rows[each].cells() if each in rows else (NOTHING, NOTHING) for each in DATABASES]
        cells.append([name, row.wanted, *both[0], *both[1], row.beside or NOTHING])
    cells += by_hand
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    cells.insert(1, ["-" * width for width in widths])
    return "".join(f"| {' | '.join(map(str.ljust, line, widths))} |\n" for line in cells)


def document(before: str, results: Iterable[tuple[str, Row]], *, on: date, size: str) -> str:
    """Return ``docs/benchmarks.md`` with new results; keep its rows by hand and its footnotes."""
    lines = before.splitlines()
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")]
    by_hand = [[cell.strip() for cell in row] for row in rows if BY_HAND in row[0]]
    _above, mark, notes = before.partition(f"\n{BY_HAND} ")
    return f"""# Benchmarks

{HEADING.format(on=on.isoformat(), size=size)}
{table(results, by_hand)}{mark}{notes}"""


def machine() -> str:
    """Return the size of this machine, and nothing that identifies it."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{os.cpu_count()} cores, {memory:.0f} GB of memory, Python {platform.python_version()}"


def _bold(text: str, is_bold: bool) -> str:
    return f"**{text}**" if is_bold else text


def _with_unit(value: float, unit: str) -> str:
    return f"{_number(value)}{'' if unit.startswith('/') else ' '}{unit}".rstrip()


def _number(value: float) -> str:
    """Return a number of about three digits.

    >>> [_number(value) for value in (0.054, 2, 15.62, 892.3, 3000)]
    ['0.05', '2', '15.6', '892', '3,000']
    """
    if value == int(value) or value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"
