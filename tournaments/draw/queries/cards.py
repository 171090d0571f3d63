"""The Startkarten for pages: player, seat and result of each Serie."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.models import Registration, Seat, Serie, Tournament
from tournaments.results.queries import results


@dataclass(frozen=True, slots=True, kw_only=True)
class SerieCell:
    """One Serie on a card; values not known yet are written there by hand."""

    serie: Serie
    table: int | None
    seat: int | None
    points: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One Startkarte."""

    registration: Registration
    cells: tuple[SerieCell, ...]


def numbered(tournament: Tournament) -> list[Registration]:
    """Return the registrations that have a card, by start number; one query."""
    found = tournament.registrations.filter(number__isnull=False, status=Registration.Status.PAID)
    return list(found.select_related("person", "club").order_by("number"))


def cards(tournament: Tournament, registrations: Sequence[Registration]) -> list[Card]:
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
    return [
        Card(
            registration=one,
            cells=tuple(
                _cell(serie, places.get((one.pk, serie.pk)), points[one.pk]) for serie in serien
            ),
        )
        for one in registrations
    ]


def _cell(serie: Serie, place: tuple[int, int] | None, points: dict[int, int]) -> SerieCell:
    table, seat = place or (None, None)
    return SerieCell(serie=serie, table=table, seat=seat, points=points.get(serie.number))
