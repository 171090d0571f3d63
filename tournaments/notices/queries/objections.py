"""The time in which players may object to a notice."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import QuerySet

from tournaments.models import Notice, Tournament


def objection_deadline(notice: Notice) -> datetime | None:
    """Return until when the player may object; None before the player was told.

    The time runs from the moment of telling, not of the correction.
    """
    if notice.told_at is None:
        return None
    minutes = notice.correction.tournament.protest_minutes
    return notice.told_at + timedelta(minutes=minutes)


def open_to_objection(tournament: Tournament, now: datetime) -> QuerySet[Notice]:
    """Return the notices to which their players may still object, also those acknowledged."""
    minutes = timedelta(minutes=tournament.protest_minutes)
    notices = Notice.objects.filter(correction__tournament=tournament, told_at__gte=now - minutes)
    return notices.exclude(response=Notice.Response.OBJECTED).select_related(
        "correction__tournament"
    )


def may_object(notice: Notice, now: datetime) -> bool:
    """Whether the time to object still runs; in a closed tournament only for who was told."""
    until = objection_deadline(notice)
    if until is None:
        return not notice.correction.tournament.is_read_only
    return now <= until
