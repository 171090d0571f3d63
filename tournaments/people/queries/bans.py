"""Bans in force (§ 1.4)."""

from __future__ import annotations

from datetime import date

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.models import Ban, Person


def current(today: date | None = None) -> QuerySet[Ban]:
    """Return the bans in force on *today*, by the date in Germany."""
    return overlapping(today or timezone.localdate(), today or timezone.localdate())


def overlapping(starts_on: date, ends_on: date | None) -> QuerySet[Ban]:
    """Return bans not lifted that share a day with the period; None: without end."""
    bans = Ban.objects.filter(lifted_at__isnull=True).filter(
        Q(ends_on__isnull=True) | Q(ends_on__gte=starts_on)
    )
    return bans if ends_on is None else bans.filter(starts_on__lte=ends_on)


def ban_reason_for(person: Person, reason: str | None, owner_id: int) -> str:
    """Return the reason of a ban that the organiser *owner_id* may read; "" without one.

    For a lent person it names the organiser to ask.
    """
    if not reason or person.owner_id == owner_id:
        return reason or ""
    return _("Warum, bitte {organiser} fragen.").format(organiser=person.owner)
