"""Overpayments: the question before one is booked, and the credit that comes of it."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Sum
from django.utils.translation import gettext as _

from tournaments.cash.queries import balances
from tournaments.common.formats import euro
from tournaments.models import CashEntry, Receipt, Registration


def overpayment_question(registrations: Sequence[Registration]) -> str:
    """Return the question before booking for registrations that owe nothing, or ""; one query."""
    coming = [
        registration for registration in registrations if registration.is_coming
    ]  # from others none is taken
    booked = balances.booked_by_kind(coming)
    paid = [
        registration
        for registration in coming
        if not registration.open_cents_after(booked[registration.pk].total())
    ]
    if not paid:
        return ""
    names = "; ".join(
        f"{registration.number or '–'} · {registration.person.list_name}" for registration in paid
    )
    return _("Nichts offen: {names}. Trotzdem buchen?").format(names=names)


def credit_in_words(*receipts: Receipt) -> str:
    """Return a sentence on the credit that receipts added, or ""; one query."""
    credit = CashEntry.objects.filter(receipt__in=receipts, kind=CashEntry.Kind.CREDIT)
    cents = int(credit.aggregate(cents=Sum("amount_cents", default=0))["cents"])
    if cents <= 0:
        return ""
    text = _("{cents} davon sind mehr, als offen war, und stehen jetzt als Guthaben da.")
    return text.format(cents=euro(cents))
