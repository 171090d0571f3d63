"""Documents of the seating: plans to hang up, and a card for each table."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Prefetch
from django.utils.translation import gettext as _

from tournaments.common.access_keys import table_code, table_path
from tournaments.common.errors import TournamentError
from tournaments.draw.queries import plan_sizes
from tournaments.draw.queries import seating as queries
from tournaments.draw.queries.floor import floor_plan
from tournaments.draw.queries.redraw import draws_of
from tournaments.draw.queries.seating import SeatedTable
from tournaments.machine.qr_codes import on_paper
from tournaments.models import Seat, Serie, Table, TableAccess
from tournaments.people.queries.naming import hall_readers
from tournaments.printing.announcement import wlan_qr
from tournaments.printing.base import Printable, PrintRequest

FLOOR_ROW = 10  # mm, of the drawing of the hall


def _seated(request: PrintRequest) -> tuple[Serie, list[SeatedTable]]:
    """Return the Serie and its tables, with names as allowed in the hall.

    Raises:
        TournamentError: if its seats are not known yet.
    """
    serie = request.found_serie()
    tables = queries.seated_tables(serie, hall_readers(request.tournament))
    if not tables:
        raise _not_seated(serie)
    return serie, tables


def _not_seated(serie: Serie) -> TournamentError:
    return TournamentError(
        _(
            "Die Sitzordnung der {serie} ist noch nicht bekannt gegeben."
            " Sie entsteht bei der Auslosung."
        ).format(serie=serie)
    )


def replaced_at(serie: Serie) -> datetime | None:
    """Return when the replaced seats were published; None if the seats replace none."""
    replaced = draws_of(serie, is_seated=True).replaced
    return replaced.published_at if replaced else None


def by_table(request: PrintRequest) -> Printable:
    """Return the seating plan by table."""
    serie, tables = _seated(request)
    return Printable(
        title=_("Sitzplan {serie} nach Tischen").format(serie=serie),
        context={
            "tables": tables,
            "replaces": replaced_at(serie),
            "size": plan_sizes.of_tables(tables),
        },
    )


def by_name(request: PrintRequest) -> Printable:
    """Return the seating plan by name; persons not named in the hall are sorted by initials."""
    serie, tables = _seated(request)
    rows = queries.by_name(tables, hall_readers(request.tournament))
    floor = floor_plan(request.tournament, queries.tables_by_number(tables))
    return Printable(
        title=_("Sitzplan {serie} nach Namen").format(serie=serie),
        context={
            "rows": rows,
            "hall": floor,
            "size": plan_sizes.of_names(
                rows, FLOOR_ROW * (len(floor.rows) + 2) if floor.is_placed else 0
            ),
            "replaces": replaced_at(serie),
        },
    )


def table_cards(request: PrintRequest) -> Printable:
    """Return a card for each table, to fold as a tent, with the QR code of its list."""
    serie = request.found_serie()
    accesses = accesses_of(serie)
    return Printable(
        title=_("Tischkarten {serie}").format(serie=serie),
        context={
            "serie": serie,
            "replaces": replaced_at(serie),
            "wlan_qr": wlan_qr(request.tournament),
        },
        sheets=[
            {"table": table, "qr": table_qr(access, request.base_url), "code": code_of(access)}
            for table in tables_of(serie, request.table)
            for access in [accesses.get(table.pk)]
        ],
    )


def tables_of(serie: Serie, number: int | None) -> Sequence[Table]:
    """Return the tables of a Serie, or the one with *number*, with their seats.

    Raises:
        TournamentError: if the seats are not known yet, or there is no such table.
    """
    # Persons are joined with the seats, because SQLite limits the keys in one query.
    seats = Seat.objects.select_related("registration__person", "registration__club")
    tables = list(
        Table.objects.filter(serie=serie)
        .order_by("number")
        .select_related("serie", "spielliste")
        .prefetch_related(Prefetch("seats", seats))
    )
    if not tables:
        raise _not_seated(serie)
    if number is None:
        return tables
    if matches := [table for table in tables if table.number == number]:
        return matches
    raise TournamentError(
        _("In {serie} gibt es keinen Tisch {number}; der letzte ist Tisch {last}.").format(
            serie=serie, number=number, last=tables[-1].number
        )
    )


def accesses_of(serie: Serie) -> dict[int, TableAccess]:
    """Return the valid codes of the tables of a Serie, by key of the table."""
    accesses = TableAccess.objects.filter(table__serie=serie, withdrawn_at__isnull=True)
    return {access.table_id: access for access in accesses}


def table_qr(access: TableAccess | None, base_url: str) -> str:
    """Return the QR code of a table's list; "" if there is no valid code."""
    return on_paper(f"{base_url}{table_path(access)}") if access and base_url else ""


def code_of(access: TableAccess | None) -> str:
    """Return the short code to type instead of scanning the QR code."""
    return table_code(access) if access else ""
