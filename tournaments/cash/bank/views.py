"""Transfers: importing an account statement, and booking each transfer."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from tournaments.cash.bank.forms import BookTransferForm, SetAsideForm, StatementForm
from tournaments.cash.bank.queries import page as queries
from tournaments.cash.bank.services import bank, files, tables
from tournaments.cash.bank.services.statements import Statement
from tournaments.cash.queries.overpayments import credit_in_words, overpayment_question
from tournaments.cash.services.dues import by_number
from tournaments.common.digits import number_in
from tournaments.common.errors import TournamentError
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.machine.columns import headings_of
from tournaments.machine.sheets import Row
from tournaments.models import BankTransaction, PersonImport, Tournament
from tournaments.web.access import StaffRequest, own, roles_required
from tournaments.web.acting import (
    UNFIT,
    FormStorage,
    InvalidForm,
    act,
    form_data,
    posted,
    redirect_done,
)
from tournaments.web.columns import ColumnsForm
from tournaments.web.confirmation import AGREED, ask, question_of, requires_confirmation
from tournaments.web.idempotency import run_once


@require_safe
@roles_required(MAY_TAKE_MONEY)
def transfers(
    request: StaffRequest,
    tournament: Tournament,
    *,
    pk: int | None = None,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    """Show the transfers: clear, unclear, booked, set aside."""
    shown = queries.page(tournament)
    context = {
        **shown,
        "question": question_of(len(shown["clear"]), shown["clear_cents"]),
        "wrong": pk,
        "form": StatementForm(),
        "set_aside_form": SetAsideForm(),
        **more,
    }
    return render(request, "tournaments/cash/bank/bank.html", context, status=status)


@act(MAY_TAKE_MONEY, transfers)
def take_in(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Import a file from the bank; a file that cannot be read changes nothing."""
    form = StatementForm(request.POST, request.FILES)
    content = form_data(request, form)["statement"]
    file_name = str(request.FILES["statement"])
    known = {} if "choose" in request.POST else tables.known_columns()
    try:
        statement = files.read(content, known)
        return run_once(request, partial(_take_in, request, tournament, statement))
    except tables.UnknownColumns as unknown:
        return run_once(
            request, partial(_store_draft, request, tournament, unknown.rows, file_name)
        )
    except TournamentError as refusal:
        form.add_error("statement", str(refusal))
        raise InvalidForm from refusal


