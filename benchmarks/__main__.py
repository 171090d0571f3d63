"""Runs the benchmarks one after the other, and writes one table of them.

    make bench [ONLY="printing standings"] [QUICK=1]

Each runs in a process of its own with an empty database, first SQLite and then, where that makes
a difference, a PostgreSQL server for this one run. All of them in full size write
``docs/benchmarks.md``; some of them, or the small size, only print.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path

from benchmarks.results import DATABASES, Place, Row, document, machine, measured, written
from scripts.run_tests import NEUTRAL
from scripts.throwaway_postgres import throwaway_postgres

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "benchmarks.md"
MEASURED_ONCE = "\n## Measured once\n"
BOTH, SQLITE = DATABASES, DATABASES[:1]

# Where the database has no say, SQLite stands for both.
BENCHMARKS = {
    "entries": BOTH,
    "polls": BOTH,
    "pages": BOTH,
    "traffic": SQLITE,
    "standings": BOTH,
    "archive": BOTH,
    "years": SQLITE,
    "printing": SQLITE,
    "start": BOTH,
    "interference": SQLITE,
    "standby": BOTH,
    "standby_large": SQLITE,
    "seating": SQLITE,
    "day": BOTH,
    "rehearsal": BOTH,
}


@contextmanager
def place(database: str, *, is_quick: bool) -> Iterator[Place]:
    """Give a place to work in, with an empty database of that kind."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if database == "SQLite":
            url = f"sqlite:///{folder}/benchmark.sqlite3"
            yield Place(folder=folder, database_url=url, is_quick=is_quick)
        else:
            # What is measured has to be as safe as in a hall.
            with throwaway_postgres(settings=()) as url:
                yield Place(folder=folder, database_url=url, is_quick=is_quick)


def run(names: list[str], *, is_quick: bool) -> list[tuple[str, Row]]:
    """Measure, and return the rows with the database of each, in the order of the scripts."""
    found = []
    for name in names:
        for database in BENCHMARKS[name]:
            print(f"{name}, {database} …", file=sys.stderr, flush=True)
            with (
                place(database, is_quick=is_quick) as given,
                ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool,
            ):
                rows = [(database, row) for row in pool.submit(measured, name, given).result()]
            print(written(rows), file=sys.stderr, flush=True)  # if a later one fails, this is kept
            found += rows
    return found


def main() -> None:
    """Read the options, run, print and write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *BENCHMARKS], metavar="NAME")
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it runs")
    options = parser.parse_args()
    os.environ |= NEUTRAL
    found = run(options.names or list(BENCHMARKS), is_quick=options.quick)
    print(written(found), end="")
    if not options.names and not options.quick:
        today = datetime.now(UTC).date()
        # What was measured once, and led to a decision, is written by hand below the table.
        _table, heading, by_hand = DOCUMENT.read_text(encoding="utf-8").partition(MEASURED_ONCE)
        said = document(found, on=today, size=machine())
        DOCUMENT.write_text(f"{said}{heading}{by_hand}", encoding="utf-8")


if __name__ == "__main__":
    main()
