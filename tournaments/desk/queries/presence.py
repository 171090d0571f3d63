"""Who is in the hall: how many of all who take part, and who is not ticked off."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from tournaments.models import Registration, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class Presence:
    """How many are there of those who take part."""

    present: int
    expected: int

    @property
    def is_used(self) -> bool:
        """Whether anybody was ticked off; a club that never does sees no „0 von 47“."""
        return self.present > 0


def present_counter(tournament: Tournament) -> Presence:
    """Return how many of those who take part are in the hall; one query."""
    found = tournament.registrations.filter(status__in=Registration.TAKING_PART).aggregate(
        expected=Count("pk"), present=Count("pk", filter=Q(present_at__isnull=False))
    )
    return Presence(**found)


def unticked(tournament: Tournament) -> QuerySet[Registration]:
    """Return who has paid and may be drawn, but was neither ticked off nor ever seated."""
    found = tournament.registrations.filter(
        status=Registration.Status.PAID, present_at__isnull=True, seats__isnull=True
    )
    return found.select_related("person").order_by("number")
