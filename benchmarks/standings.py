"""How long the ranking takes from raw games, and how it grows with the field.

Fields of four at a table play five Serien of twelve games; every list is verified. The best of
some runs is taken of the whole from the tables („database“), of tallying and ranking lists in
memory („rules“), and of reading the keys of the games. The time for each list is compared with that
in a field of 1,000 lists: 1 means that cost grows like the number of lists.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator

from django.db import transaction

from benchmarks.hall import SEATS, play_all
from benchmarks.results import Row
from benchmarks.servers import Place
from scoring.standings import rank_entries
from tests.factories import make_players, make_tournament
from tournaments.lists.queries.loading import load_lists
from tournaments.models import Game
from tournaments.results.queries import results
from tournaments.results.queries.rankings import OVERALL, Rankings

HALL = 1_000  # players
FIELDS = (800, 2_400, 8_000)  # 1,000, 3,000 and 10,000 lists
SERIEN = 5
RUNS = 5


def best(act: Callable[[], object]) -> float:
    """Return the milliseconds of the quickest of some runs."""
    milliseconds = []
    for _run in range(RUNS):
        begun = time.perf_counter()
        act()
        milliseconds.append(1000 * (time.perf_counter() - begun))
    return min(milliseconds)


def measure(players: int) -> tuple[float, float, float]:
    """Store a field of *players*; return the milliseconds of database, rules and keys."""
    with transaction.atomic():
        tournament = make_tournament(serien=SERIEN)
        play_all(tournament, make_players(tournament, players), random.Random(players))
    lists = load_lists(tournament)
    games = Game.objects.filter(spielliste__table__serie__tournament=tournament)
    keys = games.order_by("spielliste", "number").values_list("spielliste", "pk")
    if len(Rankings(tournament).standings(OVERALL)) != players:
        raise RuntimeError("not everybody is ranked")
    return (
        best(lambda: Rankings(tournament).standings(OVERALL)),
        best(lambda: rank_entries(results.entries(tournament, lists=lists, upto=SERIEN).values())),
        best(lambda: list(keys.all())),
    )


def rows(place: Place) -> Iterator[Row]:
    """Measure a large hall, and how the time for each list grows."""
    small = 10 if place.is_quick else 1
    players = HALL // small
    name, beside = f"ranking, {players:,} × {SERIEN}", "reading the keys of its games"
    database, rules, keys = measure(players)
    yield Row(f"{name}, database", database, "ms", database / keys, beside, most_ratio=10)
    yield Row(f"{name}, rules", rules, "ms", rules / keys, beside)
    first, beside = 0.0, "for each of the fewest lists"
    for players in FIELDS:
        lists = players // small // SEATS * SERIEN
        each = 1000 * measure(players // small)[0] / lists
        first = first or each
        name = f"ranking, for each of {lists:,} lists"
        yield Row(name, each, "µs", each / first, beside, most_ratio=1.1)
