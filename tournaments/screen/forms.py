"""Forms for screens, and for announcements in the hall."""

from __future__ import annotations

from typing import Any

from django import forms
from django.forms.models import model_to_dict
from django.utils.translation import gettext_lazy as _

from tournaments.announcement.queries.tournaments import STARTGELD_POT
from tournaments.common.rules import prize_plans
from tournaments.models import Screen, Serie, Tournament
from tournaments.notices.services.words import MOST_MINUTES
from tournaments.web.fields import NumberField, SafeControlNames, TextField


def pages_for(tournament: Tournament) -> list[tuple[str, Any]]:
    """Return the pages that a wall of the tournament can show, with their labels."""
    plan = prize_plans(tournament).get(STARTGELD_POT)
    unplanned = {
        Screen.Shows.CHOOSING.value: plan is None or plan.choosing is None,
        Screen.Shows.LOTTERY.value: plan is None or not plan.lottery,
    }
    return [choice for choice in Screen.Shows.choices if not unplanned.get(choice[0])]


class ScreenForm(SafeControlNames, forms.Form):
    """The pages that one beamer shows in turn, with their settings."""

    shows = forms.MultipleChoiceField(
        label=_("Im Wechsel zeigen"),
        widget=forms.CheckboxSelectMultiple,
    )
    seconds = NumberField(
        label=_("Sekunden je Seite"),
        min_value=3,
        max_value=120,
        help_text=_("So lange steht jede Seite; lange Listen haben mehrere."),
    )
    serie = forms.ModelChoiceField(
        label=_("Serie"),
        queryset=Serie.objects.none(),
        required=False,
        empty_label=_("die zuletzt ausgeloste"),
    )
    message = TextField(
        label=_("Mitteilung"),
        max_length=200,
        required=False,
        help_text=_("Steht auf dieser Leinwand, wenn sie die Mitteilung zeigt."),
    )
    name = TextField(
        label=_("Name der Leinwand"),
        max_length=40,
        required=False,
        help_text=_("Etwa „Foyer“, um mehrere auseinanderzuhalten."),
    )

    def __init__(self, data: Any, *, tournament: Tournament, screen: Screen) -> None:
        stored = model_to_dict(screen, ["seconds", "serie", "message", "name"])
        super().__init__(data, initial={**stored, "shows": screen.pages})
        shows: Any = self.fields["shows"]
        shows.choices = pages_for(tournament)
        serien: Any = self.fields["serie"]
        serien.queryset = tournament.serien.all()


class WordsForm(forms.Form):
    """An announcement in the hall."""

    words = TextField(label=_("Durchsage an alle im Saal"), max_length=200)
    minutes = NumberField(
        label=_("Minuten"),
        min_value=1,
        max_value=MOST_MINUTES,
        required=False,
        initial=5,
        help_text=_("Leer: bis sie jemand beendet."),
    )
