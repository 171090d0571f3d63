"""The open transfers, and the registrations that may have sent them."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Q, QuerySet

from tournaments.cash.bank.queries import matching
from tournaments.cash.queries import balances
from tournaments.models import BankTransaction, Registration, Tournament

# Statuses whose transfers can be booked; from others the money goes back.
PAYING = Registration.COMING


def matches(tournament: Tournament) -> dict[int, matching.Match]:
    """Return the match for each open transfer, by its key; four queries."""
    waiting = list(open_transfers(tournament))
    paid = balances.paid_by_registration(tournament)
    others = tournament.bank_transactions.exclude(pk__in=[transfer.pk for transfer in waiting])
    return matching.match(
        waiting,
        [
            matching.Payer(
                key=registration.pk,
                number=registration.number,
                first_name=registration.person.first_name,
                last_name=registration.person.last_name,
                open_cents=open_cents(registration, paid),
            )
            for registration in senders(tournament)
        ],
        known=others,
    )


def senders(tournament: Tournament) -> QuerySet[Registration]:
    """Return the registrations that may have sent money: also those whose money goes back."""
    return tournament.registrations.select_related("person")


def open_cents(registration: Registration, paid: Mapping[int, int]) -> int:
    """Return the cents still to be paid; *paid* as of ``balances.paid_by_registration``."""
    if registration.status not in PAYING:
        return 0
    return max(0, registration.due_cents - paid.get(registration.pk, 0))


# A transfer whose receipt was cancelled is open again. The link stays until it is booked
# again, so that cancelling a receipt needs no code for transfers.
IS_BOOKED = Q(receipt__isnull=False, receipt__reversed_by__isnull=True)


def open_transfers(tournament: Tournament) -> QuerySet[BankTransaction]:
    """Return transfers neither booked nor set aside, the oldest first."""
    return (
        tournament.bank_transactions.exclude(IS_BOOKED)
        .filter(set_aside_reason="")
        .select_related("receipt")
        .order_by("booked_on", "pk")
    )
