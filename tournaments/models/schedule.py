"""The Zeitplan: the start of each Serie, the events between them, and the days that follow.

It is stored as entries of a tournament: days after its first one, a time, and a Serie or a text.
Days are counted from 1; a Serie without an entry is played on the day of the one before it. A
Serie before 5:00 belongs to the evening before, unless it starts a day of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from typing import Any

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

MOST_DAYS = 9  # a registration names its days by one digit each
MOST_LATER = 365  # days between the first and the last one
LONGEST_TEXT = 80
NIGHT_ENDS = time(5)


def local_moment(day: date, clock: time) -> datetime:
    """Return a local day and time in UTC, so that a span may be added on any night."""
    return timezone.make_aware(datetime.combine(day, clock)).astimezone(UTC)


def evening_of(moment: datetime) -> date:
    """Return the date of a moment, in local time; before 5:00 that of the evening before."""
    local = timezone.localtime(moment)
    return local.date() - timedelta(days=local.time() < NIGHT_ENDS)


@dataclass(frozen=True, slots=True, order=True)
class ScheduleItem:
    """A line of the Zeitplan: the beginning of a Serie, or something else if ``serie`` is 0."""

    day: int  # days after the first one
    time: time
    serie: int = 0
    text: str = ""
    own_day: bool = False  # a Serie before 5:00 that does not belong to the evening before

    @property
    def is_at_night(self) -> bool:
        """Whether it may belong to an evening before."""
        return self.day > 0 and self.time < NIGHT_ENDS

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> ScheduleItem:
        """Return the entry for its stored form."""
        clock = time.fromisoformat(stored["time"])
        serie, text = stored.get("serie", 0), stored.get("text", "")
        return cls(stored["day"], clock, serie, text, stored.get("own_day", False))

    def stored(self) -> dict[str, Any]:
        """Return the entry as JSON."""
        content = {"serie": self.serie} if self.serie else {"text": self.text}
        own = {"own_day": True} if self.own_day else {}
        return {"day": self.day, "time": self.time.isoformat("minutes"), **content, **own}


def check_schedule(value: Any) -> None:
    """Refuse a value that is no list of entries with each Serie once.

    Raises:
        ValidationError: if it is not.
    """
    try:
        entries = [ScheduleItem.of(stored) for stored in value]
        is_one = all(
            type(entry.day) is int
            and 0 <= entry.day <= MOST_LATER
            and type(entry.serie) is int
            and entry.serie >= 0
            and bool(entry.serie) != bool(entry.text)
            and len(entry.text) <= LONGEST_TEXT
            and (not entry.own_day or (entry.serie > 0 and entry.is_at_night))
            and entry.stored() == dict(stored)
            for entry, stored in zip(entries, value, strict=True)
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        is_one = False
    serien = [entry.serie for entry in entries if entry.serie] if is_one else []
    if not is_one or len(set(serien)) < len(serien):
        raise ValidationError(_("Das ist kein Zeitplan."))


class Days:
    """The days of a tournament by its Zeitplan."""

    def __init__(self, first: date, entries: Iterable[ScheduleItem]) -> None:
        self.first = first
        self.entries = sorted(entries)

    @classmethod
    def of(cls, starts_at: datetime, schedule: Sequence[Mapping[str, Any]]) -> Days:
        """Return the days from the stored Zeitplan."""
        return cls(timezone.localdate(starts_at), map(ScheduleItem.of, schedule))

    @cached_property
    def _begins(self) -> dict[int, ScheduleItem]:
        return {entry.serie: entry for entry in self.entries if entry.serie}

    @cached_property
    def _played(self) -> list[int]:
        """The days on which there are Serien, in days after the first one."""
        return sorted({0, *self._serie_days.values()})

    @cached_property
    def _serie_days(self) -> dict[int, int]:
        """The day of each Serie with an entry, in days after the first one."""
        days: dict[int, int] = {}
        before = 0
        for serie, entry in sorted(self._begins.items()):
            follows = entry.is_at_night and not entry.own_day and before == entry.day - 1
            days[serie] = before = entry.day - follows
        return days

    def day_of(self, entry: ScheduleItem) -> int:
        """Return the day that an entry belongs to, in days after the first one."""
        if entry.serie:
            return self._serie_days[entry.serie]
        return entry.day - (entry.is_at_night and entry.day - 1 in self._played)

    @property
    def number(self) -> int:
        """The number of days."""
        return len(self._played)

    @property
    def numbers(self) -> range:
        """The days, from 1; empty if there is only one."""
        return range(1, self.number + 1) if self.number > 1 else range(0)

    def date(self, day: int) -> date:
        """Return the date of a day."""
        return self.first + timedelta(days=self._played[min(day, self.number) - 1])

    def of_serie(self, number: int) -> int:
        """Return the day on which a Serie is played."""
        before = [serie for serie in self._begins if serie <= number]
        return self._played.index(self._serie_days[max(before)]) + 1 if before else 1

    def first_serie(self, day: int) -> int:
        """Return the number of the first Serie of a day."""
        return min(
            (serie for serie in self._begins if self.of_serie(serie) == day and day > 1), default=1
        )

    def begins(self, serie: int) -> datetime | None:
        """Return when a Serie is to begin; None if that is not set."""
        entry = self._begins.get(serie)
        return None if entry is None else self.moment(entry)

    def moment(self, entry: ScheduleItem) -> datetime:
        """Return when an entry is due, in UTC."""
        return local_moment(self.first + timedelta(days=entry.day), entry.time)

    def at(self, now: datetime) -> int:
        """Return the present or last day; 1 before the tournament."""
        return max((day for day in self.numbers if self._dawn(day) <= now), default=1)

    def since(self, now: datetime) -> datetime | None:
        """Return when the current day began; None for the first one, which has no day before."""
        day = self.at(now)
        return self._dawn(day) if day > 1 else None

    def _dawn(self, day: int) -> datetime:
        """Return when a day begins: at 5:00, or at midnight if it has a Serie before that."""
        entry = self._begins.get(self.first_serie(day))
        is_early = entry is not None and entry.own_day
        return local_moment(self.date(day), time() if is_early else NIGHT_ENDS)
