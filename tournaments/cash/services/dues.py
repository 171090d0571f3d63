"""What a registration owes, and whether it is paid."""

from __future__ import annotations

from tournaments.cash.queries import balances
from tournaments.cash.services import cash
from tournaments.common.actors import Actor
from tournaments.journal import services as journal
from tournaments.models import CashEntry, Registration


def dues(registration: Registration) -> list[tuple[CashEntry.Kind, int]]:
    """Return what the registration owes, by kind, in cents and in the order of payment."""
    stakes = sum(ranking.stake_cents for ranking in registration.rankings.all())
    return [
        (CashEntry.Kind.STARTGELD, registration.category.startgeld_cents),
        (CashEntry.Kind.KARTENGELD, registration.tournament.kartengeld_cents),
        (CashEntry.Kind.STAKE, stakes),
    ]


def due_lines(
    registration: Registration, paid_cents: int, amount_cents: int
) -> list[cash.ReceiptLine]:
    """Return what a payment is for, after *paid_cents* came in before; as ``cash.spread``."""
    return [
        cash.ReceiptLine(kind, cents, registration)
        for kind, cents in cash.spread(dues(registration), paid_cents, amount_cents)
    ]


def set_due(registration: Registration) -> None:
    """Write the sum of the dues; the only place that does."""
    registration.due_cents = sum(cents for _kind, cents in dues(registration))
    registration.save(update_fields=["due_cents"])


def update_paid_status(registration: Registration, actor: Actor) -> None:
    """Let the status follow the money: paid in full or not. Part of a service that locked."""
    if not registration.takes_part:
        return
    is_paid = balances.paid_cents(registration) >= registration.due_cents
    status = Registration.Status.PAID if is_paid else Registration.Status.REGISTERED
    if status == registration.status:
        return
    before, registration.status = registration.status, status
    registration.save(update_fields=["status"])
    journal.record(
        registration.tournament,
        actor,
        "registration_status",
        registration,
        before={"status": before},
        after={"status": status},
    )
