"""The lottery of a tournament: who is there, and the one in force."""

from __future__ import annotations

from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from tournaments.desk.queries.presence import is_here, today
from tournaments.models import Lottery, Registration, Seat, Tournament

LOTTERY = "verlosung"  # pot and ranking of its payouts


def in_force(tournament: Tournament) -> Lottery | None:
    """Return the lottery that was not withdrawn; one query."""
    return tournament.lotteries.filter(withdrawn_at__isnull=True).first()


def there(tournament: Tournament) -> QuerySet[Registration]:
    """Return who takes part in the lottery now: all who are there and have not left.

    That is who is ticked off, or has a seat in the last Serie and no tick that was taken back.
    """
    last = tournament.serien.filter(seats__isnull=False).aggregate(last=Max("number"))["last"]
    seats = Seat.objects.filter(registration=OuterRef("pk"), serie__number=last or 0)
    seated = Q(Exists(seats), unticked_at__isnull=True)
    return (
        tournament.registrations.filter(
            today(tournament),
            is_here(tournament) | seated,
            number__isnull=False,
            status__in=Registration.TAKING_PART,
            gone_after__isnull=True,
        )
        .select_related("person")
        .order_by("number")
    )
