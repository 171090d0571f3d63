"""The counts of the till, and what has become of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from tournaments.models import CashCount, Receipt, Tournament

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    class _Since(TypedDict):
        is_outdated: bool
        booked: int | None

    ShownCount = WithAnnotations[CashCount, _Since]
else:
    ShownCount = CashCount


def counts(tournament: Tournament) -> QuerySet[ShownCount]:
    """Return the counts of the till, the last one first; one query.

    ``booked`` is the number of the receipt that booked the difference. A count is
    ``is_outdated`` if other cash moved since, whatever it came to.
    """
    booked = Receipt.objects.filter(difference_of=OuterRef("pk")).values("number")[:1]
    moved = Receipt.objects.filter(
        tournament=OuterRef("tournament"),
        method=Receipt.Method.CASH,
        created_at__gt=OuterRef("created_at"),
    ).exclude(difference_of=OuterRef("pk"))
    return (
        tournament.cash_counts.select_related("created_by")
        .annotate(is_outdated=Exists(moved), booked=Subquery(booked))
        .order_by("-pk")
    )
