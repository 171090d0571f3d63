"""Counting the till: opening it, comparing it with the book, booking a difference."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from scoring.money import euro
from tournaments.cash.forms import COINS, NOTES, CountForm
from tournaments.cash.queries import balances
from tournaments.cash.services import counts
from tournaments.cash.views.cash import CONFLICT, UNPROCESSABLE
from tournaments.common.access import StaffRequest, roles_required
from tournaments.common.errors import TournamentError
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.models import CashCount, Tournament


def _page(
    request: StaffRequest,
    tournament: Tournament,
    form: CountForm,
    *,
    status: int = 200,
    error: str = "",
) -> HttpResponse:
    context = {
        "form": form,
        "error": error,
        "notes": [(value, form[f"piece_{value}"]) for value in NOTES],
        "coins": [(value, form[f"piece_{value}"]) for value in COINS],
        "expected_cents": balances.till_cents(tournament),
        "is_open": balances.is_open(tournament),
        "counts": tournament.cash_counts.select_related("created_by").order_by("-pk"),
    }
    return render(request, "tournaments/cash/count.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@roles_required(MAY_TAKE_MONEY)
def count(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Count the till, or open it: the form adds up, the answer shows the difference."""
    form = CountForm(request.POST or None)
    if not form.is_bound:
        return _page(request, tournament, form)
    if not form.is_valid():
        return _page(request, tournament, form, status=UNPROCESSABLE)
    try:
        done = _store(request, tournament, form)
    except TournamentError as refusal:
        return _page(request, tournament, form, status=CONFLICT, error=str(refusal))
    messages.success(request, done)
    return redirect("cash:count", tournament.slug)


def _store(request: StaffRequest, tournament: Tournament, form: CountForm) -> str:
    pieces, loose_cents = form.pieces(), form.cleaned_data["loose_cents"]
    actor = request.actor
    if "open" in request.POST:
        counts.open_till(
            tournament_id=tournament.pk, pieces=pieces, loose_cents=loose_cents, actor=actor
        )
        return _("Die Kasse ist eröffnet.")
    counted = counts.count_till(
        tournament_id=tournament.pk,
        pieces=pieces,
        loose_cents=loose_cents,
        note=form.cleaned_data["note"],
        actor=actor,
    )
    if not counted.difference_cents:
        return _("Die Kasse stimmt.")
    return _("Gezählt. Differenz: {difference}").format(difference=euro(counted.difference_cents))


@require_POST
@roles_required(MAY_TAKE_MONEY)
def book_difference(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Book the difference of the last count."""
    found = get_object_or_404(CashCount, pk=pk, tournament=tournament)
    try:
        receipt = counts.book_difference(count_id=found.pk, actor=request.actor)
    except TournamentError as refusal:
        return _page(request, tournament, CountForm(), status=CONFLICT, error=str(refusal))
    messages.success(request, _("{receipt} gebucht.").format(receipt=receipt))
    return redirect("cash:count", tournament.slug)
