"""How long the ranking takes from raw games, and how it grows with the field.

    make bench ONLY=standings

Fields of four at a table play five Serien of twelve games; every list is verified. Three
times are taken for each field, the best of some runs:

* rules:    the texts of the games are in memory; tally every list and rank everybody;
* database: the same from the tables;
* rows:     only fetch those rows, which nothing can do without.

The time for each list is given beside that of a field of 1,000 lists: 1 means that cost grows
like the number of lists.
"""

# Models can be imported only after the database was chosen and Django set up.
# ruff: noqa: PLC0415

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sized
from datetime import UTC, datetime
from typing import Any, NamedTuple

from benchmarks.results import Place, Row

HALL = 1_000  # players
FIELDS = (800, 2_400, 8_000)  # 1,000, 3,000 and 10,000 lists
SERIEN, GAMES, SEATS = 5, 12, 4
UNCLEAR = 0.002  # of the games have a hand that can be read in two ways: every 40th list
RUNS = 5


def game(chance: random.Random) -> dict[str, Any]:
    """One game as a table writes it down."""
    finisher = chance.randint(1, SEATS)
    minus: list[Any] = [
        0 if seat == finisher else chance.randint(2, 90) for seat in range(1, SEATS + 1)
    ]
    if chance.random() < UNCLEAR:
        minus[finisher % SEATS] = [17, 71]
    return {"finisher": finisher, "handromme": chance.random() < 0.03, "minus": minus}


def make(players: int) -> Any:
    """Store a tournament with all its games, and return it."""
    from tests.factories import make_club, make_tournament
    from tests.factories_lists import make_seated_serie
    from tournaments.models import Game, Person, Registration, Spielliste

    chance = random.Random(players)
    tournament = make_tournament(serien=SERIEN)
    club, category = make_club(), tournament.categories.get()
    people = [
        Person(first_name="Anna", last_name=f"Name{n}", club=club, owner=club.owner)
        for n in range(players)
    ]
    for person in people:
        person.tidy()
    Person.objects.bulk_create(people)
    field = [
        Registration(
            tournament=tournament,
            person=person,
            number=number,
            status=Registration.Status.PAID,
            category=category,
            club=club,
        )
        for number, person in enumerate(people, start=1)
    ]
    Registration.objects.bulk_create(field)
    now = datetime.now(UTC)
    for number in range(1, SERIEN + 1):
        chance.shuffle(field)
        rows = [field[at : at + SEATS] for at in range(0, players, SEATS)]
        serie = make_seated_serie(tournament, rows, number=number)
        lists = Spielliste.objects.filter(table__serie=serie)
        Game.objects.bulk_create(
            Game(spielliste=spielliste, number=n, line=game(chance), entered_at=now)
            for spielliste in lists
            for n in range(1, GAMES + 1)
        )
        lists.update(status=Spielliste.Status.VERIFIED, handed_in_at=now, verified_at=now)
    return tournament


def best(act: Callable[[], object]) -> float:
    """Return the milliseconds of the quickest of some runs."""
    times = []
    for _run in range(RUNS):
        begun = time.perf_counter()
        act()
        times.append(time.perf_counter() - begun)
    return 1000 * min(times)


class Times(NamedTuple):
    """Milliseconds of each of the three."""

    rules: float
    database: float
    rows: float


def measure(players: int) -> Times:
    """Store a field of *players* and take its times."""
    from django.db import transaction

    from scoring.standings import rank_entries
    from tournaments.lists.queries.data import load_lists
    from tournaments.models import Game
    from tournaments.results.queries import results
    from tournaments.results.queries.rankings import OVERALL, Rankings

    with transaction.atomic():  # one commit for all the rows
        tournament = make(players)
    lists = load_lists(tournament)
    games = Game.objects.filter(spielliste__table__serie__tournament=tournament)

    def rules() -> object:
        return rank_entries(results.entries(tournament, lists=lists, upto=SERIEN).values())

    def database() -> Sized:
        return Rankings(tournament).standings(OVERALL)

    def rows() -> object:
        return list(games.order_by("spielliste", "number").values_list("spielliste", "pk"))

    assert len(database()) == players  # noqa: S101 - or nothing was measured
    return Times(
        rules=best(rules),
        database=best(database),
        rows=best(rows),
    )


def rows(place: Place) -> Iterator[Row]:
    """Measure a large hall, and how the time for each list grows."""
    place.set_up()
    (place.folder / "static").mkdir()  # the server expects it
    small = 10 if place.is_quick else 1
    players = HALL // small
    took = measure(players)
    for name, found, wanted in (
        ("database", took.database, 80),
        ("rules", took.rules, None),
    ):
        yield Row(
            name=f"ranking, {players:,} × {SERIEN}, {name}",
            value=found,
            unit="ms",
            ratio=found / took.rows,
            beside="reading the keys of its games",
            wanted=None if place.is_quick else wanted,
            wanted_of="value",
        )
    first = None
    for players in FIELDS:
        lists = players // small // SEATS * SERIEN
        database = measure(players // small).database
        first = first or database / lists
        yield Row(
            name=f"ranking, for each of {lists:,} lists",
            value=1000 * database / lists,
            unit="µs",
            ratio=database / lists / first,
            beside="for each of the fewest lists",
            wanted=1.1,
        )
