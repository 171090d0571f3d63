"""What the own page of a player shows: seats, own lists game by game, what was corrected."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Q

from scoring.played import PlayedRow
from scoring.spielliste import SeatResult
from tournaments.common.rules import rule_set_of
from tournaments.lists.queries import data as list_data
from tournaments.lists.queries.data import ListData
from tournaments.models import Registration, Seat, Serie, Spielliste


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnList:
    """A Serie as this player has it."""

    serie: Serie
    table: int
    seat: int
    players: tuple[Mapping[str, str], ...]  # names by seat, of others only with their consent
    status: str
    status_label: str
    counts: bool
    rows: tuple[PlayedRow, ...]
    result: SeatResult | None  # None before the first game


def own_lists(registration: Registration) -> list[OwnList]:
    """Return the Serien the player has a seat in, the latest first; nine queries."""
    own = Q(registration=registration) | Q(table__spielliste__spans__registration=registration)
    tables = Seat.objects.filter(own, serie__tournament=registration.tournament_id)
    seats = (
        Seat.objects.filter(table__in=tables.values("table"))
        .select_related("table__spielliste", "serie", "registration__person")
        .order_by("-serie__number", "table", "number")
    )
    by_table: dict[int, list[Seat]] = defaultdict(list)
    for seat in seats:
        by_table[seat.table_id].append(seat)
    wanted = [row[0].table.spielliste.pk for row in by_table.values()]
    data = {one.pk: one for one in list_data.load_lists(registration.tournament, only=wanted)}
    return [
        _own_list(registration, row, data[row[0].table.spielliste.pk]) for row in by_table.values()
    ]


def _own_list(registration: Registration, seats: list[Seat], data: ListData) -> OwnList:
    rule_set = rule_set_of(registration.tournament)
    spielliste: Spielliste = seats[0].table.spielliste
    rows = data.rows(rule_set, of=registration.pk)
    own_seats = [seat.number for seat in seats if seat.registration_id == registration.pk]
    return OwnList(
        serie=seats[0].serie,
        table=seats[0].table.number,
        seat=own_seats[0] if own_seats else 0,
        players=tuple({"name": _name(seat, registration)} for seat in seats),
        status=spielliste.status,
        status_label=spielliste.get_status_display(),
        counts=spielliste.counts,
        rows=rows,
        result=data.results(rule_set).get(registration.pk) if rows else None,
    )


def _name(seat: Seat, reader: Registration) -> str:
    """Return a name short enough for a column on a phone."""
    person = seat.registration.person
    if seat.registration_id == reader.pk or person.publish_consent:
        return person.first_name or person.last_name
    return person.public_name
