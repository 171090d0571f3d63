"""Pages of the cash book: receipts, free bookings, reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from tournaments.cash.bank.queries.transfers import open_transfers
from tournaments.cash.forms import (
    FreeBookingForm,
    MethodForm,
    MoveCreditForm,
    ReverseForm,
    SelectionForm,
)
from tournaments.cash.queries import cash as queries
from tournaments.cash.queries import report as cash_report
from tournaments.cash.queries.refunds import refund_list
from tournaments.cash.services import till
from tournaments.cash.services.dues import by_number
from tournaments.cash.services.reversals import reverse_receipt
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.models import Receipt, Registration, Tournament
from tournaments.web.access import StaffRequest, own, roles_required
from tournaments.web.acting import InvalidForm, act, form_data
from tournaments.web.confirmation import expected_cents, question_of, requires_confirmation
from tournaments.web.downloads import table_file

PER_PAGE = 25


@require_safe
@roles_required(MAY_TAKE_MONEY)
def book(
    request: StaffRequest, tournament: Tournament, *, status: int = 200, **more: Any
) -> HttpResponse:
    """Show the receipts, the newest first, with the sums beside them."""
    selection_form = SelectionForm(request.GET)
    selection = selection_form.selection()
    receipts = queries.receipts(tournament, selection)
    page = Paginator(receipts, PER_PAGE).get_page(request.GET.get("page"))
    shown = list(page.object_list)
    kautionen = queries.kautionen(tournament)
    context = {
        "page": page,
        # A balance after each receipt makes sense only if no receipt is left out.
        "rows": [(receipt, None) for receipt in shown]
        if selection
        else queries.with_balances(tournament, shown),
        "selection": selection,
        "selection_form": selection_form,
        "sums": queries.sums(tournament, selection),
        "chosen": _chosen(tournament, selection),
        "report": cash_report.report(tournament),
        "kautionen": kautionen,
        "question": question_of(kautionen["persons"], kautionen["cents"]),
        "is_leading": request.is_leading,
        "closed": till.book_free.refusal(tournament),
        "form": FreeBookingForm(),
        "move_form": MoveCreditForm(),
        **more,
    }
    return render(request, "tournaments/cash/book.html", context, status=status)


def _chosen(tournament: Tournament, selection: queries.Selection) -> list[str]:
    """Return in words the parts of a filter that no field of the form shows."""
    chosen = []
    if selection.registration == queries.NOBODY:
        chosen.append(_("ohne Person"))
    elif selection.registration is not None:
        registration = tournament.registrations.filter(pk=selection.registration).first()
        chosen.append(registration.person.list_name if registration else _("unbekannte Person"))
    if selection.category is not None:
        group = tournament.categories.filter(pk=selection.category).first()
        chosen.append(group.name if group else _("unbekannte Startgeldgruppe"))
    return chosen


@act(MAY_TAKE_MONEY, book, to="cash:book")
def book_free(request: StaffRequest, tournament: Tournament) -> str:
    """Make a booking that no other act makes."""
    form = FreeBookingForm(request.POST)
    number = form_data(request, form)["number"]
    receipt = till.book_free(
        request.actor,
        tournament.pk,
        registration_id=by_number(tournament, number).pk if number else None,
        **form.booking(),
    )
    return _("{receipt} gebucht.").format(receipt=receipt)


@act(MAY_TAKE_MONEY, book, to="cash:book")
def move_credit(request: StaffRequest, tournament: Tournament) -> str:
    """Move credit to another person."""
    data = form_data(request, MoveCreditForm(request.POST), "move_form")
    receipt = till.move_credit(
        request.actor,
        by_number(tournament, data["from_number"]).pk,
        to_id=by_number(tournament, data["to_number"]).pk,
        amount_cents=data["amount_cents"],
    )
    return _("{receipt} gebucht.").format(receipt=receipt)


@require_safe
@roles_required(MAY_TAKE_MONEY)
def receipt(
    request: StaffRequest, tournament: Tournament, number: int, *, status: int = 200, **more: Any
) -> HttpResponse:
    """Show one receipt, to print and to cancel."""
    receipt = own(tournament, queries.receipts(tournament), number=number)
    context = {"receipt": receipt, "form": ReverseForm(), **more}
    return render(request, "tournaments/cash/receipt.html", context, status=status)


@act(MAY_TAKE_MONEY, receipt, of=Receipt)
def reverse(request: StaffRequest, receipt: Receipt) -> HttpResponse:
    """Cancel a receipt by its opposite."""
    reason = form_data(request, ReverseForm(request.POST))["reason"]
    reversal = reverse_receipt(request.actor, receipt.pk, reason=reason)
    messages.success(
        request,
        _("{receipt} ist durch {reversal} storniert.").format(receipt=receipt, reversal=reversal),
    )
    return redirect("cash:receipt", request.tournament.slug, reversal.number)


@require_safe
@roles_required(MAY_TAKE_MONEY)
def report(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the sums by kind and by person, to print and to sign."""
    return render(request, "tournaments/cash/report.html", cash_report.report_context(tournament))


