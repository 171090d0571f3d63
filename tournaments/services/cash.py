"""The cash book: every act at the till becomes one receipt, and none is ever changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Max, Sum
from django.utils.translation import gettext as _

from tournaments.actors import Actor
from tournaments.errors import TournamentError
from tournaments.models import CashEntry, Receipt, Registration, Tournament
from tournaments.services import journal

# What a registration owes is paid by entries of these kinds; a deposit is not among them.
DUES = (
    CashEntry.Kind.STARTGELD,
    CashEntry.Kind.KARTENGELD,
    CashEntry.Kind.STAKE,
    CashEntry.Kind.CREDIT,
    CashEntry.Kind.REFUND,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What part of a receipt is for; money in is positive, in cents."""

    kind: CashEntry.Kind
    amount_cents: int
    registration: Registration | None = None


def book(
    *,
    tournament: Tournament,
    method: Receipt.Method,
    lines: Sequence[Line],
    actor: Actor,
    payer: str = "",
    text: str = "",
    reverses: Receipt | None = None,
) -> Receipt:
    """Write one receipt with its lines. Part of a service that has locked *tournament*.

    The lock is what keeps receipt numbers free of gaps and doubles.

    Raises:
        TournamentError: if there is nothing to book.
    """
    lines = [line for line in lines if line.amount_cents]
    if not lines:
        raise TournamentError(_("Der Beleg hat keinen Betrag. Bitte einen Betrag eingeben."))
    last = tournament.receipts.aggregate(last=Max("number"))["last"] or 0
    receipt = Receipt(
        tournament=tournament,
        number=last + 1,
        method=method,
        payer=payer,
        text=text,
        reverses=reverses,
        created_by=actor.user,
    )
    receipt.full_clean()
    receipt.save(force_insert=True)
    CashEntry.objects.bulk_create(
        CashEntry(
            receipt=receipt,
            kind=line.kind,
            amount_cents=line.amount_cents,
            registration=line.registration,
        )
        for line in lines
    )
    journal.record(
        tournament=tournament,
        actor=actor,
        action="receipt_reversed" if reverses else "receipt_booked",
        subject=receipt,
        after={
            "number": receipt.number,
            "method": receipt.method,
            "lines": [
                [line.kind, line.amount_cents, line.registration and line.registration.pk]
                for line in lines
            ],
        },
        reason=text,
    )
    return receipt


def paid_cents(registration: Registration) -> int:
    """Return what has been paid towards the registration's dues, refunds taken off."""
    entries = registration.cash_entries.filter(kind__in=DUES)
    return entries.aggregate(total=Sum("amount_cents"))["total"] or 0


def till_cents(tournament: Tournament) -> int:
    """Return what must be in the till: all cash in and out, transfers left out."""
    entries = CashEntry.objects.filter(
        receipt__tournament=tournament, receipt__method=Receipt.Method.CASH
    )
    return entries.aggregate(total=Sum("amount_cents"))["total"] or 0


def reverse(*, tournament: Tournament, receipt: Receipt, reason: str, actor: Actor) -> Receipt:
    """Cancel a receipt by one with the opposite amounts; both stay in the book.

    Part of a service that has locked *tournament* and lets statuses follow the money.

    Raises:
        TournamentError: if the receipt is cancelled already, is itself a cancellation, or
            no reason is given.
    """
    if not reason.strip():
        raise TournamentError(_("Ein Storno braucht einen Grund."))
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
    lines = [
        Line(
            kind=CashEntry.Kind(entry.kind),
            amount_cents=-entry.amount_cents,
            registration=entry.registration,
        )
        for entry in receipt.entries.select_related("registration")
    ]
    return book(
        tournament=tournament,
        method=Receipt.Method(receipt.method),
        lines=lines,
        actor=actor,
        payer=receipt.payer,
        text=reason.strip(),
        reverses=receipt,
    )
