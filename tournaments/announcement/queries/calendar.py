"""Tournaments as a calendar file (RFC 5545)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID, uuid5

from django.utils.translation import gettext as _

from tournaments.announcement.queries.ausschreibung_text import moment
from tournaments.announcement.queries.schedule import schedule_days
from tournaments.models import Tournament

if TYPE_CHECKING:
    from icalendar import Event

NAMESPACE = UUID("6f1c6a53-3b7e-4a51-9d0c-5f2f1c0c7a11")  # namespace of the UIDs
PRODUCT = "-//romme-turnier//Ausschreibung//DE"


def uid(tournament: Tournament, part: str = "") -> UUID:
    """Return the id of a tournament, or of a *part* of it, for other programs.

    It does not depend on the address, and archives include it.
    """
    return uuid5(NAMESPACE, f"{tournament.created_at.astimezone(UTC).isoformat()}{part}")


def calendar_file(
    tournaments: Iterable[Tournament],
    *,
    url: Callable[[Tournament], str],
    now: datetime,
    seats: Sequence[str] = (),
) -> bytes:
    """Return the file for tournaments; times in UTC, so that it needs no time zones.

    *seats* are those of one player, in words.

    The UID does not depend on the URL, so importing the file again moves the event
    instead of adding one. Each day is an event, and has an end only if its last Serie has one.
    """
    # Imported here, because it loads slowly.
    from icalendar import Calendar, Timezone  # noqa: PLC0415

    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    for tournament in tournaments:
        for day in tournament.days.numbers or [1]:
            calendar.add_component(_event(tournament, day, url(tournament), now, seats))
    if not calendar.subcomponents:  # a calendar needs one; this one is invisible
        calendar.add_component(Timezone.from_tzid("UTC"))
    return bytes(calendar.to_ical())


def _event(
    tournament: Tournament, day: int, url: str, now: datetime, seats: Sequence[str]
) -> Event:
    from icalendar import Event  # noqa: PLC0415

    event = Event()
    begins, ends = _span(tournament, day)
    plan = [
        line.text for line in schedule_days(tournament) if line.date == tournament.days.date(day)
    ]
    event.add("uid", str(uid(tournament, f"day {day}" if day > 1 else "")))
    event.add("dtstamp", now)
    event.add("sequence", tournament.revision)
    event.add("dtstart", begins)
    if ends is not None:
        event.add("dtend", ends)
    if tournament.is_called_off:
        event.add("status", "CANCELLED")
    event.add("summary", tournament.name)
    deadline = _("Meldeschluss: {moment}").format(moment=moment(tournament.registration_deadline))
    lines = [*seats, *plan, tournament.called_off_note, deadline, url]
    event.add("description", "\n".join(filter(None, lines)))
    event.add("url", url)
    if tournament.location:
        event.add("location", tournament.location)
    return event


def _span(tournament: Tournament, day: int) -> tuple[datetime, datetime | None]:
    """Return when a day begins and ends, in UTC; None if its end is not known."""
    days = tournament.days
    serien = [serie for serie in tournament.serien.all() if days.of_serie(serie.number) == day]
    opening = tournament.starts_at.astimezone(UTC)  # a span is added to it, on any night
    begins = ends = opening if day == 1 else None
    for serie in serien:
        planned = days.begins(serie.number)
        begins = begins or planned
        starts, limit = planned or ends, serie.time_limit_minutes
        ends = starts + timedelta(minutes=limit) if starts and limit else None
    return begins or opening, ends
