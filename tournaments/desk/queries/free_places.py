"""Free places, and the next persons of the waiting list."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q, QuerySet

from tournaments.models import Registration, Tournament

Status = Registration.Status


def may_answer_offers(tournament: Tournament, now: datetime) -> bool:
    """Whether a person can take an offered place: until the day of the tournament."""
    return tournament.is_announced and not tournament.has_come(now)


def has_automatic_offers(tournament: Tournament, now: datetime) -> bool:
    """Whether the program offers free places automatically."""
    return tournament.offer_hours is not None and may_answer_offers(tournament, now)


def waiting_list(tournament: Tournament) -> QuerySet[Registration]:
    """Return the waiting list, the first one first, without those who wait for approval (§ 1.1)."""
    registrations = tournament.registrations.filter(status=Status.WAITING, approval="")
    return registrations.order_by("waiting_since", "pk")


def free_places(
    tournament: Tournament, now: datetime, *, to: Registration | None = None
) -> int | None:
    """Return the number of places neither taken nor offered; None: no limit.

    Args:
        tournament: with its places.
        now: the time for which open offers count.
        to: a registration that waits for a place. Without it the places are for a new person,
            and those of the waiting list come first.
    """
    if tournament.places is None:
        return None
    condition = Q(status__in=Registration.TAKING_PART)
    registrations = tournament.registrations.all()
    if may_answer_offers(tournament, now):
        condition |= Q(offered_until__gt=now)
    if to is not None:
        registrations = registrations.exclude(pk=to.pk)
    elif has_automatic_offers(tournament, now):
        condition |= Q(status=Status.WAITING, approval="", offered_until__isnull=True)
    return max(0, tournament.places - registrations.filter(condition).count())


def next_in_line(tournament: Tournament, now: datetime) -> list[Registration]:
    """Return the next registrations to ask, one for each free place; three queries at most."""
    if not has_automatic_offers(tournament, now):
        return []
    unasked = waiting_list(tournament).filter(offered_until__isnull=True)
    first = unasked.first()
    return list(unasked[: free_places(tournament, now, to=first)]) if first else []
