"""The cash book: receipts, free bookings, counting the till, reports."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournaments.access import StaffRequest, roles_required
from tournaments.actors import Actor
from tournaments.errors import TournamentError
from tournaments.forms.cash import PIECES, CountForm, FreeBookingForm, MoveCreditForm, ReverseForm
from tournaments.models import CashEntry, Receipt, Registration, Role, Tournament
from tournaments.queries import cash as queries
from tournaments.services import cash, till
from tournaments.services.sheets import csv_bytes

TILL = (Role.SPIELLEITUNG, Role.KASSE)
PER_PAGE = 50


def _book_context(request: StaffRequest, tournament: Tournament, **more: Any) -> dict[str, Any]:
    kind, number = request.GET.get("art", ""), request.GET.get("nr", "")
    found = queries.receipts(tournament, kind=kind, number=number)
    return {
        "page": Paginator(found, PER_PAGE).get_page(request.GET.get("seite")),
        "kinds": CashEntry.Kind.choices,
        "kind": kind,
        "number": number,
        "report": queries.report(tournament),
        "form": FreeBookingForm(),
        "move_form": MoveCreditForm(),
        **more,
    }


def _book(
    request: StaffRequest, tournament: Tournament, *, status: int = 200, **more: Any
) -> HttpResponse:
    context = _book_context(request, tournament, **more)
    return render(request, "tournaments/cash/book.html", context, status=status)


@roles_required(*TILL)
def book(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the receipts, the newest first, with the sums beside them."""
    return _book(request, tournament)


def _by_number(tournament: Tournament, number: int | None) -> Registration | None:
    """Return the registration of a start number; None stands for no number.

    Raises:
        TournamentError: if nobody has that number.
    """
    if number is None:
        return None
    found = tournament.registrations.filter(number=number).first()
    if found is None:
        raise TournamentError(_("Die Startnummer {number} gibt es nicht.").format(number=number))
    return found


@require_POST
@roles_required(*TILL)
def book_free(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Book money for which there is no other act."""
    form = FreeBookingForm(request.POST)
    if not form.is_valid():
        return _book(request, tournament, status=422, form=form)
    data = form.cleaned_data
    try:
        registration = _by_number(tournament, data["number"])
        receipt = till.book_free(
            tournament_id=tournament.pk,
            kind=data["kind"],
            amount_cents=data["amount_cents"],
            text=data["text"],
            method=Receipt.Method(data["method"]),
            registration_id=registration.pk if registration else None,
            actor=Actor.account(request.user),
        )
    except TournamentError as refusal:
        return _book(request, tournament, status=409, form=form, error=str(refusal))
    messages.success(request, _("{receipt} gebucht.").format(receipt=receipt))
    return redirect("cash:book", tournament.slug)


@require_POST
@roles_required(*TILL)
def move_credit(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Move an overpayment to another person."""
    form = MoveCreditForm(request.POST)
    if not form.is_valid():
        return _book(request, tournament, status=422, move_form=form)
    data = form.cleaned_data
    try:
        giver = _by_number(tournament, data["from_number"])
        receiver = _by_number(tournament, data["to_number"])
        receipt = till.move_credit(
            from_id=giver.pk if giver else 0,
            to_id=receiver.pk if receiver else 0,
            amount_cents=data["amount_cents"],
            actor=Actor.account(request.user),
        )
    except TournamentError as refusal:
        return _book(request, tournament, status=409, move_form=form, error=str(refusal))
    messages.success(request, _("{receipt} gebucht.").format(receipt=receipt))
    return redirect("cash:book", tournament.slug)


def _receipt(tournament: Tournament, number: int) -> Receipt:
    return get_object_or_404(queries.receipts(tournament), number=number)


@roles_required(*TILL)
def receipt(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show one receipt, to print and to cancel."""
    context = {"receipt": _receipt(tournament, number), "form": ReverseForm()}
    return render(request, "tournaments/cash/receipt.html", context)


@require_POST
@roles_required(*TILL)
def reverse_receipt(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Cancel a receipt by its opposite."""
    found = _receipt(tournament, number)
    form = ReverseForm(request.POST)
    context: dict[str, Any] = {"receipt": found, "form": form}
    if not form.is_valid():
        return render(request, "tournaments/cash/receipt.html", context, status=422)
    try:
        reversal = till.reverse_receipt(
            receipt_id=found.pk,
            reason=form.cleaned_data["reason"],
            actor=Actor.account(request.user),
        )
    except TournamentError as refusal:
        context = {"receipt": _receipt(tournament, number), "form": form, "error": str(refusal)}
        return render(request, "tournaments/cash/receipt.html", context, status=409)
    messages.success(
        request,
        _("{receipt} ist durch {reversal} storniert.").format(receipt=found, reversal=reversal),
    )
    return redirect("cash:receipt", tournament.slug, reversal.number)


@roles_required(*TILL)
def count(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Count the till: the form adds up, the answer shows the difference."""
    form = CountForm(request.POST or None)
    status = 200
    error = ""
    if form.is_bound:
        status = 422
        if form.is_valid():
            try:
                till.count_till(
                    tournament_id=tournament.pk,
                    pieces=form.pieces(),
                    loose_cents=form.cleaned_data["loose_cents"],
                    note=form.cleaned_data["note"],
                    actor=Actor.account(request.user),
                )
            except TournamentError as refusal:
                status, error = 409, str(refusal)
            else:
                return redirect("cash:count", tournament.slug)
    context = {
        "form": form,
        "error": error,
        "pieces": [(value, form[f"piece_{value}"]) for value in PIECES],
        "expected_cents": cash.till_cents(tournament),
        "counts": tournament.cash_counts.select_related("created_by").order_by("-pk"),
    }
    return render(request, "tournaments/cash/count.html", context, status=status)


@roles_required(*TILL)
def report(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the sums by kind and by person."""
    context = {
        "report": queries.report(tournament),
        "persons": queries.by_person(tournament),
    }
    return render(request, "tournaments/cash/report.html", context)


@roles_required(*TILL)
def csv_file(_request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Hand out every entry of the book, oldest first."""
    rows = queries.csv_rows(queries.receipts(tournament).order_by("number"))
    body = csv_bytes([[str(name) for name in queries.CSV_HEAD], *rows])
    return HttpResponse(
        body,
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="kassenbuch-{tournament.slug}.csv"'},
    )


@require_POST
@roles_required(*TILL)
def kaution(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Take the deposit of somebody, or give it back."""
    registration = get_object_or_404(Registration, pk=pk, tournament=tournament)
    act = till.return_kaution if request.POST.get("back") else till.take_kaution
    try:
        act(registration_id=registration.pk, actor=Actor.account(request.user))
    except TournamentError as refusal:
        messages.error(request, str(refusal))
    return redirect("desk:registration", tournament.slug, registration.pk)


@require_POST
@roles_required(*TILL)
def refund_credit(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Pay back what somebody paid too much."""
    registration = get_object_or_404(Registration, pk=pk, tournament=tournament)
    try:
        till.refund_credit(registration_id=registration.pk, actor=Actor.account(request.user))
    except TournamentError as refusal:
        messages.error(request, str(refusal))
    return redirect("desk:registration", tournament.slug, registration.pk)
