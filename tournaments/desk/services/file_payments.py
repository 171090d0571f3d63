"""Payments in a file of registrations: method and amount."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from tournaments.cash.services.dues import due_cents
from tournaments.common import names
from tournaments.common.digits import parse_euro
from tournaments.models import Ranking, Receipt, Registration

Method = Receipt.Method

_NOT_PAID = frozenset({"", "nein", "n", "no", "0", "offen"})
_YES = frozenset({"1"})  # not an amount
WAYS: dict[Method, tuple[str, ...]] = {
    Method.CASH: ("bar", "cash"),
    Method.CARD: ("karte", "card", "girocard"),
    Method.BANK: ("ueberw", "uberw", "bank", "konto", "transfer", "sepa"),
}


@dataclass(frozen=True, slots=True)
class FilePayment:
    """The payment in a row."""

    method: Method | None  # None: the row names no method
    cents: int  # by default all dues, without the Kaution


class WayTotal(NamedTuple):
    """The number of rows with a method of payment, and their sum in cents."""

    method: Method | None
    persons: int
    cents: int


def parse_payment(cell: str, new: Registration, rankings: Iterable[Ranking]) -> FilePayment | None:
    """Return the payment in a cell for a registration not stored yet; None if unpaid."""
    if names.sort_key(cell) in _NOT_PAID:
        return None
    words = names.search_words(cell)
    ways = (
        method for method, begins in WAYS.items() if any(word.startswith(begins) for word in words)
    )
    amounts = (parse_euro(word) for word in cell.split() if word not in _YES)
    cents = next((amount for amount in amounts if amount), None)
    return FilePayment(next(ways, None), due_cents(new, rankings) if cents is None else cents)


def payments_by_way(payments: Iterable[FilePayment]) -> list[WayTotal]:
    """Return the totals by method, those without a method last."""
    paid = list(payments)
    totals = []
    for method in (*WAYS, None):
        amounts = [each.cents for each in paid if each.method == method]
        if amounts:
            totals.append(WayTotal(method, len(amounts), sum(amounts)))
    return totals
