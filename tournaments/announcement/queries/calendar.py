"""A tournament as a calendar file (RFC 5545)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid5

from django.utils.translation import gettext as _

from tournaments.announcement.queries.ausschreibung_text import moment
from tournaments.models import Tournament

NAMESPACE = UUID("6f1c6a53-3b7e-4a51-9d0c-5f2f1c0c7a11")  # of the tournaments of this program
PRODUCT = "-//romme-turnier//Ausschreibung//DE"


def calendar_file(tournament: Tournament, *, url: str, now: datetime) -> bytes:
    """Return the file for a tournament; times in UTC, so that it needs no time zones.

    The same tournament keeps its name in the calendar, whatever address it is read by, so
    reading the file again after a change moves the entry instead of adding one. It has an end
    only where every Serie has a time limit.
    """
    # Loaded by whom it is asked for: it would be a thirtieth of what the start takes.
    from icalendar import Calendar, Event  # noqa: PLC0415

    event = Event()
    event.add("uid", str(uuid5(NAMESPACE, tournament.created_at.astimezone(UTC).isoformat())))
    event.add("dtstamp", now)
    event.add("sequence", tournament.revision)
    event.add("dtstart", tournament.starts_at)
    length = _length(tournament)
    if length is not None:
        event.add("dtend", tournament.starts_at + length)
    event.add("summary", tournament.name)
    event.add("description", _description(tournament, url))
    event.add("url", url)
    place = ", ".join(filter(None, [tournament.venue, tournament.venue_address]))
    if place:
        event.add("location", place)
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add_component(event)
    return bytes(calendar.to_ical())


def _length(tournament: Tournament) -> timedelta | None:
    limits = list(tournament.serien.values_list("time_limit_minutes", flat=True))
    if not limits or None in limits:
        return None
    return timedelta(minutes=sum(limit or 0 for limit in limits))


def _description(tournament: Tournament, url: str) -> str:
    deadline = _("Meldeschluss: {moment}").format(moment=moment(tournament.registration_deadline))
    return f"{deadline}\n{url}"
