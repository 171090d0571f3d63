"""The days on which a person plays."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.common.formats import day_in_words
from tournaments.models import Tournament


class DaysField(forms.MultipleChoiceField):
    """Days of a tournament in the format of a registration: "" for all."""

    def __init__(self, tournament: Tournament, plays_on: str = "") -> None:
        days = tournament.days
        self.number = days.number
        super().__init__(
            label=_("Spielt an"),
            choices=[(str(day), day_in_words(days.date(day))) for day in days.numbers],
            initial=list(plays_on or map(str, days.numbers)),
            widget=forms.CheckboxSelectMultiple,
            error_messages={"required": _("Bitte mindestens einen Tag wählen.")},
        )

    def clean(self, value: Any) -> str:
        """Return the days in order."""
        days = super().clean(value)
        return "" if len(days) == self.number else "".join(sorted(days))


class DaysForm(forms.Form):
    """The days of one registration."""

    def __init__(self, data: Any = None, *, tournament: Tournament, plays_on: str = "") -> None:
        super().__init__(data)
        self.fields["plays_on"] = DaysField(tournament, plays_on)
