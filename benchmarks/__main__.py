"""Runs benchmarks one after the other, and writes one table of their results.

    make bench [ONLY="entries standings"] [QUICK=1]

Each runs in a process of its own with an empty database: SQLite, and where the database makes a
difference also a PostgreSQL server started for it. A run of all in full size writes
``docs/benchmarks.md``; a run of some, or in small size, only prints.
"""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path

from benchmarks.results import DATABASES, Row, document, machine, table
from benchmarks.servers import new_place
from scripts.run_tests import NEUTRAL

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "benchmarks.md"
BOTH, SQLITE = DATABASES, DATABASES[:1]

# Functions that yield rows: ``rows`` of a module, or the one after the dot. SQLite alone where
# the database makes no difference.
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
    "standby.large": SQLITE,
    "seating": SQLITE,
    "rehearsal": BOTH,
}
# They compare with the smallest view, which the program itself does not have.
WITH_SMALLEST_VIEW = {"entries", "polls", "pages"}


def run(names: list[str], *, is_quick: bool) -> list[tuple[str, Row]]:
    """Return pairs of database and row, in the order of the benchmarks."""
    results = []
    for name in names:
        for database in BENCHMARKS[name]:
            print(f"{name}, {database} …", file=sys.stderr, flush=True)
            settings = "benchmarks.smallest_view" if name in WITH_SMALLEST_VIEW else "romme_site"
            with (
                new_place(database, is_quick=is_quick) as place,
                ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool,
            ):
                future = pool.submit(place.rows, name, f"{settings}.settings")
                rows = [(database, row) for row in future.result()]
            print(table(rows), file=sys.stderr, flush=True)  # if a later one fails, this is kept
            results += rows
    return results


def main() -> None:
    """Read the options, measure, print and write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *BENCHMARKS], metavar="NAME")
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it runs")
    options = parser.parse_args()
    os.environ |= NEUTRAL
    results = run(options.names or list(BENCHMARKS), is_quick=options.quick)
    print(table(results), end="")
    if not options.names and not options.quick:
        before, today = DOCUMENT.read_text(encoding="utf-8"), datetime.now(UTC).date()
        after = document(before, results, on=today, size=machine())
        DOCUMENT.write_text(after, encoding="utf-8")


if __name__ == "__main__":
    main()
