"""Plans found by a long search, and the rematches of single draws; see docs/seating.md.

``plans.txt`` has a plan in each line: the players, the Serien, and the tables of each Serie, the
full ones first, with a sign for each player and a full stop between two Serien. ``singly.txt`` has
players, Serien, the rematches if they are planned together, and the average if each Serie is drawn
by itself, if that is higher; ``benchmarks/seating.py --singly`` measures it.
"""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, combinations
from math import comb
from pathlib import Path

from scoring.seating.draw import deal
from scoring.seating.metrics import TABLE_OF_THREE
from scoring.seating.searched_designs import Design
from scoring.seating.sizes import table_sizes

HERE = Path(__file__).parent
ALPHABET = string.digits + string.ascii_letters


@dataclass(frozen=True, slots=True)
class StoredPlan:
    """A plan and its metrics.

    rematches: sum over pairs of (meetings − 1).
    again: over all players, the pairs of tables of three that one player sits at.
    """

    rounds: Design
    rematches: int
    again: int


def stored_plan(sizes: Sequence[int], rounds: int) -> StoredPlan | None:
    """Return the stored plan for tables of four and three of these sizes, or None.

    >>> stored_plan((4, 4, 3, 3, 3), 6).rematches
    1
    """
    players = sum(sizes)
    line = _lines().get((players, rounds))
    if line is None or sorted(sizes) != sorted(table_sizes(players)):
        return None
    return _read(players, line)


def stored_sizes() -> list[tuple[int, int]]:
    """Return the players and Serien of all stored plans."""
    return list(_lines())


@cache
def single_draw_rematches() -> dict[tuple[int, int], tuple[int, int]]:
    """Return the rematches planned together and singly, by players and Serien (tables of 4 and 3).

    >>> single_draw_rematches()[16, 5]
    (0, 8)
    """
    rows = [map(int, line.split()) for line in (HERE / "singly.txt").read_text().splitlines()]
    return {(players, series): (together, singly) for players, series, together, singly in rows}


@cache
def _lines() -> dict[tuple[int, int], str]:
    """Return the lines of the file by players and Serien."""
    rows = map(str.split, (HERE / "plans.txt").read_text().splitlines())
    return {(int(players), int(rounds)): plan for players, rounds, plan in rows}


@cache
def _read(players: int, line: str) -> StoredPlan:
    rounds = tuple(
        tuple(map(tuple, deal([ALPHABET.index(sign) for sign in signs], table_sizes(players))))
        for signs in line.split(".")
    )
    tables = list(chain.from_iterable(rounds))
    met = Counter(frozenset(pair) for table in tables for pair in combinations(table, 2))
    threes = Counter(chain.from_iterable(table for table in tables if len(table) == TABLE_OF_THREE))
    return StoredPlan(
        rounds,
        rematches=sum(count - 1 for count in met.values()),
        again=sum(comb(count, 2) for count in threes.values()),
    )
