"""The Spiellisten on paper: blank, with names, and with their games."""

from __future__ import annotations

from dataclasses import replace

from django.utils import formats, timezone
from django.utils.translation import gettext as _

from scoring.ruleset import RuleSet
from tournaments.common.errors import TournamentError
from tournaments.common.formats import clock, short_date, table_word
from tournaments.common.rules import bussgeld_tariff, rule_set_of
from tournaments.lists.queries.seat_history import Sitter, earlier_sitters
from tournaments.models import Registration, Serie, Table, Tournament
from tournaments.people.queries.naming import STAFF, Readers
from tournaments.printing.base import MOST_COPIES, Printable, PrintRequest
from tournaments.printing.seating import accesses_of, code_of, replaced_at, table_qr, tables_of
from tournaments.printing.sheet_pages import SheetHead, SheetSeat
from tournaments.printing.sheets import PrintedSheet, sheets, size_details

TEMPLATE = "print/spielliste.html"


def blank(request: PrintRequest) -> Printable:
    """Return lists without names, as a supply for tables that were not planned."""
    tournament = request.tournament
    rules = rule_set_of(tournament)
    size = request.size or rules.table_sizes[0]
    if size not in rules.table_sizes:
        raise TournamentError(
            _("Das Regelwerk „{name}“ kennt keine Tische zu {size}.").format(
                name=rules.name, size=size
            )
        )
    seats = [
        SheetSeat(number=number, sign_here=_("Platz {seat}").format(seat=number))
        for number in range(1, size + 1)
    ]
    head = SheetHead(
        heading=_("Spielliste · Serie ____ · Tisch ____"),
        where=_where(tournament),
        details=size_details(rules, size),
        by_lot=tournament.ties_by_lot,
    )
    return Printable(
        title=_("Spielliste ohne Namen, {table}").format(table=table_word(size)),
        sheets=sheets(rules, head, seats, has_bussgeld=has_bussgeld(tournament)),
        copies=min(max(1, request.copies or 1), MOST_COPIES),
        template=TEMPLATE,
    )


def prefilled(request: PrintRequest) -> Printable:
    """Return the lists of a Serie with the names and the table's QR code, to be played on."""
    tournament, serie = request.tournament, request.found_serie()
    rules = rule_set_of(tournament)
    tables = tables_of(serie, request.table)
    accesses = accesses_of(serie)
    takes_bussgeld = has_bussgeld(tournament)
    sitters = earlier_sitters(tournament).get(serie.number, {})
    pages: list[PrintedSheet] = []
    for table in tables:
        keeper = table.spielliste.listenfuehrer if hasattr(table, "spielliste") else 1
        readers = STAFF.among(seat.registration for seat in table.seats.all())
        seats = [
            seat_of(
                seat.number,
                seat.registration,
                readers,
                is_keeper=seat.number == keeper,
                sitter=sitters.get(seat.registration_id),
            )
            for seat in table.seats.all()
        ]
        head = replace(
            head_of(table, tournament, rules, size=len(seats)),
            qr=table_qr(accesses.get(table.pk), request.base_url),
            qr_for=_("Am Handy führen") if table.pk in accesses else "",
            code=code_of(accesses.get(table.pk)),
            note=_replaces_note(serie),
        )
        pages += sheets(rules, head, seats, has_bussgeld=takes_bussgeld)
    return Printable(
        title=_("Spiellisten {serie}").format(serie=serie)
        if request.table is None
        else _("Spielliste {serie}, Tisch {table}").format(serie=serie, table=request.table),
        sheets=pages,
        template=TEMPLATE,
    )


def _replaces_note(serie: Serie) -> str:
    """Return the note that earlier printed lists are void, or ""."""
    at = replaced_at(serie)
    if at is None:
        return ""
    return _("Ersetzt die Liste vom {day}, {time}.").format(day=short_date(at), time=clock(at))


def head_of(table: Table, tournament: Tournament, rules: RuleSet, *, size: int) -> SheetHead:
    """Return the head of a list of a table of *size*. Expects the Serie loaded."""
    return SheetHead(
        heading=_("Spielliste · {serie} · {table}").format(serie=table.serie, table=table),
        where=_where(tournament),
        details=size_details(rules, size),
        by_lot=tournament.ties_by_lot,
    )


def seat_of(
    number: int,
    registration: Registration,
    readers: Readers,
    *,
    is_keeper: bool,
    sitter: Sitter | None = None,
) -> SheetSeat:
    """Return the texts at the head of a seat's column and below its line for the signature."""
    seated = registration if sitter is None else sitter.seated(registration)
    about = [_("Nr. {number}").format(number=registration.number)]
    if seated.club:
        about.append(seated.club.name)
    if sitter is not None:
        about.append(sitter.note(registration, STAFF.name))
    name = readers.of(seated)  # without a number beside the line for the signature
    return SheetSeat(
        number=number,
        name=seated.person.full_name,
        about=" · ".join(about),
        sign_here=_("{name} (Listenführung)").format(name=name) if is_keeper else name,
    )


def _where(tournament: Tournament) -> str:
    """Return name, venue and date of the tournament."""
    day = formats.date_format(timezone.localtime(tournament.starts_at), "DATE_FORMAT")
    return f"{tournament.name} · {', '.join(filter(None, [tournament.venue, day]))}"


def has_bussgeld(tournament: Tournament) -> bool:
    """Whether the lists have a line for the Bußgeld."""
    return bussgeld_tariff(tournament).kind != "none"
