"""Free places, and who from the waiting list is asked for them."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q, QuerySet

from tournaments.models import Registration, Tournament

Status = Registration.Status


def takes_answers(tournament: Tournament, now: datetime) -> bool:
    """Whether an offered place can be taken: on the day of the tournament the desk decides."""
    return tournament.is_announced and not tournament.has_come(now)


def moves_up(tournament: Tournament, now: datetime) -> bool:
    """Whether the program asks the waiting list by itself."""
    return tournament.offer_hours is not None and takes_answers(tournament, now)


def waiting_list(tournament: Tournament) -> QuerySet[Registration]:
    """Return the waiting list, the first one first; not who waits for approval (§ 1.1)."""
    registrations = tournament.registrations.filter(status=Status.WAITING, approval="")
    return registrations.order_by("waiting_since", "pk")


def free_places(
    tournament: Tournament, now: datetime, *, to: Registration | None = None
) -> int | None:
    """Return how many places neither belong nor are offered to others; None: any number.

    Args:
        tournament: with its places.
        now: at which offers are still open.
        to: who waits for one. Without, they are for somebody new, who comes after all whom the
            program has yet to ask.
    """
    if tournament.places is None:
        return None
    condition = Q(status__in=Registration.TAKING_PART)
    registrations = tournament.registrations.all()
    if takes_answers(tournament, now):
        condition |= Q(offered_until__gt=now)
    if to is not None:
        registrations = registrations.exclude(pk=to.pk)
    elif moves_up(tournament, now):
        condition |= Q(status=Status.WAITING, approval="", offered_until__isnull=True)
    return max(0, tournament.places - registrations.filter(condition).count())


def next_in_line(tournament: Tournament, now: datetime) -> list[Registration]:
    """Return who has to be asked now, one for each free place; three queries at most."""
    if not moves_up(tournament, now):
        return []
    unasked = waiting_list(tournament).filter(offered_until__isnull=True)
    first = unasked.first()
    return list(unasked[: free_places(tournament, now, to=first)]) if first else []
