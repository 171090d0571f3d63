"""The desk's inbox: what came through the internet, and what of it has to be cleared up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournaments.common.access import StaffRequest, roles_required
from tournaments.common.addresses import absolute
from tournaments.common.digits import number_in
from tournaments.common.errors import TournamentError
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.desk.online.queries import sendings as queries
from tournaments.desk.online.services import desk, mails
from tournaments.models import Entry, EntryLine, Registration, Tournament

TEMPLATE = "tournaments/desk/online/inbox.html"
PER_PAGE = 20
CONFLICT, UNFIT = 409, 422


def _page(
    request: StaffRequest, tournament: Tournament, *, status: int = 200, **more: Any
) -> HttpResponse:
    found = Paginator(queries.sendings(tournament), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "unclear": queries.unclear(tournament),
        "page_obj": found,
        "entries": queries.inbox(tournament, list(found)),
        "form_url": absolute(request, reverse("entry:register", args=[tournament.slug])),
        **more,
    }
    return render(request, TEMPLATE, context, status=status)


@roles_required(MAY_TAKE_MONEY)
def inbox(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show what has to be cleared up, then all sendings, the newest first."""
    return _page(request, tournament)


def _act(
    request: StaffRequest, tournament: Tournament, act: Callable[[], object], *, done: str
) -> HttpResponse:
    """Do one thing; a refusal comes back on the page."""
    try:
        act()
    except ValidationError as refusal:
        return _page(request, tournament, status=UNFIT, error=" ".join(refusal.messages))
    except TournamentError as refusal:
        return _page(request, tournament, status=CONFLICT, error=str(refusal))
    messages.success(request, done)
    return redirect("entry:inbox", tournament.slug)


def _line(tournament: Tournament, pk: int) -> EntryLine:
    found = EntryLine.objects.select_related("entry")
    line = get_object_or_404(found, pk=pk, entry__tournament=tournament)
    line.entry.tournament = tournament
    return line


@require_POST
@roles_required(MAY_TAKE_MONEY)
def attach(request: StaffRequest, tournament: Tournament, line_id: int) -> HttpResponse:
    """Say that somebody is registered already."""
    line = _line(tournament, line_id)
    registration = get_object_or_404(
        Registration, pk=number_in(request.POST.get("registration")), tournament=tournament
    )

    def act() -> None:
        desk.attach(line_id=line.pk, registration_id=registration.pk, actor=request.actor)
        mails.send_standings(line.entry)

    return _act(request, tournament, act, done=_("Zugeordnet."))


@require_POST
@roles_required(MAY_TAKE_MONEY)
def register_as_new(request: StaffRequest, tournament: Tournament, line_id: int) -> HttpResponse:
    """Register somebody as a new person."""
    line = _line(tournament, line_id)

    def act() -> None:
        desk.register_as_new(line_id=line.pk, actor=request.actor)
        mails.send_standings(line.entry)

    return _act(request, tournament, act, done=_("Als neue Person gemeldet."))


@require_POST
@roles_required(MAY_TAKE_MONEY)
def dismiss(request: StaffRequest, tournament: Tournament, line_id: int) -> HttpResponse:
    """Do not accept somebody."""
    line = _line(tournament, line_id)

    def act() -> None:
        desk.dismiss(line_id=line.pk, actor=request.actor)
        mails.send_standings(line.entry)

    return _act(request, tournament, act, done=_("Nicht angenommen."))


@require_POST
@roles_required(MAY_TAKE_MONEY)
def consent(request: StaffRequest, tournament: Tournament, line_id: int) -> HttpResponse:
    """Let somebody be named in public who asked for it."""
    line = _line(tournament, line_id)
    return _act(
        request,
        tournament,
        lambda: desk.confirm_consent(line_id=line.pk, actor=request.actor),
        done=_("{name} darf mit Namen genannt werden.").format(name=line.full_name),
    )


@require_POST
@roles_required(MAY_TAKE_MONEY)
def renew_link(request: StaffRequest, tournament: Tournament, entry_id: int) -> HttpResponse:
    """Make a new link; it goes out by mail, or stands on this one page."""
    entry = get_object_or_404(Entry, pk=entry_id, tournament=tournament)
    try:
        entry, token = desk.renew_link(entry_id=entry.pk, actor=request.actor)
    except TournamentError as refusal:
        return _page(request, tournament, status=CONFLICT, error=str(refusal))
    if mails.send_confirmation(entry, token, occasion="link"):
        messages.success(
            request, _("Ein neuer Link ist unterwegs an {email}.").format(email=entry.email)
        )
        return redirect("entry:inbox", tournament.slug)
    link = absolute(request, reverse("entry:registration", args=[token]))
    return _page(request, tournament, link=link)


@require_POST
@roles_required(MAY_TAKE_MONEY)
def discard(request: StaffRequest, tournament: Tournament, entry_id: int) -> HttpResponse:
    """Take back a whole sending."""
    entry = get_object_or_404(Entry, pk=entry_id, tournament=tournament)
    return _act(
        request,
        tournament,
        lambda: desk.discard(entry_id=entry.pk, actor=request.actor),
        done=_("Die Sendung ist verworfen, alle darin sind abgemeldet."),
    )