def _store_draft(
    request: StaffRequest, tournament: Tournament, rows: list[Row], file_name: str
) -> HttpResponse:
    draft = tables.store_draft(tournament, request.user, rows, file_name)
    return redirect("cash:columns", tournament.slug, draft.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@roles_required(MAY_TAKE_MONEY)
def columns(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Choose the columns of a bank's table, and import it; they are remembered."""
    draft = own(tournament, PersonImport, pk=pk, holds_registrations=False)
    row = number_in(request.POST.get("heading_row"))
    if "again" in request.POST and row is not None:
        guessed = tables.guess(headings_of(draft.rows, row))
        draft.choices = {"heading_row": row, "columns": guessed}
        draft.save(update_fields=["choices"])
        return redirect("cash:columns", tournament.slug, pk)
    form = ColumnsForm(posted(request), draft=draft, targets=tables.TARGETS)
    with FormStorage(form, refused=UNFIT) as storing:
        if form.is_valid():
            statement = tables.read_by_columns(
                draft, form.cleaned_data["heading_row"], form.columns()
            )
            answer = _take_in(request, tournament, statement)
            draft.delete()
            return answer
    context = {"draft": draft, "form": form}
    return render(request, "tournaments/cash/bank/columns.html", context, status=storing.status)


def _take_in(request: StaffRequest, tournament: Tournament, statement: Statement) -> HttpResponse:
    counts = bank.take_in(request.actor, tournament.pk, statement=statement)
    if tournament.iban and statement.accounts and tournament.iban not in statement.accounts:
        messages.warning(
            request,
            _(
                "Der Auszug ist von einem anderen Konto ({accounts}) als dem der Ausschreibung "
                "({expected})."
            ).format(accounts=", ".join(sorted(statement.accounts)), expected=tournament.iban),
        )
    return redirect_done(
        request, _import_summary(counts, statement), "cash:transfers", tournament.slug
    )


def _import_summary(counts: bank.ImportCounts, statement: Statement) -> str:
    """Return the numbers of new, known and skipped entries of a file in words."""
    new, debits = counts.new, statement.debits
    parts = [ngettext("{n} neue Überweisung", "{n} neue Überweisungen", new).format(n=new)]
    parts += [
        text.format(n=number)
        for number, text in (
            (counts.known, _("{n} schon bekannt")),
            (debits, ngettext("{n} Abgang übergangen", "{n} Abgänge übergangen", debits)),
            (statement.foreign, _("{n} in fremder Währung übergangen")),
            (statement.pending, _("{n} noch nicht gebucht")),
        )
        if number
    ]
    return ", ".join(parts) + "."


@act(MAY_TAKE_MONEY, transfers, to="cash:transfers")
@requires_confirmation("cash:transfers")
def book_clear(request: StaffRequest, tournament: Tournament) -> str:
    """Book every clear match that the page showed."""
    receipts = bank.book_clear(
        request.actor, tournament.pk, expected=_expected(request.POST.getlist("match"))
    )
    text = ngettext("{n} Überweisung gebucht.", "{n} Überweisungen gebucht.", len(receipts))
    return f"{text.format(n=len(receipts))} {credit_in_words(*receipts)}".strip()


def _expected(matches: list[str]) -> dict[int, int]:
    """Return transfer -> registration from „12-34“; other forms are left out."""
    parted = (text.partition("-") for text in matches)
    pairs = ((number_in(left), number_in(right)) for left, _dash, right in parted)
    return {
        transfer: registration
        for transfer, registration in pairs
        if transfer is not None and registration is not None
    }


@act(MAY_TAKE_MONEY, transfers, to="cash:transfers", of=BankTransaction)
def book(request: StaffRequest, transfer: BankTransaction) -> str | HttpResponse:
    """Book one transfer for the chosen registrations; ask first if one of them owes nothing."""
    data = _sent(BookTransferForm(request.POST, tournament=request.tournament))
    paid_for = [
        *data["registrations"],
        *(by_number(request.tournament, number) for number in data["numbers"]),
    ]
    question = overpayment_question(paid_for)
    if question and AGREED not in request.POST:
        return ask(request, question, back=resolve_url("cash:transfers", request.tournament.slug))
    keys = [registration.pk for registration in paid_for]
    receipt = bank.book(request.actor, transfer.pk, registration_ids=keys)
    text = _("{receipt} gebucht.").format(receipt=receipt)
    return f"{text} {credit_in_words(receipt)}".strip()


def _sent(form: BookTransferForm | SetAsideForm) -> dict[str, Any]:
    """Return the data of the form for one transfer, or refuse with its first error."""
    if not form.is_valid():
        raise InvalidForm(next(str(error) for errors in form.errors.values() for error in errors))
    return form.cleaned_data


@act(MAY_TAKE_MONEY, transfers, to="cash:transfers", of=BankTransaction)
def set_aside(request: StaffRequest, transfer: BankTransaction) -> str:
    """Set a transfer aside that is not for the tournament, or goes back."""
    reason = _sent(SetAsideForm(request.POST))["reason"]
    bank.set_aside(request.actor, transfer.pk, reason=reason)
    return _("Beiseitegelegt.")


@act(MAY_TAKE_MONEY, transfers, to="cash:transfers", of=BankTransaction)
def bring_back(request: StaffRequest, transfer: BankTransaction) -> str:
    """Open a transfer again that was set aside."""
    bank.bring_back(request.actor, transfer.pk)
    return _("Wieder bei den offenen.")
