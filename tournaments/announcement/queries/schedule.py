"""The Zeitplan in words, day by day, for pages, paper, walls and calendars."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby

from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.common.formats import clock, day_in_words
from tournaments.models import Tournament
from tournaments.models.schedule import Days, ScheduleItem
from tournaments.rulebook.queries.rule_set_text import NamedFact


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleDay:
    """A day of the Zeitplan."""

    date: date
    lines: Sequence[NamedFact]  # time and text

    @property
    def label(self) -> str:
        """The day with its name."""
        return day_in_words(self.date)

    @property
    def text(self) -> str:
        """The entries, one in each line."""
        return "\n".join(map(" ".join, self.lines))


def schedule_days(tournament: Tournament) -> list[ScheduleDay]:
    """Return the days of the Zeitplan, with the beginning and every Serie; none without entries."""
    if not tournament.schedule:
        return []
    days = _with_beginning(tournament)
    planned = {entry.serie for entry in days.entries}
    unplanned = [serie.number for serie in tournament.serien.all() if serie.number not in planned]
    return [
        ScheduleDay(
            date=days.first + timedelta(days=day),
            lines=[line for entry in entries for line in _lines(entry, planned, unplanned)],
        )
        for day, entries in groupby(days.entries, key=days.day_of)
    ]


def _with_beginning(tournament: Tournament) -> Days:
    """Return the days with an entry for the beginning; it is Serie 1 if that has no entry."""
    days, opens = tournament.days, timezone.localtime(tournament.starts_at)
    first = days.begins(1)
    if first is not None and first <= tournament.starts_at:
        return days
    item = {"text": _("Beginn")} if first else {"serie": 1}
    return Days(days.first, [ScheduleItem(0, opens.time(), **item), *days.entries])


def _lines(
    entry: ScheduleItem, planned: Collection[int], unplanned: Sequence[int]
) -> Iterator[NamedFact]:
    """Yield the line of an entry, then that of the following Serien without an entry."""
    yield clock(entry.time), entry.text or _serien(entry.serie, entry.serie)
    follow = [
        number for number in unplanned if max(p for p in planned if p < number) == entry.serie > 0
    ]
    if follow:
        yield _("danach"), _serien(follow[0], follow[-1])


def _serien(first: int, last: int) -> str:
    if first == last:
        return _("Serie {number}").format(number=first)
    return _("Serie {first} bis {last}").format(first=first, last=last)


def schedule_lines(tournament: Tournament) -> list[NamedFact]:
    """Return a line for each day of the Zeitplan."""
    return [(day.label, day.text) for day in schedule_days(tournament)]
