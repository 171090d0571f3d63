"""Registrations from a file, on the pages of the import of persons; and taking them back."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from scoring.money import euro
from tournaments.cash.queries import balances
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.desk.queries import files as queries
from tournaments.desk.services import files
from tournaments.desk.services.file_payments import WAYS
from tournaments.desk.services.file_plan import COLUMNS, plan_of
from tournaments.desk.views.desk import late_reason
from tournaments.models import JournalEntry, Receipt, Tournament
from tournaments.people.views import importing
from tournaments.web.access import StaffRequest, own, roles_required
from tournaments.web.acting import CONFLICT, OK, act


def _import(tournament: Tournament) -> importing.Import:
    """Return the import of a tournament; all accounts of its desk see its files."""
    return importing.Import(
        drafts=importing.importable_drafts().filter(
            tournament=tournament, holds_registrations=True
        ),
        columns=COLUMNS,
        plan=partial(plan_of, tournament=tournament),
        address="desk:import",
        keys=(tournament.slug,),
        home=(reverse("desk:list", args=[tournament.slug]), _("Meldungen")),
        within=tournament,
        folder="tournaments/desk",
    )


def _context(tournament: Tournament) -> dict[str, Any]:
    """Return the context of the first page beside its form."""
    refusal = files.register_part.refusal(tournament)
    return {"refusal": refusal, "stored": queries.stored_files(tournament)}


def _first(request: StaffRequest, tournament: Tournament, **more: Any) -> HttpResponse:
    context = {**_context(tournament), **more}
    return importing.first_page(request, _import(tournament), **context)


@require_http_methods(["GET", "HEAD", "POST"])
@roles_required(MAY_TAKE_MONEY)
def upload(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Upload a file; list the stored files, which can be taken back."""
    context = _context(tournament)
    if context["refusal"]:
        return _first(request, tournament, status=CONFLICT if request.method == "POST" else OK)
    return importing.upload_to(request, _import(tournament), **context)


@require_http_methods(["GET", "HEAD", "POST"])
@roles_required(MAY_TAKE_MONEY)
def columns(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Assign the columns; those recognised by their headings are preset."""
    return importing.columns_of(request, _import(tournament), pk)


@require_http_methods(["GET", "HEAD", "POST"])
@roles_required(MAY_TAKE_MONEY)
def preview(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Show the plan row by row; take decisions and corrections."""
    return importing.preview_of(request, _import(tournament), pk)


@require_POST
@roles_required(MAY_TAKE_MONEY)
def discard(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Delete a file; nothing of it was stored."""
    setup = _import(tournament)
    own(tournament, setup.drafts, pk=pk)
    return importing.discard_of(request, setup, pk)


def _refused(request: StaffRequest, tournament: Tournament, pk: int, **more: Any) -> HttpResponse:
    """Show the preview of a refused file, or the first page if it does not exist."""
    setup = _import(tournament)
    draft = setup.drafts.filter(pk=pk).first()
    if draft is None:
        return _first(request, tournament, **more)
    return importing.preview_page(request, setup, draft, **more)


@act(MAY_TAKE_MONEY, _refused)
def carry_out(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Register the persons of a file, or show the refusal and those stored so far."""
    if queries.stored_file(tournament, pk) is None:
        own(tournament, _import(tournament).drafts, pk=pk)
    paid_by = _paid_by(request)
    registered = files.register_from_file(
        request.actor,
        tournament.pk,
        draft_id=pk,
        fingerprint=request.POST.get("fingerprint", ""),
        late_reason=late_reason(request, tournament),
        paid_by=paid_by,
    )
    waiting = sum(registration.number is None for registration in registered)
    number = len(registered)
    sentence = ngettext("{n} Meldung gespeichert", "{n} Meldungen gespeichert", number)
    sentence = sentence.format(n=number)
    if waiting:
        sentence += ", " + _("{n} davon auf der Warteliste").format(n=waiting)
    booked = balances.booked_by_kind(registered) if paid_by else {}
    if paid := sum(kinds.total() for kinds in booked.values()):
        sentence += ", " + _("{amount} davon als bezahlt gebucht").format(amount=euro(paid))
    messages.success(request, f"{sentence}.")
    return redirect("desk:import", tournament.slug)


def _paid_by(request: StaffRequest) -> Receipt.Method | None:
    """Return the method for payments without one; None if nothing is booked."""
    chosen = request.POST.get("paid_by", "")
    return Receipt.Method(chosen) if chosen in WAYS else None


@act(MAY_TAKE_MONEY, _first, to="desk:import")
def take_back(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse | str:
    """Take back all registrations of a file that was stored."""
    stored = JournalEntry.objects.filter(chain__tournament=tournament, action=queries.STORED)
    entry = get_object_or_404(stored, pk=pk)
    number = files.take_back_file(request.actor, tournament.pk, entry_id=entry.pk)
    return ngettext("{n} Meldung zurückgenommen.", "{n} Meldungen zurückgenommen.", number).format(
        n=number
    )
