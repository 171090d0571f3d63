"""How many bytes the pages of everybody's phones are, as they travel.

    make bench ONLY=traffic

The program is started as ``make run`` starts it, with a ranking of 400 players, half of them in
the last game of a Serie, all of them named with their clubs. A phone opens it, and asks again
after games came in: once as a browser that keeps nothing and takes nothing compressed, which is
what all were sent before, and once as browsers are now. Heads of answers are counted.
"""

# Models can be imported only after the database was chosen and Django set up.
# ruff: noqa: PLC0415

from __future__ import annotations

import http.client
from collections.abc import Iterator
from itertools import islice

from benchmarks.results import Place, Row

PLAYERS, FEW = 400, 40
KB = 1_000
HOST = "127.0.0.1"
ASKS, TODAY = {"HX-Request": "true"}, {"Accept-Encoding": "gzip"}
LAST = {"finisher": 1, "minus": [0, 23, 45, 61]}


class Phone:
    """A phone with the ranking open, which keeps the last answer."""

    def __init__(self, port: int, path: str) -> None:
        self.line = http.client.HTTPConnection(HOST, port, timeout=60)
        self.path, self.keeps = path, ""

    def row(self, name: str, headers: dict[str, str], *, wanted: float | None = None) -> Row:
        """Let it ask as before and as now, and return the bytes of both, with their heads."""
        path = f"{self.path}&since=-1" if headers else self.path
        before = self._ask(path, headers)
        now = self._ask(path, {**headers, **TODAY, "X-Known": self.keeps})
        return Row(
            name=name,
            value=now / KB,
            unit="KB",
            ratio=now / before,
            beside="the same whole, not compressed",
            wanted=wanted,
        )

    def _ask(self, path: str, headers: dict[str, str]) -> int:
        self.line.request("GET", path, headers={"Accept-Language": "de", **headers})
        answer = self.line.getresponse()
        content = answer.read()
        if answer.status != http.client.OK:
            raise RuntimeError(f"{path} was answered with {answer.status}")
        if "Accept-Encoding" in headers:
            self.keeps = answer.headers.get("X-Version", "")
        return len(answer.headers.as_bytes()) + len(content)


def names(players: int) -> Iterator[tuple[str, str, str]]:
    """Yield names and clubs that differ as those of a hall do."""
    firsts = ("Anna", "Bernd", "Clara", "Dieter", "Emma", "Frieda", "Gustav", "Hanna", "Jörg")
    begins = ("Alt", "Berg", "Birn", "Eich", "Feld", "Heid", "Kirch", "Linden", "Neu", "Ober")
    ends = ("bach", "baum", "brand", "brück", "feld", "hauer", "mann", "meier", "müller", "wald")
    lasts = [f"{begin}{end}" for begin in begins for end in ends]
    towns = ("Gera", "Jena", "Weimar", "Erfurt", "Suhl", "Gotha", "Apolda", "Leipzig", "Zeitz")
    for n in range(players):
        town = towns[n // 4 % len(towns)]
        yield firsts[n % len(firsts)], lasts[n * 7 % len(lasts)], f"Rommé-Club {town}"


def rows(place: Place) -> Iterator[Row]:
    """Measure the ranking opened, and asked for again."""
    place.set_up()
    from django.db import connections, transaction
    from django.urls import reverse

    from benchmarks.standings import GAMES, make
    from tests.factories import COMMAND, make_club
    from tests.server import Server
    from tournaments.lists.services import spiellisten
    from tournaments.models import Game, Registration, Spielliste, Tournament

    players = FEW if place.is_quick else PLAYERS
    with transaction.atomic():
        tournament = make(players)
        Tournament.objects.update(status=Tournament.Status.RUNNING)
        entered = Registration.objects.select_related("person").order_by("number")
        clubs = {
            club: make_club(name=club) for club in {club for _first, _last, club in names(players)}
        }
        for one, (first, last, club) in zip(entered, names(players), strict=True):
            one.person.first_name, one.person.last_name = first, last
            one.person.publish_consent = True
            one.person.save()
            one.club = clubs[club]
            one.save(update_fields=["club"])
        playing = tournament.serien.last().number
        half = players // 8  # of the tables; the others have ended
        lists = Spielliste.objects.filter(table__serie__number=playing, table__number__lte=half)
        lists.update(status=Spielliste.Status.OPEN, handed_in_at=None, verified_at=None)
        Game.objects.filter(spielliste__in=lists, number=GAMES).delete()
    connections.close_all()
    path = f"{reverse('results_public:overall', args=[tournament.slug])}?laufend=1"
    with Server(place.folder, database=place.database_url) as server:
        phone = Phone(server.port, path)
        yield phone.row(f"ranking of {players} opened", {})
        yield phone.row(f"ranking of {players}, a phone and the first change", ASKS)
        waiting = iter(lists.order_by("table__number"))
        for tables in (1, 2) if place.is_quick else (1, 5, 25):
            with transaction.atomic():
                for sheet in islice(waiting, tables):
                    spiellisten.enter_game(
                        COMMAND, sheet.pk, number=GAMES, line=LAST, version=sheet.version
                    )
            name = f"ranking of {players}, a phone and new games: {tables}"
            yield phone.row(name, ASKS, wanted=0.05)
        phone.line.close()
