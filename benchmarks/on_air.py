"""How many bytes the pages of everybody's phones are, as they travel.

    make bench ONLY=on_air

The program is started as ``make run`` starts it, with a ranking of 400 players, all of them
named with their clubs. A phone opens it, and asks again after something has happened, as a browser
that takes compressed answers and as one that does not, which is what pages were before. Heads of
answers are counted.
"""

# Models can be imported only after the database was chosen and Django set up.
# ruff: noqa: PLC0415

from __future__ import annotations

import http.client
from collections.abc import Iterator

from benchmarks.frame import Place, Row

PLAYERS, FEW = 400, 40
KB = 1_000


def ask(line: http.client.HTTPConnection, path: str, **headers: str) -> int:
    """Return the bytes of an answer, with its head."""
    line.request("GET", path, headers={"Accept-Language": "de", **headers})
    answer = line.getresponse()
    content = answer.read()
    if answer.status != http.client.OK:
        raise RuntimeError(f"{path} was answered with {answer.status}")
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

    from benchmarks.standings import make
    from tests.factories import make_club
    from tests.server import HOST, Server
    from tournaments.models import Registration, Tournament

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
    connections.close_all()
    path = reverse("results_public:overall", args=[tournament.slug])
    with Server(place.folder, database=place.database_url) as server:
        line = http.client.HTTPConnection(HOST, server.port, timeout=60)
        for name, asked, headers in (
            (f"ranking of {players} opened", path, {}),
            (
                f"ranking of {players}, a phone and a change",
                f"{path}?since=-1",
                {"HX-Request": "true"},
            ),
        ):
            before = ask(line, asked, **headers)
            now = ask(line, asked, **headers, **{"Accept-Encoding": "gzip"})
            yield Row(
                name=name,
                value=now / KB,
                unit="KB",
                ratio=now / before,
                beside="the same not compressed",
                wanted=0.05,
            )
        line.close()
