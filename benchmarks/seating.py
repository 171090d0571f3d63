"""How good and how quick the planning is, beside a plain draw and simulated annealing.

    python -m benchmarks.seating [--quick]

For each field the planning runs first. Simulated annealing (swaps of two players, aims
weighed against each other, temperature sinking to the end) then gets the same time, but at
least a second, and the plain draw is the mean of some draws. Printed are the rematches, the
club mates at one table and the spread of tables of three of each, and as ratios: how many of
the rematches of a draw and of annealing are left, and the time per player and Serie against
the first field of the list.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Iterator

from benchmarks.results import Place, Row
from scoring.seating import Metrics, Player, draw, measure, plan, table_sizes

FIELDS = [
    (16, 3), (16, 5), (17, 5), (20, 5), (28, 5), (28, 9), (32, 10), (47, 4), (64, 5),
    (101, 5), (200, 5), (400, 5), (1_000, 5),
]  # fmt: skip
QUICK = FIELDS[:5]
DRAWS = 5
LEAST_SECONDS = 1.0
THREE = 3
CLUB_SIZES = (1, 1, 2, 3, 4, 6, 8, 12)


def make_field(size: int) -> list[Player]:
    """People of clubs as they come: many small ones, few large ones."""
    chance = random.Random(size)
    players: list[Player] = []
    while len(players) < size:
        club = None if chance.random() < 0.1 else f"Verein {len(players)}"
        for _member in range(min(size - len(players), chance.choice(CLUB_SIZES))):
            players.append(Player(id=len(players) + 1, club=club))
    return players


def plain(players: list[Player], series: int, number: int) -> Metrics:
    """One plain draw for each Serie."""
    ids = [player.id for player in players]
    return measure(players, [draw(ids, seed=f"{number} {at}") for at in range(series)])


class Annealing:
    """Simulated annealing from plain draws, as one would write it first."""

    def __init__(self, players: list[Player], series: int) -> None:
        self.chance = random.Random(1)
        self.players = players
        self.club = [player.club for player in players]
        self.sizes = table_sizes(len(players))
        self.seats: list[range] = []  # of each table
        for size in self.sizes:
            begin = self.seats[-1].stop if self.seats else 0
            self.seats.append(range(begin, begin + size))
        self.table_of = [number for number, seats in enumerate(self.seats) for _seat in seats]
        self.met = [[0] * len(players) for _player in players]
        self.threes = [0] * len(players)
        self.rounds = [self._drawn() for _round in range(series)]

    def _drawn(self) -> list[int]:
        order = list(range(len(self.players)))
        self.chance.shuffle(order)
        for seats in self.seats:
            for one in seats:
                self.threes[order[one]] += len(seats) == THREE
                for other in seats:
                    self.met[order[one]][order[other]] += one != other
        return order

    def run(self, seconds: float) -> Metrics:
        """Swap for so long, the temperature sinking to the end."""
        begin = time.perf_counter()
        passed = 0.0
        while passed < seconds:
            heat = 5.0 * math.exp(-5.0 * passed / seconds)
            for _step in range(64):
                self._step(heat)
            passed = time.perf_counter() - begin
        tables = [
            [[self.players[order[seat]].id for seat in seats] for seats in self.seats]
            for order in self.rounds
        ]
        return measure(self.players, tables)

    def _step(self, heat: float) -> None:
        order = self.chance.choice(self.rounds)
        here, there = (self.chance.randrange(len(order)) for _seat in range(2))
        one, two = order[here], order[there]
        old, new = self.seats[self.table_of[here]], self.seats[self.table_of[there]]
        if old == new:
            return
        change = (
            self._price(two, one, old, order)
            - self._price(one, one, old, order, again=1)
            + self._price(one, two, new, order)
            - self._price(two, two, new, order, again=1)
        )
        if len(old) != len(new):
            leaves, comes = (one, two) if len(old) == THREE else (two, one)
            change += 5 * (self.threes[comes] - self.threes[leaves] + 1)
        if change <= 0 or self.chance.random() < math.exp(-change / heat):
            self._move(one, two, old, order)
            self._move(two, one, new, order)
            self.threes[one] += (len(new) == THREE) - (len(old) == THREE)
            self.threes[two] += (len(old) == THREE) - (len(new) == THREE)
            order[here], order[there] = two, one

    def _price(
        self, player: int, without: int, seats: range, order: list[int], again: int = 0
    ) -> int:
        met, club = self.met[player], self.club[player]
        return sum(
            10 * (met[other] > again) + (club is not None and club == self.club[other])
            for other in (order[seat] for seat in seats)
            if other != without
        )

    def _move(self, leaves: int, comes: int, seats: range, order: list[int]) -> None:
        for other in (order[seat] for seat in seats):
            if other != leaves:
                for player, step in ((leaves, -1), (comes, 1)):
                    self.met[player][other] += step
                    self.met[other][player] += step


def told(metrics: Metrics) -> str:
    """The three numbers of a plan that are compared."""
    return (
        f"{metrics.repeat_meetings:5} {metrics.clubmates_at_table:5} {metrics.three_table_spread:3}"
    )


def ratio(part: int, whole: int) -> str:
    """A ratio for the table; 0 of 0 is 1."""
    if whole == 0:
        return "1.00" if part == 0 else "worse"
    return f"{part / whole:.2f}"


def rows(place: Place) -> Iterator[Row]:
    """Plan one large field, and give the rematches that annealing leaves as much time."""
    size, series = (28, 5) if place.is_quick else (400, 5)
    players = make_field(size)
    begin = time.perf_counter()
    planned = plan(players, series=series, seed="Vergleich").metrics
    seconds = time.perf_counter() - begin
    other = Annealing(players, series).run(max(seconds, LEAST_SECONDS))
    yield Row(name=f"seating, {size} × {series} planned", value=seconds, unit="s")
    yield Row(
        name=f"seating, {size} × {series}, rematches and club mates at a table",
        value=bad(planned),
        unit="",
        ratio=bad(planned) / max(1, bad(other)),
        beside="simulated annealing in the same time",
        wanted=1,
    )


def bad(metrics: Metrics) -> int:
    """Return how many pairs meet that should not."""
    return metrics.repeat_meetings + metrics.clubmates_at_table


def main() -> None:
    """Run all fields and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="only the small fields")
    fields = QUICK if parser.parse_args().quick else FIELDS
    print("                      planned           annealing         plain draw      ")
    print(
        "players series  seconds   rem  club 3er   rem  club 3er   rem  club 3er"
        "   rem/draw rem/anneal club/anneal time"
    )
    unit = 0.0
    for size, series in fields:
        players = make_field(size)
        begin = time.perf_counter()
        planned = plan(players, series=series, seed="Vergleich").metrics
        seconds = time.perf_counter() - begin
        unit = unit or seconds / size / series
        other = Annealing(players, series).run(max(seconds, LEAST_SECONDS))
        draws = [plain(players, series, number) for number in range(DRAWS)]
        drawn = Metrics(
            repeat_meetings=sum(m.repeat_meetings for m in draws) // DRAWS,
            teammates_at_table=0,
            clubmates_at_table=sum(m.clubmates_at_table for m in draws) // DRAWS,
            clubmates_adjacent=0,
            three_table_spread=max(m.three_table_spread for m in draws),
            seat_one_spread=0,
        )
        print(
            f"{size:7} {series:6} {seconds:8.3f} {told(planned)} {told(other)} {told(drawn)}"
            f"   {ratio(planned.repeat_meetings, drawn.repeat_meetings):>8}"
            f" {ratio(planned.repeat_meetings, other.repeat_meetings):>10}"
            f" {ratio(planned.clubmates_at_table, other.clubmates_at_table):>11}"
            f" {seconds / size / series / unit:.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
