"""Cancelling receipts, with the statuses that depend on them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.cash.queries import balances
from tournaments.cash.services import cash
from tournaments.cash.services.dues import update_paid_status
from tournaments.common.errors import TournamentError
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.common.states import KEEPS_BOOK
from tournaments.journal.acts import Act, Acts
from tournaments.models import CashEntry, Receipt, Registration

acts = Acts(MAY_TAKE_MONEY, KEEPS_BOOK)


@acts.on(Receipt, "reverse_receipt", reason=gettext_lazy("Ein Storno braucht einen Grund."))
def reverse_receipt(act: Act[Receipt]) -> Receipt:
    """Cancel a receipt by its opposite; its registrations are not paid any more.

    Raises:
        TournamentError: if it is cancelled already or itself cancels one, if more cash would
            leave the till than is in it, or if a later receipt has used the money of this one.
    """
    return reverse(act, act.row, act.reason)


def reverse(act: Act[Any], receipt: Receipt, reason: str) -> Receipt:
    """Cancel a receipt and update statuses, as a part of an act; as :func:`reverse_receipt`."""
    _check_reversible(receipt)
    registrations = list(
        Registration.objects.filter(cash_entries__receipt=receipt)
        .select_related("person", "category")
        .order_by("pk")
        .distinct()
    )
    for registration in registrations:
        registration.tournament = act.tournament
        _check_money_unspent(receipt, registration)
    reversal = cash.book(
        act,
        Receipt.Method(receipt.method),
        [
            cash.ReceiptLine(CashEntry.Kind(entry.kind), -entry.amount_cents, entry.registration)
            for entry in receipt.entries.select_related("registration").order_by("pk")
        ],
        payer=receipt.payer,
        text=reason,
        reason=reason,
        reverses=receipt,
    )
    for registration in registrations:
        update_paid_status(act, registration)
    return reversal


def _check_reversible(receipt: Receipt) -> None:
    if receipt.reverses_id is not None:
        raise TournamentError(
            _("Beleg {number} ist selbst ein Storno und bleibt stehen.").format(
                number=receipt.number
            )
        )
    if Receipt.objects.filter(reverses=receipt).exists():
        raise TournamentError(
            _("Beleg {number} ist schon storniert.").format(number=receipt.number)
        )


def _check_money_unspent(receipt: Receipt, registration: Registration) -> None:
    entries = [entry for entry in receipt.entries.all() if entry.registration_id == registration.pk]
    for kinds, there_cents in (
        (balances.DUES, balances.paid_cents(registration)),
        ((CashEntry.Kind.KAUTION,), balances.kaution_cents(registration)),
    ):
        taken_away = sum(entry.amount_cents for entry in entries if entry.kind in kinds)
        if there_cents < taken_away:
            _refuse_spent(receipt, registration, kinds)


def _refuse_spent(
    receipt: Receipt, registration: Registration, kinds: Collection[CashEntry.Kind]
) -> None:
    """Refuse, naming the later receipt that used the money and must be cancelled first."""
    passing_on = (
        CashEntry.objects.filter(
            registration=registration,
            kind__in=kinds,
            amount_cents__lt=0,
            receipt__reverses__isnull=True,
            receipt__reversed_by__isnull=True,
        )
        .select_related("receipt")
        .latest("pk")
    )
    raise TournamentError(
        _(
            "Beleg {number} lässt sich noch nicht stornieren: Das Geld von {name} ist schon "
            "weitergegeben. Bitte zuerst Beleg {later} stornieren."
        ).format(number=receipt.number, name=registration.person, later=passing_on.receipt.number)
    )
