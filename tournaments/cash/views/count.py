"""Counting the till: opening it, comparing it with the book, booking a difference."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.money import euro
from tournaments.cash.forms import COINS, NOTES, CountForm, DifferenceForm
from tournaments.cash.queries import balances
from tournaments.cash.queries.report import counts as counts_of
from tournaments.cash.services import counts
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.models import CashCount, Tournament
from tournaments.web.access import StaffRequest, roles_required
from tournaments.web.acting import act, form_data, refused_on


def _page(
    request: StaffRequest,
    tournament: Tournament,
    *,
    form: CountForm | None = None,
    status: int = 200,
    error: str = "",
    difference_form: DifferenceForm | None = None,
    **_keys: int,
) -> HttpResponse:
    form = form or CountForm()
    till_counts = list(counts_of(tournament))
    initial = {"reason": till_counts[0].note} if till_counts else {}
    context = {
        "form": form,
        "error": error,
        "is_leading": request.is_leading,
        "closed": counts.count_till.refusal(tournament),
        "notes": [(value, form[f"piece_{value}"]) for value in NOTES],
        "coins": [(value, form[f"piece_{value}"]) for value in COINS],
        "expected_cents": balances.till_cents(tournament),
        "is_open": balances.is_open(tournament),
        "counts": till_counts,
        "difference_form": difference_form or DifferenceForm(initial=initial),
    }
    return render(request, "tournaments/cash/count.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@roles_required(MAY_TAKE_MONEY)
@refused_on(_page, to="cash:count")
def count(request: StaffRequest, tournament: Tournament) -> str | HttpResponse:
    """Count the till, or open it: the form adds up, the answer shows the difference."""
    if request.method != "POST":
        return _page(request, tournament)
    form = CountForm(request.POST)
    data = form_data(request, form)
    counted = {"pieces": form.pieces(), "loose_cents": data["loose_cents"]}
    if "open" in request.POST:
        counts.open_till(request.actor, tournament.pk, **counted)
        return _("Die Kasse ist eröffnet.")
    count = counts.count_till(request.actor, tournament.pk, **counted, note=data["note"])
    if not count.difference_cents:
        return _("Die Kasse stimmt.")
    difference = euro(count.difference_cents)
    messages.warning(request, _("Gezählt. Differenz: {difference}").format(difference=difference))
    return ""


@act(MAY_TAKE_MONEY, _page, to="cash:count", of=CashCount)
def book_difference(request: StaffRequest, count: CashCount) -> str:
    """Book the difference of the last count."""
    reason = form_data(request, DifferenceForm(request.POST), "difference_form")["reason"]
    receipt = counts.book_difference(request.actor, count.pk, reason=reason)
    return _("{receipt} gebucht.").format(receipt=receipt)
