"""Transfers: taking in an account statement, and saying whom each transfer is for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from tournaments.cash.bank.forms import BookTransferForm, SetAsideForm, StatementForm
from tournaments.cash.bank.queries import page as queries
from tournaments.cash.bank.services import bank, files
from tournaments.cash.bank.services.statements import Statement
from tournaments.cash.views.cash import CONFLICT, UNPROCESSABLE
from tournaments.common.access import StaffRequest, roles_required
from tournaments.common.digits import number_in
from tournaments.common.errors import TournamentError
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.models import BankTransaction, Tournament


def _page(
    request: StaffRequest, tournament: Tournament, *, status: int = 200, **more: Any
) -> HttpResponse:
    context = {
        **queries.page(tournament),
        "form": StatementForm(),
        "set_aside_form": SetAsideForm(),
        **more,
    }
    return render(request, "tournaments/cash/bank/bank.html", context, status=status)


@require_safe
@roles_required(MAY_TAKE_MONEY)
def transfers(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show what came by transfer: clear, unclear, booked, set aside."""
    return _page(request, tournament)


@require_POST
@roles_required(MAY_TAKE_MONEY)
def take_in(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Take in a file from the bank; a file that cannot be read changes nothing."""
    form = StatementForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, tournament, status=UNPROCESSABLE, form=form)
    try:
        statement = files.read(form.cleaned_data["statement"])
        taken = bank.take_in(tournament_id=tournament.pk, statement=statement, actor=request.actor)
    except TournamentError as refusal:
        form.add_error("statement", str(refusal))
        return _page(request, tournament, status=UNPROCESSABLE, form=form)
    messages.success(request, _told(taken, statement))
    if tournament.iban and statement.accounts and tournament.iban not in statement.accounts:
        messages.warning(
            request,
            _(
                "Der Auszug ist von einem anderen Konto ({found}) als dem der Ausschreibung "
                "({expected})."
            ).format(found=", ".join(sorted(statement.accounts)), expected=tournament.iban),
        )
    return redirect("cash:transfers", tournament.slug)


def _told(taken: bank.Taken, statement: Statement) -> str:
    """Say what became of the entries of a file; what there was none of is not mentioned."""
    new, debits = taken.new, statement.debits
    told = [ngettext("{n} neue Überweisung", "{n} neue Überweisungen", new).format(n=new)]
    told += [
        text.format(n=number)
        for number, text in (
            (taken.known, _("{n} schon bekannt")),
            (debits, ngettext("{n} Abgang übergangen", "{n} Abgänge übergangen", debits)),
            (statement.foreign, _("{n} in fremder Währung übergangen")),
            (statement.pending, _("{n} noch nicht gebucht")),
        )
        if number
    ]
    return ", ".join(told) + "."


def _act(
    request: StaffRequest, tournament: Tournament, act: Callable[[], str], **more: Any
) -> HttpResponse:
    try:
        done = act()
    except TournamentError as refusal:
        return _page(request, tournament, status=CONFLICT, error=str(refusal), **more)
    messages.success(request, done)
    return redirect("cash:transfers", tournament.slug)


@require_POST
@roles_required(MAY_TAKE_MONEY)
def book_clear(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Book every clear match that the page showed."""

    def act() -> str:
        receipts = bank.book_clear(
            tournament_id=tournament.pk,
            expected=_expected(request.POST.getlist("match")),
            actor=request.actor,
        )
        return ngettext(
            "{n} Überweisung gebucht.", "{n} Überweisungen gebucht.", len(receipts)
        ).format(n=len(receipts))

    return _act(request, tournament, act)


def _expected(sent: list[str]) -> dict[int, int]:
    """Return transfer -> registration from „12-34“; what is not of that form is left out."""
    parted = (one.partition("-") for one in sent)
    pairs = ((number_in(left), number_in(right)) for left, _dash, right in parted)
    return {
        transfer: registration
        for transfer, registration in pairs
        if transfer is not None and registration is not None
    }


def _transfer(tournament: Tournament, pk: int) -> BankTransaction:
    return get_object_or_404(BankTransaction, pk=pk, tournament=tournament)


@require_POST
@roles_required(MAY_TAKE_MONEY)
def book(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Book one transfer for whom somebody says it is."""
    one = _transfer(tournament, pk)
    form = BookTransferForm(request.POST, tournament=tournament)
    if not form.is_valid():
        return _page(
            request, tournament, status=UNPROCESSABLE, wrong=one.pk, error=_first_error(form)
        )
    chosen = [registration.pk for registration in form.cleaned_data["registrations"]]
    numbers = form.cleaned_data["numbers"]

    def act() -> str:
        receipt = bank.book(
            transaction_id=one.pk,
            registration_ids=[*chosen, *_by_numbers(tournament, numbers)],
            actor=request.actor,
        )
        return _("{receipt} gebucht.").format(receipt=receipt)

    return _act(request, tournament, act, wrong=one.pk)


def _first_error(form: BookTransferForm | SetAsideForm) -> str:
    return next(str(error) for errors in form.errors.values() for error in errors)


def _by_numbers(tournament: Tournament, numbers: list[int]) -> list[int]:
    """Return the registrations of start numbers, in that order.

    Raises:
        TournamentError: if nobody has one of them.
    """
    found = dict(tournament.registrations.filter(number__in=numbers).values_list("number", "pk"))
    for number in numbers:
        if number not in found:
            raise TournamentError(
                _("Die Startnummer {number} gibt es nicht.").format(number=number)
            )
    return [found[number] for number in numbers]


@require_POST
@roles_required(MAY_TAKE_MONEY)
def set_aside(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Put a transfer aside that is not for the tournament, or goes back."""
    one = _transfer(tournament, pk)
    form = SetAsideForm(request.POST)
    if not form.is_valid():
        return _page(
            request, tournament, status=UNPROCESSABLE, wrong=one.pk, error=_first_error(form)
        )

    def act() -> str:
        bank.set_aside(
            transaction_id=one.pk, reason=form.cleaned_data["reason"], actor=request.actor
        )
        return _("Beiseitegelegt.")

    return _act(request, tournament, act, wrong=one.pk)


@require_POST
@roles_required(MAY_TAKE_MONEY)
def bring_back(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Take a transfer up again that was set aside."""
    one = _transfer(tournament, pk)

    def act() -> str:
        bank.bring_back(transaction_id=one.pk, actor=request.actor)
        return _("Wieder bei den offenen.")

    return _act(request, tournament, act)
