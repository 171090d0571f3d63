"""The Zeitplan in words, day by day, for pages, paper, walls and calendars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby
from operator import attrgetter

from django.utils.translation import gettext as _

from tournaments.common.formats import clock, day_in_words
from tournaments.models import Tournament
from tournaments.rulebook.queries.rule_set_text import NamedFact


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleDay:
    """A day of the Zeitplan."""

    date: date
    begins: datetime
    lines: Sequence[NamedFact]  # the time, and what is then

    @property
    def label(self) -> str:
        """The day with its name."""
        return day_in_words(self.date)

    @property
    def text(self) -> str:
        """Its entries, one a line."""
        return "\n".join(map(" ".join, self.lines))


def schedule_days(tournament: Tournament) -> list[ScheduleDay]:
    """Return the days of the Zeitplan; none without entries."""
    days, found = tournament.days, []
    for day, entries in groupby(days.entries, key=attrgetter("day")):
        of_day = list(entries)
        lines = [
            (clock(one.time), one.text or _("Serie {number}").format(number=one.serie))
            for one in of_day
        ]
        at = days.first + timedelta(days=day)
        found.append(ScheduleDay(date=at, begins=days.moment(of_day[0]), lines=lines))
    return found


def schedule_lines(tournament: Tournament) -> list[NamedFact]:
    """Return a line for each day of the Zeitplan."""
    return [(day.label, day.text) for day in schedule_days(tournament)]
