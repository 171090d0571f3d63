"""The control room: all tables of a Serie, its time, and the calls for a Schiedsrichter."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.common.roles import MAY_CHECK, MAY_LEAD
from tournaments.desk.queries.presence import present_counter
from tournaments.hall.forms.control import ExtraTimeForm, NoteForm
from tournaments.hall.queries import control as queries
from tournaments.hall.queries.room import ControlRoom
from tournaments.hall.queries.room import room as look_round
from tournaments.hall.services import serie_time
from tournaments.models import Call, Serie, Tournament
from tournaments.table.services import calls
from tournaments.web.access import StaffRequest, own, roles_required
from tournaments.web.acting import act, form_data, stored_in_place
from tournaments.web.cached_answers import cached
from tournaments.web.confirmation import AGREED, ask
from tournaments.web.polling import polled, revision_of

TEMPLATE, TABLES = "tournaments/hall/room.html", "tournaments/hall/_tables.html"
ROW = "tournaments/hall/_attention.html"


def stamp(tournament: Tournament, now: datetime) -> str:
    """Return the stamp of a page: the revision and the current minute."""
    return _stamp(tournament.revision, now)


def _stamp(revision: int, now: datetime) -> str:
    return f"{revision}-{int(now.timestamp()) // 60}"


def is_current_minute(request: HttpRequest, slug: str, **_named: Any) -> bool:
    """Whether a page of the control room has the current revision and minute."""
    revision = revision_of(request, slug, is_public=False)
    return revision is not None and request.GET.get("since") == _stamp(revision, timezone.now())


@dataclass(frozen=True, slots=True)
class RoomParts:
    """The parts of the control room's page that all accounts of a role share."""

    room: ControlRoom
    serien: list[Serie]
    tables: str  # rendered
    rows: dict[str, str]  # rendered things to do by key, except those with forms


def _room_parts(serie: Serie, now: datetime, *, is_leading: bool) -> RoomParts:
    room = look_round(serie, now)
    shown = {"tournament": serie.tournament, "serie": serie, "is_leading": is_leading}
    first = room.attention[:1]
    return RoomParts(
        room=room,
        serien=list(serie.tournament.serien.filter(tables__isnull=False).distinct()),
        tables=render_to_string(TABLES, {"room": room}),
        rows={
            attention.key: render_to_string(
                ROW, {**shown, "row": attention, "is_first": attention in first}
            )
            for attention in room.attention
            if attention.call is None
        },
    )


def _context(
    request: StaffRequest, serie: Serie, parts: RoomParts | None = None, **more: Any
) -> dict[str, Any]:
    now = timezone.now()
    parts = parts or _room_parts(serie, now, is_leading=request.is_leading)
    return {
        "serie": serie,
        "serien": parts.serien,
        "room": parts.room,
        "first": [(attention, parts.rows.get(attention.key)) for attention in parts.room.first],
        "further": [(attention, parts.rows.get(attention.key)) for attention in parts.room.further],
        "tables": parts.tables,
        "now": now,
        "stamp": stamp(serie.tournament, now),
        "is_leading": request.is_leading,
        "extra_form": ExtraTimeForm(auto_id="extra_%s"),
        "early": queries.question_before_start(serie, now),
        **more,
    }


def _page(
    request: StaffRequest, tournament: Tournament, number: int, *, status: int = 200, **more: Any
) -> HttpResponse:
    template = f"{TEMPLATE}#work" if request.htmx else TEMPLATE
    serie = own(tournament, Serie, number=number)
    return render(request, template, _context(request, serie, **more), status=status)


@require_safe
@roles_required(MAY_CHECK)
def current(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Redirect to the current Serie; before the first one, show the next steps."""
    return to_current(request, tournament, "hall:room")


def to_current(request: StaffRequest, tournament: Tournament, page: str) -> HttpResponse:
    """Redirect to the page of the current Serie; before the first one, show the next steps."""
    serie = queries.current_serie(tournament)
    if serie is None:
        presence = {"presence": present_counter(tournament)}
        return render(request, "tournaments/hall/nothing.html", presence)
    return redirect(page, tournament.slug, serie.number)


@require_safe
@roles_required(MAY_CHECK)
def room(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show the tables of a Serie and the things to do."""
    return render(request, TEMPLATE, _context(request, own(tournament, Serie, number=number)))


@polled(is_current_minute)
@require_safe
@roles_required(MAY_CHECK)
def since(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Return the tables if something has changed or a minute has passed."""
    now, is_leading = timezone.now(), request.is_leading
    version = stamp(tournament, now)
    parts = cached(
        ("control room", tournament.pk, number, is_leading),
        version,
        lambda: _room_parts(own(tournament, Serie, number=number), now, is_leading=is_leading),
    )
    context = {**_context(request, parts.room.serie, parts), "stamp": version}
    return render(request, f"{TEMPLATE}#work", context)


_room_act = act(MAY_LEAD, _page, to="hall:room", keys=("number",), in_place=True, of=Serie)


@_room_act
def start(request: StaffRequest, serie: Serie) -> str | HttpResponse:
    """Start the Serie; ask for confirmation long before its time."""
    early = queries.question_before_start(serie, timezone.now())
    if early and AGREED not in request.POST:
        back = reverse("hall:room", args=[request.tournament.slug, serie.number])
        return ask(request, early, back=back, yes=_("Jetzt beginnen"))
    serie_time.start(request.actor, serie.pk)
    return ""


@_room_act
def take_back_start(request: StaffRequest, serie: Serie) -> str:
    """Undo an accidental start."""
    serie_time.take_back_start(request.actor, serie.pk)
    return ""


@_room_act
def extra_time(request: StaffRequest, serie: Serie) -> str | HttpResponse:
    """Give extra time to one table or to all."""
    form = ExtraTimeForm(request.POST, auto_id="extra_%s")
    data = form_data(request, form, "extra_form")
    serie_time.give_extra(request.actor, serie.pk, minutes=data["minutes"], tables=form.tables())
    if data["table"] and request.POST.get("from_table") and not request.htmx:
        return redirect("hall:table", request.tournament.slug, serie.number, data["table"])
    return ""


def _room_of_call(
    request: StaffRequest, tournament: Tournament, pk: int, **shown: Any
) -> HttpResponse:
    return _page(request, tournament, own(tournament, Call, pk=pk).table.serie.number, **shown)


def _back_to_room(request: StaffRequest, call: Call) -> HttpResponse:
    tournament, number = request.tournament, call.table.serie.number
    follows = reverse("hall:room", args=[tournament.slug, number])
    if request.htmx:
        return stored_in_place(tournament, partial(_page, request, tournament, number), follows)
    return redirect(follows)


@act(MAY_CHECK, _room_of_call, of=Call)
def take_call(request: StaffRequest, call: Call) -> HttpResponse:
    """Record that the account is on the way to the table."""
    calls.take(request.actor, call.pk)
    return _back_to_room(request, call)


@act(MAY_CHECK, _room_of_call, of=Call)
def finish_call(request: StaffRequest, call: Call) -> HttpResponse:
    """Record that a call is settled."""
    note = form_data(request, NoteForm(request.POST), "note_form")["note"]
    calls.settle(request.actor, call.pk, note=note)
    return _back_to_room(request, call)
