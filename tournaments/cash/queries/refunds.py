"""The refunds when a tournament is called off, in cents."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Sum

from tournaments.cash.queries import balances
from tournaments.cash.queries.payment_ways import ways_back
from tournaments.cash.queries.report import by_person
from tournaments.models import CashEntry, Receipt, Registration, Tournament

CASH, CARD, BANK = Receipt.Method.CASH, Receipt.Method.CARD, Receipt.Method.BANK


@dataclass(frozen=True, slots=True, kw_only=True)
class Refund:
    """The money that one person gets back, and the way it came."""

    registration: Registration
    cents: int  # with the Kaution
    kaution_cents: int
    method: Receipt.Method


def refunds(tournament: Tournament) -> list[Refund]:
    """Return the refund of each person, by start number; three queries.

    The refund is the whole paid amount, whatever the status of the registration, by the method of
    the payment.
    """
    ways = ways_back(tournament)
    return [
        Refund(
            registration=person_sum.registration,
            cents=person_sum.paid_cents + person_sum.kaution_cents,
            kaution_cents=person_sum.kaution_cents,
            method=ways.get(person_sum.registration.pk, BANK),
        )
        for person_sum in by_person(tournament)["persons"]
        if person_sum.registration is not None
        and person_sum.paid_cents + person_sum.kaution_cents > 0
    ]


def refund_cents(registrations: Iterable[int | None]) -> int:
    """Return the refunds of these registrations in cents; one query."""
    kinds = [*balances.DUES, CashEntry.Kind.KAUTION]
    entries = CashEntry.objects.filter(registration__in=registrations, kind__in=kinds)
    sums = entries.order_by().values("registration").annotate(cents=Sum("amount_cents"))
    return sum(max(0, row["cents"]) for row in sums)


def refund_list(tournament: Tournament) -> dict[str, Any]:
    """Return the refunds by person and by way of payment, for their page and for paper."""
    due = refunds(tournament) if tournament.is_called_off else []
    ways = {
        way: [refund.cents for refund in due if refund.method == way] for way in (CASH, CARD, BANK)
    }
    return {
        "refunds": due,
        "ways": [(way, len(cents), sum(cents)) for way, cents in ways.items() if cents],
        "total_cents": sum(refund.cents for refund in due),
    }
