"""What the book comes to: paid by somebody, held as Kaution, in the till; in cents."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q, Sum
from django.utils import timezone

from tournaments.models import CashEntry, Receipt, Registration, Tournament

# What a registration owes is paid by entries of these kinds; a deposit is not among them.
DUES = (
    CashEntry.Kind.STARTGELD,
    CashEntry.Kind.KARTENGELD,
    CashEntry.Kind.STAKE,
    CashEntry.Kind.CREDIT,
    CashEntry.Kind.REFUND,
)


def paid_cents(registration: Registration) -> int:
    """Return what has been paid towards the registration's dues, refunds taken off."""
    entries = registration.cash_entries.filter(kind__in=DUES)
    return entries.aggregate(total=Sum("amount_cents"))["total"] or 0


def paid_by_registration(tournament: Tournament) -> dict[int, int]:
    """Return what ``paid_cents`` says for every registration anything is booked for."""
    entries = CashEntry.objects.filter(receipt__tournament=tournament, kind__in=DUES)
    sums = entries.order_by().values_list("registration").annotate(total=Sum("amount_cents"))
    return {key: total for key, total in sums if key is not None}


def kaution_cents(registration: Registration) -> int:
    """Return the deposit that is held for a registration."""
    held = registration.cash_entries.filter(kind=CashEntry.Kind.KAUTION)
    return held.aggregate(total=Sum("amount_cents"))["total"] or 0


_STANDS = Q(receipt__reverses__isnull=True, receipt__reversed_by__isnull=True)
# A Kaution that was taken, and perhaps given back since.
KAUTION_TAKEN = Q(_STANDS, kind=CashEntry.Kind.KAUTION, amount_cents__gt=0)
# The change that the till was opened with.
OPENING = Q(_STANDS, kind=CashEntry.Kind.OPENING)


def kaution_due_cents(tournament: Tournament, registration: Registration) -> int:
    """Return the deposit that has never been taken from somebody; one given back has been."""
    if not tournament.kaution_cents:
        return 0
    was_taken = registration.cash_entries.filter(KAUTION_TAKEN).exists()
    return 0 if was_taken else tournament.kaution_cents


def till_cents(tournament: Tournament) -> int:
    """Return what must be in the till: all cash in and out, transfers left out."""
    entries = CashEntry.objects.filter(
        receipt__tournament=tournament, receipt__method=Receipt.Method.CASH
    )
    return entries.aggregate(total=Sum("amount_cents"))["total"] or 0


def refund_allowed(tournament: Tournament, now: datetime) -> bool:
    """Whether the Ausschreibung pays the Startgeld back to somebody who withdraws now."""
    return tournament.refund_until is not None and now <= tournament.refund_until


def spare_cents(registration: Registration, now: datetime | None = None) -> int:
    """Return what somebody has paid too much: what can be paid back or moved.

    Who waits for a place owes nothing yet, and who withdrew in time nothing any more. Who
    withdrew too late, stayed away or was excluded (§ 1.4) has lost the Startgeld.
    """
    owes_nothing = registration.status == Registration.Status.WAITING or (
        registration.status == Registration.Status.WITHDRAWN
        and refund_allowed(registration.tournament, now or timezone.now())
    )
    kept = 0 if owes_nothing else registration.due_cents
    return max(0, paid_cents(registration) - kept)


def is_open(tournament: Tournament) -> bool:
    """Whether change for the start has been booked and not cancelled since."""
    return CashEntry.objects.filter(OPENING, receipt__tournament=tournament).exists()
