"""What the planning reaches in every field of up to 40 players, and what drawing singly costs.

    python -m benchmarks.seating_table [--singly]

Prints the table of docs/seating.md: the rematches in 2 to 10 Serien. A cell has what is reached;
after „≥“ the bound no plan gets below, where that is lower; in brackets the spread of tables of
three, where it is above 1. ``--singly`` prints ``scoring/seating/singly.txt`` instead: players,
Serien, rematches planned together and, where that is more, if each Serie is drawn by itself.
"""

from __future__ import annotations

import argparse

from scoring.seating import DEFAULT_SIZES, Player, plan, table_sizes
from scoring.seating.floors import LEAST, least_rematches
from scoring.seating.metrics import Round
from scoring.seating.task import make_task

SIZES = [3, 4, *range(6, 41)]
SERIES = range(2, 11)


def nobody(size: int) -> list[Player]:
    """People without clubs."""
    return [Player(id=number) for number in range(1, size + 1)]


def bound(size: int, series: int) -> int:
    """The rematches that no plan gets below."""
    task, _past = make_task(
        nobody(size),
        series=series,
        sizes=table_sizes(size),
        allowed=DEFAULT_SIZES,
        history=[],
        fixed_tables={},
        apart=[],
    )
    known, _again = LEAST.get((size, series), (0, 0))
    return max(known, least_rematches(task))


def cell(size: int, series: int) -> str:
    """What is reached in one field."""
    planned = plan(nobody(size), series=series, seed="Tabelle").metrics
    least = bound(size, series)
    beside = f" ≥ {least}" if least < planned.repeat_meetings else ""
    spread = planned.three_table_spread
    return f"{planned.repeat_meetings}{beside}" + (f" ({spread})" if spread > 1 else "")


def chain(size: int) -> list[int]:
    """The rematches after each Serie, each drawn by itself; the first has none."""
    history: list[Round] = []
    rematches = []
    for at in range(1, SERIES[-1] + 1):
        found = plan(nobody(size), series=1, seed=f"a {at}", history=history, starts=2)
        history += found.series
        rematches.append(found.metrics.repeat_meetings)
    return rematches[1:]


def print_table() -> None:
    """Print a line for each number of players."""
    print("| players |" + "".join(f" {series} |" for series in SERIES))
    print("|---" * (len(SERIES) + 1) + "|")
    for size in SIZES:
        print(f"| {size} |" + "".join(f" {cell(size, series)} |" for series in SERIES), flush=True)


def print_singly() -> None:
    """Print a line for each field in which drawing Serie by Serie costs rematches."""
    for size in SIZES:
        for series, singly in zip(SERIES, chain(size), strict=True):
            together = plan(nobody(size), series=series, seed="Tabelle").metrics.repeat_meetings
            if singly > together:
                print(size, series, together, singly, flush=True)


def main() -> None:
    """Print what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--singly", action="store_true", help="what drawing singly costs")
    if parser.parse_args().singly:
        print_singly()
    else:
        print_table()


if __name__ == "__main__":
    main()
