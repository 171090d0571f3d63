"""Seats by table and by name, for staff, public and beamer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from tournaments.common import names
from tournaments.common.club_names import club_key
from tournaments.common.digits import number_in
from tournaments.draw.queries.redraw import SerieDraws
from tournaments.lists.queries.seat_history import Sitters, earlier_sitters, is_substituted
from tournaments.models import Draw, Registration, Seat, Serie, Tournament
from tournaments.people.queries.naming import STAFF, Readers, distinguish_names

# Club mates at one table have the same suit; at most four clubs can have two players there.
SUITS = "♣♦♥♠"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One seat; ``registration`` is None where a drawn card is still missing."""

    number: int
    registration: Registration | None
    name: str  # as *readers* may read it
    list_name: str  # the same, last name first
    short_name: str  # the same: surname and initial
    club: str
    club_mark: int  # number shared by club mates at this table, or 0
    note: str = ""  # of a substitute who took over later

    @property
    def suit(self) -> str:
        """The symbol of the club mark, so that colours are not needed."""
        return SUITS[self.club_mark - 1] if self.club_mark else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedTable:
    """One table with its places, clockwise."""

    number: int
    places: tuple[Place, ...]


def seated_tables(serie: Serie, readers: Readers = STAFF) -> list[SeatedTable]:
    """Return the published tables of a Serie as *readers* may read them.

    One query, and more only after a substitution. A player who may not be named has initials,
    no club name and no club mark.
    """
    seats = (
        Seat.objects.filter(serie=serie)
        .select_related("table", "registration__person", "registration__club")
        .annotate(is_substituted=is_substituted("registration"))
        .order_by("table__number", "number")
    )
    rows: dict[int, list[Registration | None]] = {}
    is_any_substituted = False
    for seat in seats:
        rows.setdefault(seat.table.number, []).append(seat.registration)
        is_any_substituted = is_any_substituted or seat.is_substituted
    sitters = earlier_sitters(serie.tournament) if is_any_substituted else {}
    return _with_distinct_names(
        [_table(number, row, readers, sitters.get(serie.number)) for number, row in rows.items()]
    )


def latest_serie(tournament: Tournament) -> int:
    """Return the number of the Serie whose seats were published last, or else 1."""
    seated = tournament.serien.filter(seats__isnull=False).order_by("-number")
    return seated.values_list("number", flat=True).first() or 1


def drafted_tables(draw: Draw, tournament: Tournament) -> list[SeatedTable]:
    """Return the tables of a draft, gaps included; one query."""
    registrations = tournament.registrations.select_related("person", "club").in_bulk()
    return _with_distinct_names(
        [
            _table(number, [None if key is None else registrations[key] for key in row], STAFF)
            for number, row in enumerate(draw.seats, start=1)
        ]
    )


def _with_distinct_names(tables: list[SeatedTable]) -> list[SeatedTable]:
    """Return the tables with the start number added to short names that are not unique."""
    seated = [
        (place.short_name, place.registration)
        for table in tables
        for place in table.places
        if place.registration is not None
    ]
    names = iter(distinguish_names(seated))
    return [
        replace(
            table,
            places=tuple(
                place if place.registration is None else replace(place, short_name=next(names))
                for place in table.places
            ),
        )
        for table in tables
    ]


def tables_by_number(tables: Iterable[SeatedTable]) -> dict[int, SeatedTable]:
    """Return tables by their numbers."""
    return {table.number: table for table in tables}


def _table(
    number: int,
    row: Sequence[Registration | None],
    readers: Readers,
    sitters: Sitters | None = None,
) -> SeatedTable:
    sitters = sitters or {}
    row = [sitters[seat.pk].seated(seat) if seat and seat.pk in sitters else seat for seat in row]
    club_of = [
        club_key(seat.club.name) or None if seat and seat.club and readers.names(seat) else None
        for seat in row
    ]
    counts = Counter(club for club in club_of if club is not None)
    shared = [club for club, members in counts.items() if members > 1]
    marks = {club: mark for mark, club in enumerate(shared, start=1)}
    return SeatedTable(
        number=number,
        places=tuple(
            Place(
                number=place,
                registration=player,
                name="" if player is None else readers.name(player),
                list_name="" if player is None else readers.list_name(player),
                short_name="" if player is None else readers.short(player),
                club=str(player.club) if player and player.club and club is not None else "",
                club_mark=0 if club is None else marks.get(club, 0),
                note=sitters[player.pk].note(player, readers.name)
                if player and player.pk in sitters
                else "",
            )
            for place, (player, club) in enumerate(zip(row, club_of, strict=True), start=1)
        ),
    )


