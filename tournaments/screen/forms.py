"""What the beamer shows."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.common.fields import NumberField
from tournaments.models import Screen, Serie, Tournament


class ScreenForm(forms.Form):
    """One choice, and what it needs."""

    shows = forms.ChoiceField(
        label=_("Die Leinwand zeigt"), choices=Screen.Shows.choices, widget=forms.RadioSelect
    )
    serie = forms.ModelChoiceField(
        label=_("Serie"),
        queryset=Serie.objects.none(),
        required=False,
        empty_label=_("die zuletzt ausgeloste"),
    )
    seconds = NumberField(
        label=_("Sekunden je Seite"),
        min_value=3,
        max_value=120,
        help_text=_("So lange steht eine Seite von Sitzplan oder Rangliste."),
    )
    message = forms.CharField(label=_("Mitteilung"), max_length=200, required=False)

    def __init__(self, data: Any, *, tournament: Tournament, screen: Screen) -> None:
        initial = {
            "shows": screen.shows,
            "serie": screen.serie_id,
            "seconds": screen.seconds,
            "message": screen.message,
        }
        super().__init__(data, initial=initial)
        serien: Any = self.fields["serie"]
        serien.queryset = tournament.serien.all()
