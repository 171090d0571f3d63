"""How quick the planning of seats is, and how near to the fewest rematches.

Called by itself it prints the table of docs/seating.md, the rematches of every field of up to 40
players in 2 to 10 Serien:

    python -m benchmarks.seating [--singly]

A cell has what is reached; after „≥“ the bound no plan gets below, where that is lower; in brackets
the spread of tables of three, if above 1. ``--singly`` prints ``scoring/seating/singly.txt``
instead: players, Serien, rematches planned together and, where that is more, if each Serie is drawn
by itself.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator

from benchmarks.results import Row
from benchmarks.servers import Place
from scoring.seating import DEFAULT_SIZES, Player, plan, table_sizes
from scoring.seating.floors import LEAST_REMATCHES, least_rematches
from scoring.seating.metrics import Round
from scoring.seating.task import make_task

FIELDS = ((28, 5), (64, 5), (101, 5), (400, 5), (1_000, 5))  # players, Serien
CLUB_SIZES = (1, 1, 2, 3, 4, 6, 8, 12)
TABLE_SIZES = (3, 4, *range(6, 41))
TABLE_SERIEN = range(2, 11)


def with_clubs(size: int) -> list[Player]:
    """Return people of clubs as they come: many small ones, few large ones."""
    chance = random.Random(size)
    players: list[Player] = []
    while len(players) < size:
        club = None if chance.random() < 0.1 else f"Verein {len(players)}"
        for _member in range(min(size - len(players), chance.choice(CLUB_SIZES))):
            players.append(Player(id=len(players) + 1, club=club))
    return players


def without_clubs(size: int) -> list[Player]:
    """Return people without clubs."""
    return [Player(id=number) for number in range(1, size + 1)]


def least(size: int, serien: int) -> int:
    """Return the rematches that no plan gets below."""
    task, _past = make_task(
        without_clubs(size),
        series=serien,
        sizes=table_sizes(size),
        allowed=DEFAULT_SIZES,
        history=[],
        fixed_tables={},
        apart=[],
    )
    known, _again = LEAST_REMATCHES.get((size, serien), (0, 0))
    return max(known, least_rematches(task))


def rows(place: Place) -> Iterator[Row]:
    """Plan fields of all sizes."""
    for size, serien in FIELDS[:2] if place.is_quick else FIELDS:
        begun = time.perf_counter()
        metrics = plan(with_clubs(size), series=serien, seed="Vergleich").metrics
        name, seconds = f"seating, {size:,} × {serien}", time.perf_counter() - begun
        yield Row(f"{name} planned", seconds, "s", most=2)
        yield Row(f"{name}, rematches", metrics.repeat_meetings, most=least(size, serien))
        yield Row(f"{name}, club mates at a table", metrics.clubmates_at_table)


def cell(size: int, serien: int) -> str:
    """Return the cell of the table for a field of this size."""
    metrics = plan(without_clubs(size), series=serien, seed="Tabelle").metrics
    bound, spread = least(size, serien), metrics.three_table_spread
    beside = f" ≥ {bound}" if bound < metrics.repeat_meetings else ""
    return f"{metrics.repeat_meetings}{beside}" + (f" ({spread})" if spread > 1 else "")


def print_table() -> None:
    """Print a line for each number of players."""
    print("| players |" + "".join(f" {serien} |" for serien in TABLE_SERIEN))
    print("|---" * (len(TABLE_SERIEN) + 1) + "|")
    for size in TABLE_SIZES:
        cells = "".join(f" {cell(size, serien)} |" for serien in TABLE_SERIEN)
        print(f"| {size} |{cells}", flush=True)


def print_singly() -> None:
    """Print a line for each field in which drawing Serie by Serie costs rematches."""
    for size in TABLE_SIZES:
        players, history = without_clubs(size), list[Round]()
        for serien in range(1, TABLE_SERIEN[-1] + 1):
            drawn = plan(players, series=1, seed=f"a {serien}", history=history, starts=2)
            history += drawn.series
            singly = drawn.metrics.repeat_meetings
            if serien in TABLE_SERIEN:
                together = plan(players, series=serien, seed="Tabelle").metrics.repeat_meetings
                if singly > together:
                    print(size, serien, together, singly, flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--singly", action="store_true", help="what drawing singly costs")
    (print_singly if parser.parse_args().singly else print_table)()
