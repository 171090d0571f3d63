"""A day of so many people, played to its end: to count the pages of its documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from scoring.payments.prizes import PrizeLine, PrizePlan
from scoring.seating.sizes import table_sizes
from tests.factories import COMMAND, club_named, make_person, make_registration, make_tournament
from tests.factories_lists import list_of, make_seated_serie, write_games
from tests.factories_results import make_team
from tournaments.desk.services import registrations
from tournaments.desk.services.registrations import Payment
from tournaments.models import Ranking, Registration, Spielliste, Tournament

FIRST = ("Anna", "Bernd", "Christa", "Dieter", "Elisabeth", "Hans-Jürgen", "Ilse", "Jochen")
LAST = (
    *("Albrecht", "Böttcher", "Dietrich-Lehmann", "Fuchs", "von der Heide", "Jäger", "Kühn"),
    *("Müller-Lüdenscheidt", "Öztürk", "Zimmermann"),
)
CLUBS = ("SC Altenburg 1953", "1. Kahlaer Rommé-Club", "Rommé-Freunde Gera-Langenberg", "")
BEST_CENTS = 5000  # of the first place; the second has half of it, the third a third
SERIEN = 2


def make_sized_day(people: int) -> Tournament:
    """A tournament of two Serien with teams, all paid, played and checked."""
    tournament = make_tournament(
        name="Herbstturnier um den Wanderpokal 2026", venue="Altenburg", serien=SERIEN
    )
    places = range(1, people // 5 + 1)
    lines = tuple(PrizeLine(place=place, fixed_cents=BEST_CENTS // place) for place in places)
    tournament.prize_plan = {"startgeld": PrizePlan(lines=lines).to_dict()}
    tournament.save()
    players = list(_register(tournament, people))
    for serie in range(1, SERIEN + 1):
        _play(tournament, players, serie)
    ranking = Ranking.objects.create(tournament=tournament, kind=Ranking.Kind.TEAM, size=4)
    for number in range(people // 4):
        members = players[4 * number : 4 * number + 4]
        make_team(ranking, f"Mannschaft {number + 1}", members)
    return tournament


def _register(tournament: Tournament, people: int) -> Iterator[Registration]:
    for number in range(people):
        person = make_person(
            FIRST[number % len(FIRST)],
            LAST[(number + number // len(FIRST)) % len(LAST)],
            club=club_named(CLUBS[number % len(CLUBS)]),
        )
        registration = make_registration(tournament, person, status=Registration.Status.REGISTERED)
        registrations.pay(COMMAND, registration.pk, payment=Payment())
        registration.refresh_from_db()
        yield registration


def _play(tournament: Tournament, players: Sequence[Registration], number: int) -> None:
    """Play a Serie: each seat finishes in turn and counts its start number, so no two are equal."""
    coming = iter(players)
    rows = [list(islice(coming, size)) for size in table_sizes(len(players))]
    serie = make_seated_serie(tournament, rows, number=number)
    for table, row in enumerate(rows, start=1):
        games = [
            {
                "finisher": game % len(row) + 1,
                "handromme": False,
                "minus": [
                    0 if seat == game % len(row) else 2 + (player.number or 0)
                    for seat, player in enumerate(row)
                ],
            }
            for game in range(12)
        ]
        write_games(list_of(serie, table), games, status=Spielliste.Status.VERIFIED)
