"""The time in which players may object to a notice."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import QuerySet

from tournaments.models import Notice, Tournament


def objection_deadline(notice: Notice) -> datetime | None:
    """Return the end of the time to object; None if the player was not told.

    The time runs from the telling, not from the correction.
    """
    if notice.told_at is None:
        return None
    minutes = notice.correction.tournament.protest_minutes
    return notice.told_at + timedelta(minutes=minutes)


def open_to_objection(tournament: Tournament, now: datetime) -> QuerySet[Notice]:
    """Return the notices to which players may still object, acknowledged ones included."""
    minutes = timedelta(minutes=tournament.protest_minutes)
    notices = Notice.objects.filter(correction__tournament=tournament, told_at__gte=now - minutes)
    return notices.exclude(response=Notice.Response.OBJECTED).select_related(
        "correction__tournament"
    )


def may_object(notice: Notice, now: datetime) -> bool:
    """Whether the player may object; in a closed tournament only if told in time."""
    until = objection_deadline(notice)
    if until is None:
        return not notice.correction.tournament.is_read_only
    return now <= until
