"""The page for handing in: table number, Enter, and Enter again to take everything."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.common.digits import number_in, signed_number_in
from tournaments.common.errors import NotAllowed, TournamentError
from tournaments.common.roles import MAY_SEE, MAY_TAKE_MONEY
from tournaments.common.rules import bussgeld_tariff
from tournaments.hall.queries import handing_in as rows_queries
from tournaments.hall.queries.room import missing_in_words
from tournaments.hall.services import handing_in
from tournaments.hall.services.handing_in import HandInItem
from tournaments.hall.views.control import is_current_minute, stamp, to_current
from tournaments.models import Serie, Spielliste, Tournament
from tournaments.web.access import StaffRequest, own, own_list, roles_required
from tournaments.web.acting import redirect_done
from tournaments.web.cached_answers import cached_answer
from tournaments.web.polling import polled

TEMPLATE = "tournaments/hall/hand_in.html"


def _context(
    request: StaffRequest, serie: Serie, number: int | None, **more: Any
) -> dict[str, Any]:
    now = timezone.now()
    rows = rows_queries.rows(serie)
    chosen = next((row for row in rows if row.number == number), None)
    may_take = bool(request.roles & MAY_TAKE_MONEY)
    return {
        "serie": serie,
        "chosen": chosen,
        "waiting": [
            (row, missing_in_words(row)) for row in rows if row.is_begun and not row.is_done
        ],
        "playing": [row for row in rows if not row.is_begun and not row.is_done],
        "done": [row for row in rows if row.is_done],
        "now": now,
        "stamp": stamp(serie.tournament, now),
        "is_leading": request.is_leading,
        "may_take": may_take,
        "late_cents": bussgeld_tariff(serie.tournament).late_cents,
        # The focus is on the button for everything if possible, else on the search.
        "focus_search": not (chosen and chosen.can_take_all and may_take) or "error" in more,
        **more,
    }


def _page(
    request: StaffRequest, serie: Serie, wanted: int | None, *, status: int = 200, **more: Any
) -> HttpResponse:
    return render(request, TEMPLATE, _context(request, serie, wanted, **more), status=status)


@require_safe
@roles_required(MAY_SEE)
def current(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Redirect to the current Serie."""
    return to_current(request, tournament, "hall:hand_in")


@require_safe
@roles_required(MAY_SEE)
def page(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show the missing items of all tables, and the table whose number was typed."""
    serie = own(tournament, Serie, number=number)
    typed = request.GET.get("tisch", "").strip()
    table = number_in(typed)
    context = _context(request, serie, table, typed=typed)
    if typed and context["chosen"] is None:
        context["focus_search"] = True
        context["error"] = _("Tisch „{typed}“ gibt es in {serie} nicht.").format(
            typed=typed[:20], serie=serie
        )
    return render(request, TEMPLATE, context)


@polled(is_current_minute)
@require_safe
@roles_required(MAY_SEE)
def since(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Return the lists of tables if something has changed or a minute has passed."""
    serie = own(tournament, Serie, number=number)

    def lists() -> HttpResponse:
        return render(request, f"{TEMPLATE}#lists", _context(request, serie, None))

    key = ("handing in", serie.pk, request.roles)
    return cached_answer(request, key, stamp(tournament, timezone.now()), lists)


@require_POST
@roles_required(MAY_TAKE_MONEY)
def act(request: StaffRequest, tournament: Tournament, number: int, table: int) -> HttpResponse:
    """Carry out the act that the field ``act`` names."""
    spielliste = own_list(tournament, number, table)
    serie = spielliste.table.serie
    try:
        _acts(request, spielliste)()
    except NotAllowed as refusal:
        return _page(request, serie, table, status=HTTPStatus.FORBIDDEN, error=str(refusal))
    except TournamentError as refusal:
        tournament.refresh_from_db(fields=["revision"])
        return _page(request, serie, table, status=HTTPStatus.CONFLICT, error=str(refusal))
    (row,) = rows_queries.rows(serie, table=table)
    url = reverse("hall:hand_in", args=[tournament.slug, number])
    if row.is_done:
        return redirect_done(
            request, _("{table} hat alles abgegeben.").format(table=spielliste.table), url
        )
    return redirect(f"{url}?tisch={table}")


def _acts(request: StaffRequest, spielliste: Spielliste) -> Callable[[], object]:
    """Return the named act as a callable.

    Raises:
        NotAllowed: if only the Spielleitung may do it.
        TournamentError: if there is no such act.
    """
    actor = request.actor
    sent = request.POST
    pk = spielliste.pk
    cents = _cents(sent.get("cents"))
    person = number_in(sent.get("person")) or 0
    name = sent.get("act", "")

    def tick(thing: HandInItem, received: bool) -> object:
        return handing_in.tick(actor, pk, thing=thing, received=received)

    acts: dict[str, Callable[[], object]] = {
        "all": lambda: handing_in.take_all(
            actor, pk, expected_cents=cents, signatures=request.is_leading
        ),
        "list": lambda: tick(HandInItem.LIST, True),
        "list_back": lambda: tick(HandInItem.LIST, False),
        "cards": lambda: tick(HandInItem.CARDS, True),
        "cards_back": lambda: tick(HandInItem.CARDS, False),
        "pay": lambda: handing_in.pay(
            actor, pk, expected_cents=cents, registrations=[person] if person else None
        ),
    }
    leading: dict[str, Callable[[], object]] = {
        "late": lambda: handing_in.mark_late(actor, pk, late=True),
        "late_back": lambda: handing_in.mark_late(actor, pk, late=False),
        "signatures": lambda: handing_in.confirm_signatures(actor, pk),
        "waive": lambda: handing_in.waive(
            actor, pk, registration_id=person, reason=sent.get("reason", "")[:200]
        ),
        "waive_back": lambda: handing_in.take_back_waiver(actor, pk, registration_id=person),
    }
    if name in leading:
        if not request.is_leading:
            raise NotAllowed(_("Das entscheidet die Spielleitung."))
        return leading[name]
    if name not in acts:
        raise TournamentError(_("Bitte sagen, was abgegeben wurde."))
    return acts[name]


def _cents(text: str | None) -> int:
    """Return the sum that the page showed, in cents; -1 for an invalid sum, which matches none."""
    cents = signed_number_in(text)
    return -1 if cents is None else cents
