"""What goes back to whom when a tournament is called off; in cents."""

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
    """Return what goes back to each person, by start number; three queries.

    It is all that was paid, whatever became of the registration, and goes the way it came.
    """
    ways = ways_back(tournament)
    return [
        Refund(
            registration=one.registration,
            cents=one.paid_cents + one.kaution_cents,
            kaution_cents=one.kaution_cents,
            method=ways.get(one.registration.pk, BANK),
        )
        for one in by_person(tournament)["persons"]
        if one.registration is not None and one.paid_cents + one.kaution_cents > 0
    ]


def refund_cents(registrations: Iterable[int | None]) -> int:
    """Return what goes back for these registrations together; one query."""
    kinds = [*balances.DUES, CashEntry.Kind.KAUTION]
    entries = CashEntry.objects.filter(registration__in=registrations, kind__in=kinds)
    sums = entries.order_by().values("registration").annotate(cents=Sum("amount_cents"))
    return sum(max(0, one["cents"]) for one in sums)


def refund_list(tournament: Tournament) -> dict[str, Any]:
    """Return what goes back, by person and by way of payment, for its page and for paper."""
    found = refunds(tournament) if tournament.is_called_off else []
    ways = {way: [one.cents for one in found if one.method == way] for way in (CASH, CARD, BANK)}
    return {
        "refunds": found,
        "ways": [(way, len(cents), sum(cents)) for way, cents in ways.items() if cents],
        "total_cents": sum(one.cents for one in found),
    }
