"""The control room: all tables of a Serie, its time, and the calls for a Schiedsrichter."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from http import HTTPStatus
from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from tournaments.common.access import StaffRequest, roles_required
from tournaments.common.errors import TournamentError
from tournaments.common.roles import MAY_CHECK, MAY_LEAD
from tournaments.control.forms.control import ExtraTimeForm, NoteForm
from tournaments.control.queries import control as queries
from tournaments.control.queries.room import room as look_round
from tournaments.control.services import serie_time
from tournaments.models import Call, Serie, Tournament
from tournaments.table.services import calls

TEMPLATE = "tournaments/control/room.html"


def find_serie(tournament: Tournament, number: int) -> Serie:
    """Return a Serie with its tournament."""
    serie = get_object_or_404(Serie, tournament=tournament, number=number)
    serie.tournament = tournament
    return serie


def stamp(tournament: Tournament, now: datetime) -> str:
    """Return what a page was made from: the revision, and the minute for what time changes."""
    return f"{tournament.revision}-{int(now.timestamp()) // 60}"


def _context(request: StaffRequest, serie: Serie, **more: Any) -> dict[str, Any]:
    now = timezone.now()
    tournament = serie.tournament
    return {
        "serie": serie,
        "serien": tournament.serien.filter(tables__isnull=False).distinct(),
        "room": look_round(serie, now),
        "now": now,
        "stamp": stamp(tournament, now),
        "is_leading": request.is_leading,
        "extra_form": ExtraTimeForm(auto_id="extra_%s"),
        **more,
    }


def _page(request: StaffRequest, serie: Serie, *, status: int = 200, **more: Any) -> HttpResponse:
    template = f"{TEMPLATE}#work" if request.htmx else TEMPLATE
    serie.tournament.refresh_from_db(fields=["revision"])
    serie.refresh_from_db()
    return render(request, template, _context(request, serie, **more), status=status)


@require_safe
@roles_required(MAY_CHECK)
def current(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Lead to the Serie that is being played; before the first one say what is to be done."""
    serie = queries.current_serie(tournament)
    if serie is None:
        return render(request, "tournaments/control/nothing.html", {})
    return redirect("control:room", tournament.slug, serie.number)


@require_safe
@roles_required(MAY_CHECK)
def room(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show the tables of a Serie, and first what needs a person."""
    return render(request, TEMPLATE, _context(request, find_serie(tournament, number)))


@require_safe
@roles_required(MAY_CHECK)
def since(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Answer with the tables, or with nothing if nothing happened and no minute passed."""
    if request.GET.get("since") == stamp(tournament, timezone.now()):
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    serie = find_serie(tournament, number)
    return render(request, f"{TEMPLATE}#work", _context(request, serie))


def _act(
    request: StaffRequest,
    serie: Serie,
    act: Callable[[], object],
    *,
    form: forms.Form | None = None,
    form_name: str = "",
    back_to: int | None = None,
) -> HttpResponse:
    shown = {form_name: form} if form is not None else {}
    if form is not None and not form.is_valid():
        return _page(request, serie, status=HTTPStatus.UNPROCESSABLE_ENTITY, **shown)
    try:
        act()
    except TournamentError as refusal:
        return _page(request, serie, status=HTTPStatus.CONFLICT, error=str(refusal), **shown)
    if request.htmx:
        return _page(request, serie)
    place = (serie.tournament.slug, serie.number)
    if back_to is not None:
        return redirect("control:table", *place, back_to)
    return redirect("control:room", *place)


@require_POST
@roles_required(MAY_LEAD)
def start(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Begin the Serie."""
    serie = find_serie(tournament, number)
    return _act(request, serie, lambda: serie_time.start(serie_id=serie.pk, actor=request.actor))


@require_POST
@roles_required(MAY_LEAD)
def take_back_start(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Undo a start that was a slip."""
    serie = find_serie(tournament, number)
    return _act(
        request, serie, lambda: serie_time.take_back_start(serie_id=serie.pk, actor=request.actor)
    )


@require_POST
@roles_required(MAY_LEAD)
def extra_time(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Give one table or all of them more time."""
    serie = find_serie(tournament, number)
    form = ExtraTimeForm(request.POST, auto_id="extra_%s")

    def act() -> object:
        return serie_time.give_extra(
            serie_id=serie.pk,
            minutes=form.cleaned_data["minutes"],
            tables=form.tables(),
            actor=request.actor,
        )

    came_from = request.POST.get("from_table") and form.is_valid() and form.cleaned_data["table"]
    return _act(request, serie, act, form=form, form_name="extra_form", back_to=came_from or None)


def _call(tournament: Tournament, pk: int) -> tuple[Call, Serie]:
    found = get_object_or_404(
        Call.objects.select_related("table__serie"), pk=pk, table__serie__tournament=tournament
    )
    serie = found.table.serie
    serie.tournament = tournament
    return found, serie


@require_POST
@roles_required(MAY_CHECK)
def take_call(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Say that one is on the way to the table."""
    call, serie = _call(tournament, pk)
    return _act(request, serie, lambda: calls.take(call_id=call.pk, by=request.user))


@require_POST
@roles_required(MAY_CHECK)
def finish_call(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Say that what a table called for is settled."""
    call, serie = _call(tournament, pk)
    form = NoteForm(request.POST)

    def act() -> object:
        return calls.done(call_id=call.pk, by=request.user, note=form.cleaned_data["note"])

    return _act(request, serie, act, form=form, form_name="note_form")
