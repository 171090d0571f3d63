"""The Startkarten for pages: player, seat and result of each Serie."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from tournaments.models import Registration, Seat, Serie, Tournament
from tournaments.results.queries import results

# A Serie on a card: table, seat and points; None if not known yet.
Cell = tuple[Serie, int | None, int | None, int | None]


def registrations_with_card(tournament: Tournament) -> list[Registration]:
    """Return the registrations that have a card, by start number; one query."""
    players = tournament.registrations.filter(number__isnull=False, status=Registration.Status.PAID)
    return list(players.select_related("person", "club").order_by("number"))


def cards(
    tournament: Tournament, registrations: Sequence[Registration]
) -> list[tuple[Registration, list[Cell]]]:
    """Return the cards of *registrations*; ten queries for any number."""
    serien = list(tournament.serien.order_by("number"))
    entries = results.entries(tournament)
    places: dict[tuple[int, int], tuple[int, int]] = {}
    seats = Seat.objects.filter(serie__tournament=tournament)
    for registration, serie, table, seat in seats.values_list(
        "registration", "serie", "table__number", "number"
    ):
        places[registration, serie] = (table, seat)
    points: dict[int, dict[int, int]] = defaultdict(dict)
    for key, entry in entries.items():
        for number, result in enumerate(entry.results, start=1):
            if result is not None:
                points[key][number] = result.points
    nowhere = (None, None)
    return [
        (
            player,
            [
                (serie, *places.get((key, serie.pk), nowhere), points[key].get(serie.number))
                for serie in serien
            ],
        )
        for key, player in ((player.pk, player) for player in registrations)
    ]
