"""Who sits where: by table and by name, for staff, public and beamer alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tournaments import names
from tournaments.models import Draw, Person, Registration, Seat, Serie, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One seat; ``registration`` is None where a drawn card is still missing."""

    number: int
    registration: Registration | None
    club_mark: int  # 0, or a number that club mates at this table share


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedTable:
    """One table with its places, clockwise."""

    number: int
    places: tuple[Place, ...]


def seated_tables(serie: Serie) -> list[SeatedTable]:
    """Return the published tables of a Serie; one query."""
    seats = (
        Seat.objects.filter(serie=serie)
        .select_related("table", "registration__person", "registration__club")
        .order_by("table__number", "number")
    )
    rows: dict[int, list[Registration | None]] = {}
    for seat in seats:
        rows.setdefault(seat.table.number, []).append(seat.registration)
    return [_table(number, row) for number, row in rows.items()]


def drafted_tables(draw: Draw, tournament: Tournament) -> list[SeatedTable]:
    """Return the tables of a draft, gaps included; one query."""
    known = tournament.registrations.select_related("person", "club").in_bulk()
    return [
        _table(number, [None if key is None else known[key] for key in row])
        for number, row in enumerate(draw.seats, start=1)
    ]


def _table(number: int, row: Sequence[Registration | None]) -> SeatedTable:
    clubs = Counter(one.club_id for one in row if one is not None and one.club_id is not None)
    shared = [club for club, members in clubs.items() if members > 1]
    marks = {club: mark for mark, club in enumerate(shared, start=1)}
    return SeatedTable(
        number=number,
        places=tuple(
            Place(
                number=place,
                registration=one,
                club_mark=marks.get(one.club_id, 0) if one is not None and one.club_id else 0,
            )
            for place, one in enumerate(row, start=1)
        ),
    )


def by_name(tables: Sequence[SeatedTable]) -> list[tuple[Registration, int, int]]:
    """Return everybody seated with table and place, as a list of names is read."""
    found = [
        (place.registration, table.number, place.number)
        for table in tables
        for place in table.places
        if place.registration is not None
    ]
    return sorted(found, key=lambda row: (row[0].person.sort_key, row[0].number or 0))


@dataclass(frozen=True, slots=True, kw_only=True)
class SerieRow:
    """One Serie in the overview."""

    serie: Serie
    state: str  # "published", "draft" or "open"
    seated: int


def overview(tournament: Tournament) -> list[SerieRow]:
    """Return the Serien and how far their draws are; three queries."""
    drafts = set(
        Draw.objects.filter(serie__tournament=tournament, status=Draw.Status.DRAFT).values_list(
            "serie", flat=True
        )
    )
    seated = Counter(
        Seat.objects.filter(serie__tournament=tournament).values_list("serie", flat=True)
    )
    return [
        SerieRow(
            serie=serie,
            state="published" if seated[serie.pk] else ("draft" if serie.pk in drafts else "open"),
            seated=seated[serie.pk],
        )
        for serie in tournament.serien.all()
    ]


def public_by_name(tables: Sequence[SeatedTable]) -> list[tuple[Registration, int, int]]:
    """Return the list of names for everybody, sorted by what everybody reads in it.

    Who gave no consent stands among the initials: the place in the list of names must
    not tell more than the list itself.
    """
    return sorted(by_name(tables), key=lambda row: (_public_key(row[0].person), row[0].number or 0))


def _public_key(person: Person) -> str:
    if person.publish_consent:
        return person.sort_key
    *first, last = person.public_name.split() or [""]
    return names.sort_key(last, " ".join(first))


def place_of(
    tables: Sequence[SeatedTable], number: int | None
) -> tuple[Registration, int, int] | None:
    """Return where a start number sits, or None; takes what ``seated_tables`` found."""
    return next((row for row in by_name(tables) if row[0].number == number), None)
