"""The form of the Serien and the Zeitplan."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, time, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.reading.ruleset_types import MOST_SERIEN
from tournaments.announcement.forms.moments import day_and_time
from tournaments.announcement.forms.tariff import rows_of
from tournaments.common.formats import long_date
from tournaments.desk.queries.earlier_tournament import may_seat_by_earlier_ranking
from tournaments.models import Serie, Tournament
from tournaments.models.schedule import LONGEST_TEXT, MOST_LATER, NIGHT_ENDS, Days, ScheduleItem
from tournaments.web.fields import DATE_INPUT, TIME_INPUT, DayField, NumberField, TextField

MOST_MINUTES = 24 * 60


def _same_evening(clock: time, day: date, since: time) -> date:
    """Return *day*, or the next day if the time is before *since* and so in the night after."""
    return day + timedelta(days=clock < NIGHT_ENDS and clock < since)


class EntryRow(forms.Form):
    """An entry of the Zeitplan that is no Serie, such as a break; *day* is the only day."""

    day = DayField(label=gettext_lazy("Tag"), widget=DATE_INPUT, required=False)
    time = forms.TimeField(label=gettext_lazy("Uhrzeit"), widget=TIME_INPUT)
    text = TextField(label=gettext_lazy("Was"), max_length=LONGEST_TEXT)

    def __init__(self, *args: Any, only_day: date | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["day"].initial = only_day

    def has_changed(self) -> bool:
        """Whether a new row is an entry: a day alone is none."""
        changed = set(self.changed_data)
        return bool(changed - {"day"} if self.empty_permitted else changed)


EntryRows = rows_of(EntryRow)


class SerienForm(forms.Form):
    """The number of Serien, how each is seated, and the Zeitplan."""

    number = NumberField(
        label=gettext_lazy("Anzahl der Serien"),
        min_value=1,
        max_value=MOST_SERIEN,
        help_text=gettext_lazy("Kommen Serien dazu, werden sie zunächst gesetzt wie die letzte."),
    )

    def __init__(self, data: Any = None, *, tournament: Tournament) -> None:
        super().__init__(data)
        days = tournament.days
        self.first = days.first
        self.opens = timezone.localtime(tournament.starts_at).time()
        self.entries = EntryRows(
            data,
            prefix="zeitplan",
            form_kwargs={"only_day": None if days.numbers else days.first},
            initial=[
                {"day": days.first + timedelta(entry.day), "time": entry.time, "text": entry.text}
                for entry in days.entries
                if not entry.serie
            ],
        )
        self.serien = list(tournament.serien.all())
        self.fields["number"].initial = len(self.serien)
        for serie in self.serien:
            self.fields[f"seating_{serie.number}"] = forms.ChoiceField(
                label=_("Sitzordnung"),
                choices=[
                    choice
                    for choice in Serie.Seating.choices
                    if serie.number > 1
                    or choice[0] != Serie.Seating.RANKING
                    or may_seat_by_earlier_ranking(tournament)
                ],
                initial=serie.seating,
            )
            self.fields[f"minutes_{serie.number}"] = NumberField(
                label=_("Höchstens Minuten"),
                required=False,
                min_value=1,
                max_value=MOST_MINUTES,
                initial=serie.time_limit_minutes,
            )
            begins = day_and_time("serie", days.begins(serie.number))
            self.fields[f"day_{serie.number}"] = DayField(
                label=_("Tag"), widget=DATE_INPUT, required=False, initial=begins["serie_day"]
            )
            self.fields[f"time_{serie.number}"] = forms.TimeField(
                label=_("Beginn"), widget=TIME_INPUT, required=False, initial=begins["serie_time"]
            )
        for entry in days.entries:
            if entry.serie and entry.is_at_night:
                self.fields[f"night_{entry.serie}"] = forms.BooleanField(
                    label=_("gehört noch zum Tag davor"),
                    required=False,
                    initial=not entry.own_day,
                )

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The fields of each Serie, for the template."""
        names = ("seating", "minutes", "day", "time", "night")
        fields = [
            (serie, {name: f"{name}_{serie.number}" for name in names}) for serie in self.serien
        ]
        return [
            {"serie": serie, **{name: self[of] for name, of in named.items() if of in self.fields}}
            for serie, named in fields
        ]

    def is_valid(self) -> bool:
        """Whether the fields and all rows are valid."""
        return super().is_valid() and self.entries.is_valid() and self._has_days()

    def clean(self) -> None:
        """Require a time for each day; without a day, a Serie has the day of the one before."""
        data = self.cleaned_data
        before = (self.first, self.opens)
        for serie in self.serien:
            day, clock = f"day_{serie.number}", f"time_{serie.number}"
            if data.get(day) and not data.get(clock):
                self.add_error(clock, _("Bitte auch die Uhrzeit angeben."))
            elif data.get(clock):
                data[day] = data.get(day) or _same_evening(data[clock], *before)
                before = (data[day], data[clock])
                self._check_day(self, day, data[day])

    def _has_days(self) -> bool:
        """Check the days of the other entries; without a day, an entry has the only one."""
        days = Days(self.first, self._begins())
        for row in self.entries:
            data = row.cleaned_data
            if data.get("day"):
                self._check_day(row, "day", data["day"])
            elif data and days.numbers and row not in self.entries.deleted_forms:
                row.add_error("day", _("Bitte den Tag angeben; das Turnier hat mehrere."))
            elif data:
                data["day"] = _same_evening(data["time"], self.first, self.opens)
        return not any(row.errors for row in self.entries)

    def _check_day(self, form: forms.Form, name: str, day: date) -> None:
        if not 0 <= (day - self.first).days <= MOST_LATER:
            form.add_error(
                name, _("Das Turnier beginnt am {day}.").format(day=long_date(self.first))
            )

    def schedule(self) -> list[ScheduleItem]:
        """Return the Zeitplan."""
        others = [
            ScheduleItem(
                (values["day"] - self.first).days, values["time"], text=values["text"].strip()
            )
            for row in self.entries
            if row not in self.entries.deleted_forms and (values := row.cleaned_data)
        ]
        return sorted([*self._begins(), *others])

    def _begins(self) -> list[ScheduleItem]:
        data, entries = self.cleaned_data, []
        for number in [serie.number for serie in self.serien]:
            if data[f"time_{number}"]:
                day = (data[f"day_{number}"] - self.first).days
                entry = ScheduleItem(day, data[f"time_{number}"], number)
                own_day = entry.is_at_night and not data.get(f"night_{number}", True)
                entries.append(replace(entry, own_day=own_day))
        return entries

    def lines(self) -> list[Serie]:
        """Return a line for each Serie of the form; new ones are like the last."""
        data = self.cleaned_data
        lines = [
            Serie(
                seating=Serie.Seating(data[f"seating_{serie.number}"]),
                time_limit_minutes=data[f"minutes_{serie.number}"],
            )
            for serie in self.serien
        ] or [Serie(seating=Serie.Seating.CARDS)]
        more = data["number"] - len(lines)
        return [*lines[: data["number"]], *[lines[-1]] * more]
