"""The form of a season."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.models import model_to_dict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.models import Season, Tournament
from tournaments.web.fields import MultipleField, NumberField, SafeControlNames, TextField


class SeasonForm(SafeControlNames, forms.Form):
    """Name and tournaments of a season, and the way they count."""

    name = TextField(label=gettext_lazy("Name der Saison"), max_length=120)
    tournaments = MultipleField(
        label=gettext_lazy("Turniere"),
        queryset=Tournament.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    counting = forms.ChoiceField(
        label=gettext_lazy("Gewertet werden"),
        choices=Season.Counting.choices,
        widget=forms.RadioSelect,
        initial=Season.Counting.RANKS,
    )
    best = NumberField(
        label=gettext_lazy("So viele Turniere zählen"),
        min_value=1,
        max_value=60,
        initial=1,
        help_text=gettext_lazy("Die besten jeder Person; die übrigen werden gestrichen."),
    )
    table = TextField(
        label=gettext_lazy("Punkte für die ersten Plätze"),
        required=False,
        max_length=400,
        help_text=gettext_lazy(
            "Zum Beispiel 25, 18, 15, 12, 10. Leer: Der letzte Platz bringt 1 Punkt, jeder Platz "
            "davor einen mehr."
        ),
    )

    trophy = TextField(
        label=gettext_lazy("Wanderpokal"),
        required=False,
        max_length=80,
        help_text=gettext_lazy(
            "Wer gewinnt, behält ihn, bis eine andere Saison mit demselben Namen zu Ende ist."
        ),
    )
    is_over = forms.BooleanField(
        label=gettext_lazy("Die Saison ist zu Ende"),
        required=False,
        help_text=gettext_lazy("Dann steht auf der Ehrentafel, wer gewonnen hat."),
    )

    def __init__(self, data: Any, *, own: list[Tournament], season: Season | None = None) -> None:
        initial: dict[str, Any] = {}
        keys = {tournament.pk for tournament in own}
        if season is not None:
            there = list(season.tournaments.values_list("pk", flat=True))
            keys.update(there)
            initial = {
                **model_to_dict(season, ["name", "counting", "best", "trophy", "is_over"]),
                "tournaments": there,
                "table": ", ".join(map(str, season.table)),
            }
        super().__init__(data, initial=initial)
        chosen: Any = self.fields["tournaments"]
        chosen.queryset = Tournament.objects.filter(pk__in=keys).order_by("-starts_at", "slug")

    def clean_table(self) -> list[int]:
        """Read the points, with any separators."""
        text = str(self.cleaned_data["table"]).strip()
        if not text:
            return []
        if not re.fullmatch(r"[0-9]{1,6}([\s,;]+[0-9]{1,6})*[\s,;]*", text):
            raise ValidationError(_("Bitte ganze Zahlen, durch Kommas getrennt: 25, 18, 15."))
        return [int(number) for number in re.findall(r"[0-9]+", text)]

    def clean_tournaments(self) -> list[int]:
        """Return the keys of the tournaments."""
        return [tournament.pk for tournament in self.cleaned_data["tournaments"]]
