"""One table of the control room: its list, codes and devices."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.ruleset import RuleSet
from tournaments.common.access_keys import table_code, table_path
from tournaments.common.digits import number_in
from tournaments.common.formats import NOTHING, points
from tournaments.common.roles import MAY_CHECK, MAY_LEAD
from tournaments.common.rules import rule_set_of
from tournaments.hall.forms.control import NoteForm
from tournaments.hall.queries import control as queries
from tournaments.hall.views.control import is_current_minute, stamp
from tournaments.lists.queries.grid import Grid, GridColumn, plain_rows
from tournaments.lists.queries.seat_history import earlier_sitters
from tournaments.lists.services import bought_cards, spiellisten
from tournaments.machine.addresses import site_address
from tournaments.machine.qr_codes import in_page
from tournaments.models import Serie, Spielliste, TableAccess, Tournament
from tournaments.rulebook.queries import rule_set_text
from tournaments.table.queries.state import TableState, state
from tournaments.table.services import devices as table_devices
from tournaments.table.views.no_script import bought_rows, list_rows
from tournaments.web.access import StaffRequest, or_404, own, own_list, roles_required
from tournaments.web.acting import act, form_data
from tournaments.web.cached_answers import cached
from tournaments.web.fields import OptionalReasonForm
from tournaments.web.polling import polled

TEMPLATE = "tournaments/hall/table.html"
CARDS_PER_PAGE = 24
AT_TABLE = ("number", "table")  # URL parameters
QUICK_MINUTES = (5, 10, 15)


def _table_parts(spielliste: Spielliste, now: datetime) -> dict[str, Any]:
    """Return the part of the context that all accounts share."""
    serie = spielliste.table.serie
    card = or_404(queries.card(serie, spielliste.table.number, now))
    sheet = state(spielliste.table_id, now=now)
    rule_set = rule_set_of(serie.tournament)
    return {
        "card": card,
        "busy": bool(card.call or card.cases),
        "spielliste": card.spielliste,
        "sheet": sheet,
        "grid": _grid(sheet, spielliste, rule_set),
        "bought": bought_rows(rule_set, sheet, QueryDict()),
        "buying": rule_set_text.buying(rule_set),
    }


def _context(
    request: StaffRequest, spielliste: Spielliste, parts: dict[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    now = timezone.now()
    serie = spielliste.table.serie
    parts = parts or _table_parts(spielliste, now)
    card = parts["card"]
    return {
        **parts,
        "serie": serie,
        "waits_for_device": request.is_leading
        and card.is_playing
        and not (card.spielliste.on_paper or card.devices),
        "quick_minutes": QUICK_MINUTES,
        "now": now,
        "stamp": stamp(serie.tournament, now),
        "is_leading": request.is_leading,
        "note_form": NoteForm(auto_id="note_%s"),
        **more,
    }


def _grid(sheet: TableState, spielliste: Spielliste, rule_set: RuleSet) -> Grid | None:
    """Return the grid of the list; None before its first game."""
    if not sheet.games:
        return None
    totals = [total if total.place else None for total in sheet.totals]
    return Grid(
        columns=tuple(_columns(sheet, spielliste)),
        rows=plain_rows(list_rows(sheet, rule_set, spielliste.bonus_size)),
        results=tuple(points(total.total if total else None) for total in totals),
        places=tuple(f"{total.place}." if total else NOTHING for total in totals),
        moves=sheet.moves,
        most_first=rule_set.order.most_first,
    )


def _columns(sheet: TableState, spielliste: Spielliste) -> Iterator[GridColumn]:
    serie = spielliste.table.serie
    is_open = spielliste.status == Spielliste.Status.OPEN
    sitters = None if is_open else earlier_sitters(serie.tournament).get(serie.number)
    if sitters:
        seats = spielliste.table.seats.select_related("registration__person", "registration__club")
        for seat in seats:
            sitter = sitters.get(seat.registration_id)
            yield GridColumn.of(seat.number, seat.registration, sitter=sitter)
    else:
        for player in sheet.players:
            yield GridColumn(
                seat=player.seat, name=player.name, number=player.number, club=player.club
            )


def _page(
    request: StaffRequest,
    tournament: Tournament,
    number: int,
    table: int,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    template = f"{TEMPLATE}#work" if request.htmx else TEMPLATE
    spielliste = own_list(tournament, number, table)
    return render(request, template, _context(request, spielliste, **more), status=status)


@require_safe
@roles_required(MAY_CHECK)
def table(request: StaffRequest, tournament: Tournament, number: int, table: int) -> HttpResponse:
    """Show one table: its list and the possible acts."""
    spielliste = own_list(tournament, number, table)
    return render(request, TEMPLATE, _context(request, spielliste))


@polled(is_current_minute)
@require_safe
@roles_required(MAY_CHECK)
def since(request: StaffRequest, tournament: Tournament, number: int, table: int) -> HttpResponse:
    """Return the table if something has changed or a minute has passed."""
    spielliste, now = own_list(tournament, number, table), timezone.now()
    version = stamp(tournament, now)
    parts = cached(("control", spielliste.pk), version, lambda: _table_parts(spielliste, now))
    context = {**_context(request, spielliste, parts), "stamp": version}
    return render(request, f"{TEMPLATE}#work", context)


@act(MAY_LEAD, _page, to="hall:table", keys=AT_TABLE, of=own_list)
def allow_take_over(request: StaffRequest, spielliste: Spielliste) -> str:
    """Let another device keep the list."""
    table_devices.allow_take_over(request.actor, spielliste.table_id)
    return _("Das nächste Gerät, das an {table} „Liste führen“ wählt, führt sie.").format(
        table=spielliste.table
    )


@act(MAY_CHECK, _page, to="hall:table", keys=AT_TABLE, of=own_list)
def on_paper(request: StaffRequest, spielliste: Spielliste) -> str:
    """Continue the list on paper, or back on a device."""
    to_paper = request.POST.get("on_paper") == "1"
    spiellisten.keep_on_paper(request.actor, spielliste.pk, on_paper=to_paper)
    sentence = (
        _("{table} wird auf Papier weitergeführt.")
        if to_paper
        else _("{table} wird auf dem Gerät weitergeführt.")
    )
    return sentence.format(table=spielliste.table)


@act(MAY_LEAD, _page, to="hall:table", keys=AT_TABLE, of=own_list)
def note_bought(request: StaffRequest, spielliste: Spielliste) -> str:
    """Store the cards that were bought at a table, from its paper list."""
    texts = [
        request.POST.get(f"bought_{seat}", "").strip() or "0"
        for seat in range(1, spielliste.table.seats.count() + 1)
    ]
    cards = [number_in(text) for text in texts]
    bought_cards.copy_bought(
        request.actor,
        spielliste.pk,
        # -1 is refused with its place.
        bought=[-1 if number is None else number for number in cards],
        seen=[number_in(text) or 0 for text in request.POST.get("seen", "").split()],
    )
    return _("Die gekauften Karten von {table} sind gespeichert.").format(table=spielliste.table)


# --- Codes ----------------------------------------------------------------------------------


def _code(request: StaffRequest, tournament: Tournament, access: TableAccess) -> dict[str, Any]:
    address = f"{site_address(request)}{table_path(access)}"
    in_hall = (
        settings.IS_IN_THE_HALL
    )  # a short address to type; on a server it names the tournament
    code_path = (
        reverse("table:code") if in_hall else reverse("table:code_of", args=[tournament.slug])
    )
    return {
        "access": access,
        "number": access.table.number,
        "code": table_code(access),
        "address": address,
        "code_address": f"{site_address(request)}{code_path}",
        "qr": in_page(address),
    }


def _access_of(serie: Serie, **table: int) -> list[TableAccess]:
    rows = TableAccess.objects.filter(table__serie=serie, **table).select_related("table")
    return list(rows.order_by("table__number"))


@require_safe
@roles_required(MAY_LEAD)
def access(
    request: StaffRequest,
    tournament: Tournament,
    number: int,
    table: int,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    """Show the code of a table, large enough to scan it from the screen."""
    spielliste = own_list(tournament, number, table)
    serie = spielliste.table.serie
    accesses = _access_of(serie, table=spielliste.table_id)
    if not accesses:
        raise Http404
    context = {
        "serie": serie,
        "form": OptionalReasonForm(),
        **_code(request, serie.tournament, accesses[0]),
        **more,
    }
    return render(request, "tournaments/hall/access.html", context, status=status)


@act(MAY_LEAD, access, to="hall:access", keys=AT_TABLE, of=own_list)
def withdraw_access(request: StaffRequest, spielliste: Spielliste) -> str:
    """Replace the table's codes and show the new ones."""
    reason = form_data(request, OptionalReasonForm(request.POST))["reason"]
    table_devices.withdraw_access(request.actor, spielliste.table_id, reason=reason)
    return _("Die alten Codes von {table} gelten nicht mehr; hier sind die neuen.").format(
        table=spielliste.table
    )


@require_safe
@roles_required(MAY_LEAD)
def cards(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show the codes of the tables by page; a document prints all of them."""
    serie = own(tournament, Serie, number=number)
    page = Paginator(_access_of(serie), CARDS_PER_PAGE).get_page(request.GET.get("page"))
    codes = [_code(request, tournament, access) for access in page.object_list]
    context = {"serie": serie, "page": page, "codes": codes}
    return render(request, "tournaments/hall/cards.html", context)