@require_safe
@roles_required(MAY_TAKE_MONEY)
def csv_file(_request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Hand out every entry of the book, oldest first."""
    rows = list(queries.csv_rows(queries.receipts(tournament).order_by("number")))
    return table_file(rows, f"kassenbuch-{tournament.slug}.csv")


def _registration(
    request: StaffRequest, tournament: Tournament, pk: int, *, error: str, **_more: Any
) -> HttpResponse:
    """Redirect to the registration, where a refusal is shown."""
    messages.error(request, error)
    return redirect("desk:registration", tournament.slug, pk)


@act(MAY_TAKE_MONEY, _registration, to="desk:registration", keys=("pk",), of=Registration)
def kaution(request: StaffRequest, registration: Registration) -> str:
    """Take the Kaution of a registration, or give it back."""
    if request.POST.get("back"):
        receipt = till.return_kaution(request.actor, registration.pk, method=_method(request))
    else:
        receipt = till.take_kaution(request.actor, registration.pk)
    return _("{receipt} gebucht.").format(receipt=receipt)


@act(MAY_TAKE_MONEY, book, to="cash:book")
@requires_confirmation("cash:book")
def return_all_kautionen(request: StaffRequest, tournament: Tournament) -> str:
    """Give every Kaution back, in cash or by transfers made elsewhere."""
    receipts = till.return_all_kautionen(
        request.actor,
        tournament.pk,
        expected_cents=expected_cents(request),
        method=_method(request),
    )
    return _booked(receipts)


@act(MAY_TAKE_MONEY, _registration, to="desk:registration", keys=("pk",), of=Registration)
def refund_credit(request: StaffRequest, registration: Registration) -> str:
    """Refund the credit of a registration, by the way of the button or else as it came."""
    method = _method(request) if request.POST.get("method_") else None
    receipt = till.refund_credit(request.actor, registration.pk, method=method)
    return _("{receipt} gebucht.").format(receipt=receipt)


def _method(request: StaffRequest) -> Receipt.Method:
    """Return the way of payment that a button names; cash if it names none."""
    form = MethodForm(request.POST)
    if not form.is_valid():
        raise InvalidForm(" ".join(map(str, form.errors["method"])))
    return Receipt.Method(form.cleaned_data["method"] or Receipt.Method.CASH)


@require_safe
@roles_required(MAY_TAKE_MONEY)
def refunds(
    request: StaffRequest, tournament: Tournament, *, status: int = 200, **more: Any
) -> HttpResponse:
    """Show everybody who gets money back when the tournament is called off."""
    due = refund_list(tournament)
    context = {
        **due,
        "ways": [(*way, question_of(*way[1:])) for way in due["ways"]],
        "transfers": open_transfers(tournament).count(),
        **more,
    }
    return render(request, "tournaments/cash/refunds.html", context, status=status)


@act(MAY_TAKE_MONEY, refunds, to="cash:refunds", of=Registration)
def refund(request: StaffRequest, registration: Registration) -> str:
    """Refund everything that one person has paid."""
    receipt = till.refund(request.actor, registration.pk, method=_method(request))
    return _("{receipt} gebucht.").format(receipt=receipt)


@act(MAY_TAKE_MONEY, refunds, to="cash:refunds")
@requires_confirmation("cash:refunds")
def refund_all(request: StaffRequest, tournament: Tournament) -> str:
    """Refund everybody who gets it in cash, or everybody who gets it by transfer."""
    receipts = till.refund_all(
        request.actor,
        tournament.pk,
        method=_method(request),
        expected_cents=expected_cents(request),
    )
    return _booked(receipts)


def _booked(receipts: Sequence[Receipt]) -> str:
    return ngettext("{n} Beleg gebucht.", "{n} Belege gebucht.", len(receipts)).format(
        n=len(receipts)
    )