class NamedPlace(NamedTuple):
    """One line of the plan by name."""

    name: str  # last name first, as its readers may read it
    registration: Registration
    table: int
    place: int
    note: str = ""  # of a substitute who took over later

    @property
    def letters(self) -> str:
        """The first letters of the name, for the range of names in the head of a page."""
        return self.name.partition(",")[0][:3].rstrip(". ")


def by_name(tables: Sequence[SeatedTable], readers: Readers = STAFF) -> list[NamedPlace]:
    """Return all seated players with table and seat, as *readers* may read their names.

    The order follows the names as shown, so that it reveals nothing else.
    """
    named = [
        NamedPlace(place.list_name, registration, table.number, place.number, place.note)
        for table in tables
        for place in table.places
        if (registration := place.registration) is not None
    ]
    return sorted(
        named,
        key=lambda place: (readers.sort_key(place.registration), place.registration.number or 0),
    )


def count_unnamed(tables: Sequence[SeatedTable], readers: Readers) -> int:
    """Return the number of seated players whose names *readers* may not read."""
    seated = [place.registration for table in tables for place in table.places]
    return sum(player is not None and not readers.names(player) for player in seated)


def places_of(named: Sequence[NamedPlace], typed: str, readers: Readers) -> list[NamedPlace]:
    """Return the players that match a typed start number or the beginning of a name.

    Only players named to *readers* are found by name; *named* is the result of ``by_name``.
    """
    number = number_in(typed)
    if number is not None:
        return [place for place in named if place.registration.number == number]
    words = names.sort_key(typed).split()
    return [
        place
        for place in named
        if words
        and readers.names(place.registration)
        and all(f" {word}" in names.search_key(place.name) for word in words)
    ]


def overview(tournament: Tournament) -> list[tuple[Serie, str]]:
    """Return the Serien, each "published", with a "draft", or "open"; three queries."""
    drafts = Draw.objects.filter(serie__tournament=tournament, status=Draw.Status.DRAFT)
    seated = Seat.objects.filter(serie__tournament=tournament)
    states = {
        **dict.fromkeys(drafts.values_list("serie", flat=True), "draft"),
        **dict.fromkeys(seated.values_list("serie", flat=True), "published"),
    }
    return [(serie, states.get(serie.pk, "open")) for serie in tournament.serien.all()]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawProof:
    """The public facts for checking an electronic draw."""

    method: str
    seed_hash: str
    seed: str  # "" before the seats are known
    is_planned_before: bool  # whether the seats come from the plan of an earlier Serie
    is_repeatable: bool  # whether ``plan_seating`` computes the same seats from the file
    is_private: bool  # whether the file contains separations


def current_proof(drawn: SerieDraws) -> DrawProof | None:
    """Return the proof of the published draw, or else of the draft; none of drawn cards."""
    draw = drawn.published or drawn.draft
    return None if draw is None or draw.method == Serie.Seating.CARDS else proof_of(draw)


def proof_of(draw: Draw) -> DrawProof:
    """Return the public facts of a draw."""
    is_public = draw.status == Draw.Status.PUBLISHED
    is_planned_before = "planned_with" in draw.task
    return DrawProof(
        method=draw.method,
        seed_hash=draw.seed_hash,
        seed=draw.seed if is_public else "",
        is_planned_before=is_planned_before,
        is_repeatable=is_public
        and not is_planned_before
        and draw.method in (Serie.Seating.ELECTRONIC, Serie.Seating.PLANNED),
        is_private=bool(draw.task.get("apart")),
    )
