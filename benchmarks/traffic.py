"""How many bytes the network carries for the ranking on all phones.

The ranking has 400 players with names and clubs, half of them in the last game of a Serie. A phone
opens it, and polls after games came in: once as a client that keeps nothing and takes nothing
compressed, and once as browsers do. Headers of answers are counted.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator, Mapping
from itertools import islice

from django.db import transaction
from django.urls import reverse

from benchmarks.client import Client
from benchmarks.hall import GAMES, SEATS, names, play_all
from benchmarks.results import Row
from benchmarks.servers import Place
from tests.factories import COMMAND, make_club, make_players, make_tournament
from tournaments.lists.services import spiellisten
from tournaments.models import Game, Spielliste, Tournament

KB = 1_000
POLL, BROWSER = {"HX-Request": "true"}, {"Accept-Encoding": "gzip"}
LAST_GAME = {"finisher": 1, "minus": [0, 23, 45, 61]}
TOWNS = ("Gera", "Jena", "Weimar", "Erfurt", "Suhl", "Gotha", "Apolda", "Leipzig", "Zeitz")


class Phone:
    """A phone that has the ranking open."""

    def __init__(self, client: Client, path: str) -> None:
        self.client, self.path, self.version = client, path, ""

    def row(self, name: str, headers: Mapping[str, str], most_ratio: float | None = None) -> Row:
        """Ask both ways, and return the row of the bytes."""
        path = f"{self.path}&since=-1" if headers else self.path
        whole = asyncio.run(self.bytes_of(path, headers))
        known = {"X-Known": self.version}
        bytes_now = asyncio.run(self.bytes_of(path, {**headers, **BROWSER, **known}))
        beside = "the same whole, not compressed"
        return Row(name, bytes_now / KB, "KB", bytes_now / whole, beside, most_ratio=most_ratio)

    async def bytes_of(self, path: str, headers: Mapping[str, str]) -> int:
        """Return the bytes of the answer to a request."""
        self.client.headers = dict(headers)
        answer = await self.client.get(path)
        self.client.close()
        self.version = answer.header("x-version") if "X-Known" in headers else self.version
        return len(answer.head) + len(answer.body)


def make_ranking(players: int) -> Tournament:
    """Store a tournament in whose last Serie half of the tables have a game to play."""
    tournament = make_tournament(serien=5, status=Tournament.Status.RUNNING)
    people = make_players(tournament, players)
    clubs = [make_club(name=f"Rommé-Club {town}") for town in TOWNS]
    for at, registration in enumerate(people):
        person, registration.club = registration.person, clubs[at // SEATS % len(clubs)]
        person.first_name, person.last_name = names("A")[at]
        person.publish_consent = True
        person.save()
        registration.save()
    play_all(tournament, people, random.Random(1))
    half = players // SEATS // 2
    playing = Spielliste.objects.filter(table__serie__number=5, table__number__lte=half)
    Game.objects.filter(spielliste__in=playing, number=GAMES).delete()
    playing.update(status=Spielliste.Status.OPEN, handed_in_at=None, verified_at=None)
    return tournament


def rows(place: Place) -> Iterator[Row]:
    """Measure the ranking opened, and asked for again."""
    players = 40 if place.is_quick else 400
    with transaction.atomic():
        tournament = make_ranking(players)
    path = f"{reverse('results_public:overall', args=[tournament.slug])}?laufend=1"
    lists = Spielliste.objects.filter(status=Spielliste.Status.OPEN).order_by("table__number")
    waiting = iter(list(lists))
    with place.server() as server:
        phone = Phone(Client(server), path)
        yield phone.row(f"ranking of {players} opened", {})
        yield phone.row(f"ranking of {players}, a phone and the first change", POLL)
        for tables in (1, 2) if place.is_quick else (1, 5, 25):
            with transaction.atomic():
                for spielliste in islice(waiting, tables):
                    version = spielliste.version
                    spiellisten.enter_game(
                        COMMAND, spielliste.pk, number=GAMES, line=LAST_GAME, version=version
                    )
            yield phone.row(f"ranking of {players}, a phone and new games: {tables}", POLL, 0.05)
