"""Prizes: pots, recipients, payouts, and handing over goods."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from tournaments.cash.queries import balances
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.desk.queries.ranking_members import open_questions
from tournaments.models import Receipt, Tournament
from tournaments.prizes.forms import GoodsForm, PayForm
from tournaments.prizes.queries.pending import pending
from tournaments.prizes.queries.prizes import PrizeSheet
from tournaments.prizes.services import prizes as services
from tournaments.results.views.results import result_tabs
from tournaments.web.access import StaffRequest, roles_required
from tournaments.web.acting import InvalidForm, act
from tournaments.web.confirmation import MISSING, expected_cents, question_of, requires_confirmation

TEMPLATE = "tournaments/prizes/prizes.html"


@require_safe
@roles_required(MAY_TAKE_MONEY)
def prizes(
    request: StaffRequest, tournament: Tournament, *, status: int = 200, **more: Any
) -> HttpResponse:
    """Show the pots, the prizes with recipients and reasons, and the payouts."""
    sheet = PrizeSheet(tournament)
    till_cents = balances.till_cents(tournament)
    payouts = sum(recipient.open_cents > 0 for recipient in sheet.recipients)
    context = {
        "tabs": result_tabs(request, tournament, "prizes"),
        "sheet": sheet,
        "payouts": payouts,
        "question": question_of(payouts, sheet.open_cents),
        "till_cents": till_cents,
        "lacking_cents": max(0, sheet.open_cents - till_cents),
        "unsettled": [state.sentence for state in sheet.rankings.states if state.sentence],
        "wrong": [row for row in sheet.rows if row.goods_are_wrong],
        "pending": pending(sheet, timezone.now()) if sheet.open_cents else [],
        "questions": open_questions(tournament),
        "corrected": [row for row in sheet.rows if row.correction],
        **more,
    }
    return render(request, TEMPLATE, context, status=status)


_on_page = act(MAY_TAKE_MONEY, prizes, to="prizes:prizes")


def _form_data(form: forms.Form) -> dict[str, Any]:
    """Return the form data that a button sends."""
    if not form.is_valid():
        raise InvalidForm(str(MISSING))
    return form.cleaned_data


@_on_page
def pay(request: StaffRequest, tournament: Tournament) -> str:
    """Pay a winner the open amount, or take back the excess."""
    data = _form_data(PayForm(request.POST))
    receipt = services.pay(
        request.actor,
        tournament.pk,
        recipient=data["recipient"],
        expected_cents=data["expected_cents"],
        method=Receipt.Method(data["method"] or Receipt.Method.CASH),
    )
    message = _("{receipt} gebucht: Preis für {name}.")
    if data["expected_cents"] < 0:
        message = _("{receipt} gebucht: Preis zurück von {name}.")
    return message.format(receipt=receipt, name=receipt.payer)


@_on_page
@requires_confirmation("prizes:prizes")
def pay_all(request: StaffRequest, tournament: Tournament) -> str:
    """Pay all winners their open amounts."""
    receipts = services.pay_all(
        request.actor,
        tournament.pk,
        expected_cents=expected_cents(request),
    )
    return ngettext(
        "{number} Auszahlung gebucht.", "{number} Auszahlungen gebucht.", len(receipts)
    ).format(number=len(receipts))


@_on_page
def goods(request: StaffRequest, tournament: Tournament) -> str:
    """Record that goods were handed over, or undo it."""
    data = _form_data(GoodsForm(request.POST))
    is_back = data.pop("back")
    service = services.take_back if is_back else services.hand_over
    service(request.actor, tournament.pk, **data)
    return _("Die Übergabe ist zurückgenommen.") if is_back else _("Der Preis ist übergeben.")
