"""The Zeitplan: when each Serie is to begin, what lies between, and the days that follow from it.

It is stored as entries of a tournament: days after its first one, a time, and a Serie or a text.
Days are counted from 1; a Serie without an entry is played on the day of the one before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import Any

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

MOST_DAYS = 9  # a registration names its days by one digit each
MOST_LATER = 365  # days between the first and the last one
LONGEST_TEXT = 80


@dataclass(frozen=True, slots=True, order=True)
class ScheduleItem:
    """A line of the Zeitplan: the beginning of a Serie, or something else if ``serie`` is 0."""

    day: int  # days after the first one
    time: time
    serie: int = 0
    text: str = ""

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> ScheduleItem:
        """Return the entry for its stored form."""
        clock = time.fromisoformat(stored["time"])
        return cls(stored["day"], clock, stored.get("serie", 0), stored.get("text", ""))

    def stored(self) -> dict[str, Any]:
        """Return the entry as JSON."""
        what = {"serie": self.serie} if self.serie else {"text": self.text}
        return {"day": self.day, "time": self.time.isoformat("minutes"), **what}


def check_schedule(value: Any) -> None:
    """Refuse what is no list of entries, each Serie once.

    Raises:
        ValidationError: if it is not.
    """
    try:
        entries = [ScheduleItem.of(stored) for stored in value]
        is_one = all(
            type(one.day) is int
            and 0 <= one.day <= MOST_LATER
            and type(one.serie) is int
            and one.serie >= 0
            and bool(one.serie) != bool(one.text)
            and len(one.text) <= LONGEST_TEXT
            and one.stored() == dict(stored)
            for one, stored in zip(entries, value, strict=True)
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        is_one = False
    serien = [one.serie for one in entries if one.serie] if is_one else []
    if not is_one or len(set(serien)) < len(serien):
        raise ValidationError(_("Das ist kein Zeitplan."))


class Days:
    """The days of a tournament by its Zeitplan."""

    def __init__(self, starts_at: datetime, schedule: Sequence[Mapping[str, Any]]) -> None:
        self.first = timezone.localdate(starts_at)
        self.entries = sorted(map(ScheduleItem.of, schedule))

    @cached_property
    def _begins(self) -> dict[int, ScheduleItem]:
        return {one.serie: one for one in self.entries if one.serie}

    @cached_property
    def _played(self) -> list[int]:
        """The days on which there are Serien, in days after the first one."""
        return sorted({0, *(one.day for one in self._begins.values())})

    @property
    def number(self) -> int:
        """How many days there are."""
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
        return self._played.index(self._begins[max(before)].day) + 1 if before else 1

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
        """Return when an entry is due."""
        day = self.first + timedelta(days=entry.day)
        return timezone.make_aware(datetime.combine(day, entry.time))

    def at(self, now: datetime) -> int:
        """Return the day that it is, or that was last; 1 before the tournament."""
        today = timezone.localdate(now)
        return max((day for day in self.numbers if self.date(day) <= today), default=1)

    def since(self, now: datetime) -> datetime | None:
        """Return when the current day began; None for the first one, which has no day before."""
        day = self.at(now)
        midnight = datetime.combine(self.date(day), time())
        return timezone.make_aware(midnight) if day > 1 else None
