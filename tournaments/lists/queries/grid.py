"""The grid of a Spielliste on pages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from scoring.list_rows import PlayedRow
from tournaments.lists.queries.foot import FootLine
from tournaments.lists.queries.seat_history import Sitter
from tournaments.lists.queries.seat_moves import SeatMoves
from tournaments.models import Registration


@dataclass(frozen=True, slots=True, kw_only=True)
class GridColumn:
    """The player at a seat."""

    seat: int
    name: str
    number: int | None = None  # start number
    club: str = ""
    is_own: bool = False  # of the person for whom the list is shown
    note: str = ""  # of a substitute who took over later

    @classmethod
    def of(
        cls,
        seat: int,
        registration: Registration | None,
        *,
        is_own: bool = False,
        sitter: Sitter | None = None,
    ) -> GridColumn:
        """Return the column of a registration; if it is None, with the seat number as its name."""
        if registration is None:
            return cls(seat=seat, name=_("Platz {seat}").format(seat=seat), is_own=is_own)
        seated = registration if sitter is None else sitter.seated(registration)
        return cls(
            seat=seat,
            name=seated.person.full_name,
            number=seated.number,
            club=str(seated.club or ""),
            is_own=is_own,
            note="" if sitter is None else sitter.note(registration, _full_name),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class GridRow:
    """One game of the list."""

    played: PlayedRow
    changed: frozenset[int] = frozenset()  # seats whose cells have changed

    @property
    def tone(self) -> str:
        """The CSS class that marks the row; words on the page say the same."""
        return ""

    @property
    def is_noted(self) -> bool:
        """Whether there are notes about the game."""
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """The whole list; the lines below the games are optional."""

    columns: tuple[GridColumn, ...]
    rows: tuple[GridRow, ...]
    foot: tuple[FootLine, ...] = ()
    results: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    moves: SeatMoves = field(default_factory=SeatMoves)
    most_first: bool = False  # it shows Augen and Wertpunkte


def plain_rows(
    rows: Iterable[PlayedRow], changed: Iterable[tuple[int, int]] = ()
) -> tuple[GridRow, ...]:
    """Return the rows of a grid; *changed* has cells to be marked, as game and seat."""
    cells = set(changed)
    return tuple(
        GridRow(
            played=row,
            changed=frozenset(seat for game, seat in cells if game == row.number),
        )
        for row in rows
    )


def _full_name(registration: Registration) -> str:
    return registration.person.full_name
