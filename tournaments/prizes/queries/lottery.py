"""The lottery of a tournament, and who takes part in it."""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from tournaments.desk.queries.presence import is_here, today
from tournaments.models import Lottery, Registration, Seat, Tournament
from tournaments.people.queries.naming import Readers

LOTTERY = "verlosung"  # pot and ranking of its payouts


def current_lottery(tournament: Tournament) -> Lottery | None:
    """Return the lottery that is not withdrawn; one query."""
    return tournament.lotteries.filter(withdrawn_at__isnull=True).first()


def lottery_on_screen(tournament: Tournament, readers: Readers) -> dict[str, Any] | None:
    """Return the lottery for a wall: participants and hash, then the winners.

    Players who were excluded since then win nothing.
    """
    lottery = current_lottery(tournament)
    if lottery is None:
        return None
    numbers = [number for number, _thing in lottery.winners]
    named = tournament.registrations.filter(number__in=numbers).select_related("person")
    winners = {each.number: each for each in named if each.status != Registration.Status.EXCLUDED}
    return {
        "seed_hash": lottery.seed_hash,
        "players": len(lottery.field),
        "is_drawn": lottery.drawn_at is not None,
        "won": [
            (thing, number, readers.list_name(winners[number]))
            for number, thing in lottery.winners
            if number in winners
        ],
    }


def participants(tournament: Tournament) -> QuerySet[Registration]:
    """Return the participants of a lottery now: all who are present.

    They are ticked as present, or have a seat in the last Serie and no tick that was undone.
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
