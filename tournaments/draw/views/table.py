"""Drawn Startkarten, entered at the table on any phone without an account.

The code on the table opens its places in the draft. After the publication the same code
redirects to the table's list.
"""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from tournaments.common.access_keys import draw_table_token, table_path
from tournaments.common.actors import Actor
from tournaments.common.digits import number_in
from tournaments.common.errors import Conflict, TournamentError
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.draw.services import cards
from tournaments.draw.views.page import page, required_draft
from tournaments.machine.addresses import absolute
from tournaments.machine.qr_codes import ANY_MASK, in_page
from tournaments.models import Draw, Registration, Table, Tournament
from tournaments.people.queries.naming import hall_readers
from tournaments.web.access import StaffRequest, public, roles_required
from tournaments.web.acting import CONFLICT, refused_on
from tournaments.web.frame import public_frame

PAGE = "tournaments/draw/at_table.html"


@public
def at_table(request: HttpRequest, draw_id: int, table: int, token: str) -> HttpResponse:
    """Show the places of a table, and store the start numbers entered for them."""
    draw = _find(draw_id, table, token)
    if draw.status == Draw.Status.PUBLISHED:
        seated = Table.objects.filter(serie=draw.serie, number=table).select_related("access")
        return redirect(table_path(get_object_or_404(seated).access))
    typed = {seat: request.POST.get(f"platz{seat}", "").strip() for seat in _seats(draw, table)}
    shown: dict[int, str] = {}
    error = ""
    if request.method == "POST":
        try:
            cards.enter_at_table(
                Actor.at_table(table, draw.serie.number),
                draw.pk,
                table=table,
                numbers=_numbers(typed),
                seen=_shown_numbers(request, draw, table),
            )
        except Conflict as conflict:
            error, typed = str(conflict), {}
            draw.refresh_from_db(fields=["seats"])
        except TournamentError as refusal:
            error = str(refusal)
            shown = {seat: request.POST.get(f"vorher{seat}", "") for seat in typed}
        else:
            return redirect(request.path)
    context = {
        **public_frame(request),
        "tournament": draw.serie.tournament,
        "draw": draw,
        "table": table,
        "places": _places(draw, table, typed if error else {}, shown),
        "error": error,
        "is_over": draw.status != Draw.Status.DRAFT,
    }
    return render(request, PAGE, context, status=CONFLICT if error else 200)


def _find(draw_id: int, table: int, token: str) -> Draw:
    if not constant_time_compare(token, draw_table_token(draw_id, table)):
        raise Http404
    return get_object_or_404(
        Draw.objects.select_related("serie__tournament"), pk=draw_id, method="cards"
    )


def _seats(draw: Draw, table: int) -> range:
    return range(1, len(draw.seats[table - 1]) + 1) if table <= len(draw.seats) else range(0)


def _numbers(typed: dict[int, str]) -> dict[int, int]:
    numbers = {seat: number_in(text) for seat, text in typed.items() if text}
    wrong = [typed[seat] for seat, number in numbers.items() if number is None]
    if wrong:
        raise TournamentError(
            _("„{text}“ ist keine Startnummer. Sie steht groß auf der Startkarte.").format(
                text=wrong[0][:20]
            )
        )
    return {seat: number for seat, number in numbers.items() if number is not None}


def _shown_numbers(request: HttpRequest, draw: Draw, table: int) -> dict[int, int] | None:
    """Return the start numbers that the page showed, or None if they were not sent."""
    shown = {seat: request.POST.get(f"vorher{seat}") for seat in _seats(draw, table)}
    if None in shown.values():
        return None
    return _numbers({seat: text or "" for seat, text in shown.items()})


def _places(
    draw: Draw, table: int, typed: dict[int, str], shown: dict[int, str]
) -> list[dict[str, Any]]:
    row = draw.seats[table - 1] if table <= len(draw.seats) else []
    readers = hall_readers(draw.serie.tournament)
    players = Registration.objects.select_related("person").in_bulk([key for key in row if key])
    return [
        {
            "seat": seat,
            "name": readers.name(players[key]) if key else "",
            # A corrected form keeps the start numbers that the page showed first.
            "before": shown.get(seat, players[key].number if key else ""),
            "value": typed.get(seat, players[key].number if key else ""),
        }
        for seat, key in enumerate(row, start=1)
    ]


@roles_required(MAY_TAKE_MONEY)
@refused_on(page)
def codes(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show the code of every table, to be printed before the players draw cards."""
    draft = required_draft(tournament, number)
    context = {
        "serie": draft.serie,
        "tables": [
            {"number": table, "code": _code(request, draft, table)}
            for table in range(1, len(draft.seats) + 1)
        ],
    }
    return render(request, "tournaments/draw/table_codes.html", context)


def _code(request: StaffRequest, draft: Draw, table: int) -> SafeString:
    path = reverse("seating:at_table", args=[draft.pk, table, draw_table_token(draft.pk, table)])
    return in_page(absolute(request, path), mask=ANY_MASK)
