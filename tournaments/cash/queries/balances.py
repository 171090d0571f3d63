"""Balances of the cash book: paid dues, Kaution held, cash in the till; in cents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, Sum
from django.utils import timezone

from tournaments.models import CashEntry, Receipt, Registration, Seat, Tournament

# Entries of these kinds pay the dues of a registration; the Kaution is not a due.
DUES = (
    CashEntry.Kind.STARTGELD,
    CashEntry.Kind.KARTENGELD,
    CashEntry.Kind.STAKE,
    CashEntry.Kind.CREDIT,
    CashEntry.Kind.REFUND,
)


def paid_cents(registration: Registration) -> int:
    """Return the cents paid towards the registration's dues, minus refunds."""
    entries = registration.cash_entries.filter(kind__in=DUES)
    return entries.aggregate(total=Sum("amount_cents"))["total"] or 0


def booked_by_kind(registrations: Iterable[Registration]) -> dict[int, Counter[CashEntry.Kind]]:
    """Return the parts of ``paid_cents`` of each registration, by kind; one query."""
    booked: dict[int, Counter[CashEntry.Kind]] = {
        registration.pk: Counter() for registration in registrations
    }
    entries = CashEntry.objects.filter(registration__in=booked, kind__in=DUES).order_by()
    sums = entries.values_list("registration", "kind").annotate(total=Sum("amount_cents"))
    for key, kind, cents in sums:
        if key is not None:
            booked[key][CashEntry.Kind(kind)] = cents
    return booked


def paid_by_registration(tournament: Tournament) -> dict[int, int]:
    """Return ``paid_cents`` for every registration that has entries, by its key."""
    entries = CashEntry.objects.filter(receipt__tournament=tournament, kind__in=DUES)
    sums = entries.order_by().values_list("registration").annotate(total=Sum("amount_cents"))
    return {key: total for key, total in sums if key is not None}


def kaution_cents(registration: Registration) -> int:
    """Return the Kaution in cents that is held for a registration."""
    held = registration.cash_entries.filter(kind=CashEntry.Kind.KAUTION)
    return held.aggregate(total=Sum("amount_cents"))["total"] or 0


def kautionen(tournament: Tournament) -> list[tuple[int, int | None, int]]:
    """Return the Kautionen that are held: registration, start number and cents; one query."""
    entries = CashEntry.objects.filter(
        receipt__tournament=tournament, kind=CashEntry.Kind.KAUTION, registration__isnull=False
    )
    sums = entries.values_list("registration", "registration__number")
    held = sums.annotate(cents=Sum("amount_cents")).filter(cents__gt=0)
    return list(held.order_by("registration__number", "registration"))


_NOT_CANCELLED = Q(receipt__reverses__isnull=True, receipt__reversed_by__isnull=True)
# A Kaution that was taken, perhaps returned since.
KAUTION_TAKEN = Q(_NOT_CANCELLED, kind=CashEntry.Kind.KAUTION, amount_cents__gt=0)
# The change that the till was opened with.
OPENING = Q(_NOT_CANCELLED, kind=CashEntry.Kind.OPENING)


def kaution_due_cents(tournament: Tournament, registration: Registration) -> int:
    """Return the Kaution in cents still to be taken; 0 if it was ever taken."""
    if not tournament.kaution_cents:
        return 0
    was_taken = registration.cash_entries.filter(KAUTION_TAKEN).exists()
    return 0 if was_taken else tournament.kaution_cents


def till_cents(tournament: Tournament) -> int:
    """Return the cents that must be in the till: all cash in and out, without transfers."""
    entries = CashEntry.objects.filter(
        receipt__tournament=tournament, receipt__method=Receipt.Method.CASH
    )
    return entries.aggregate(total=Sum("amount_cents"))["total"] or 0


def refund_allowed(registration: Registration, now: datetime) -> bool:
    """Whether the Startgeld goes back after a withdrawal at *now*, without a reason.

    It does until the time in the Ausschreibung, and until the person's first Serie begins.
    """
    until = registration.tournament.refund_until
    return until is not None and now <= until and not registration.seats.begun().exists()


def gets_back(registration: Registration, now: datetime) -> bool:
    """Whether a registration gets back all that it paid.

    It is on the waiting list, or was withdrawn in time, see :func:`refund_allowed`.
    """
    return registration.status == Registration.Status.WAITING or (
        registration.status == Registration.Status.WITHDRAWN and refund_allowed(registration, now)
    )


def gets_back_condition(tournament: Tournament, now: datetime) -> Q:
    """Return the condition of the registrations of which :func:`gets_back` is true."""
    waits = Q(status=Registration.Status.WAITING)
    if tournament.refund_until is None or now > tournament.refund_until:
        return waits
    seats = Seat.objects.begun().filter(registration=OuterRef("pk"))
    return waits | Q(~Exists(seats), status=Registration.Status.WITHDRAWN)


def spare_cents(registration: Registration, now: datetime | None = None) -> int:
    """Return the credit of a registration in cents, which can be refunded or moved.

    After a late withdrawal, a no-show or an exclusion (§ 1.4) the Startgeld is lost.
    """
    kept = 0 if gets_back(registration, now or timezone.now()) else registration.due_cents
    return max(0, paid_cents(registration) - kept)


def forfeited_cents(registration: Registration, paid: int) -> int:
    """Return the cents of *paid* that an excluded person does not get back (§ 1.4)."""
    is_lost = registration.status == Registration.Status.EXCLUDED
    if not is_lost or registration.tournament.is_called_off:
        return 0
    return max(0, min(paid, registration.due_cents))


def is_open(tournament: Tournament) -> bool:
    """Whether the opening change was booked and not cancelled since."""
    return CashEntry.objects.filter(OPENING, receipt__tournament=tournament).exists()
