"""The way of payment by which a person's money came, and by which it goes back."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from operator import itemgetter

from tournaments.cash.queries.balances import DUES
from tournaments.models import CashEntry, Receipt, Registration, Tournament

Method = Receipt.Method
Purse = list[tuple[Method, int]]  # cents with the way that they came, the oldest first


def ways_back(tournament: Tournament) -> dict[int, Method]:
    """Return the way of a refund for each registration with money; one query.

    It is cash if some was paid in cash, else the card, else the account. Credit moved from
    another person came the way of that person's last payment.
    """
    return {
        key: next(way for way in (Method.CASH, Method.CARD, Method.BANK) if way in ways)
        for key, purse in _purses(tournament).items()
        if (ways := {way for way, cents in purse if cents})
    }


def way_back(registration: Registration) -> Method:
    """Return how the money of one registration goes back; one query."""
    return ways_back(registration.tournament).get(registration.pk, Method.BANK)


def _purses(tournament: Tournament) -> dict[int, Purse]:
    entries = CashEntry.objects.filter(
        receipt__tournament=tournament,
        kind__in=(*DUES, CashEntry.Kind.KAUTION),
        registration__isnull=False,
    ).order_by("receipt__number", "pk")
    rows = entries.values_list("receipt__number", "receipt__method", "registration", "amount_cents")
    purses: dict[int, Purse] = {}
    for (_number, method), lines in groupby(rows, key=itemgetter(0, 1)):
        sums: Counter[int] = Counter()
        for _of, _way, key, cents in lines:
            if key is not None:
                sums[key] += cents
        moved: Purse = []
        for key, cents in sums.items():
            if cents < 0:
                moved += _take(purses.setdefault(key, []), -cents, method)
        for key, cents in sums.items():
            if cents > 0:
                came = [(Method(method), cents)]
                purse = _take(moved, cents, method) if method == Method.INTERNAL else came
                purses.setdefault(key, []).extend(purse)
    return purses


def _take(purse: Purse, cents: int, method: str) -> Purse:
    """Take an amount out of a purse: first the payments by *method*, then the newest."""
    taken: Purse = []
    order = [at for at, (way, _cents) in enumerate(purse) if way != method]
    order += [at for at, (way, _cents) in enumerate(purse) if way == method]
    for at in reversed(order):
        way, available = purse[at]
        part = min(available, cents)
        cents -= part
        purse[at] = (way, available - part)
        if part:
            taken.append((way, part))
    return taken
