"""Forms of the draw."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import Serie


class BeginForm(forms.Form):
    """How a Serie is seated, and why once more."""

    method = forms.ChoiceField(
        label=_("Verfahren"), choices=Serie.Seating.choices, widget=forms.RadioSelect
    )
    reason = forms.CharField(label=_("Grund der Wiederholung"), max_length=300, required=False)

    def clean_method(self) -> Serie.Seating:
        """Return the method as the service takes it."""
        return Serie.Seating(self.cleaned_data["method"])


class CardForm(forms.Form):
    """A Startkarte that somebody drew."""

    number = forms.IntegerField(label=_("Startnummer"), min_value=1)
    table = forms.IntegerField(label=_("Tisch"), min_value=1)
    seat = forms.IntegerField(label=_("Platz"), min_value=1, max_value=8)


class SwapForm(forms.Form):
    """Two people who change places, by start number."""

    first = forms.IntegerField(label=_("Startnummer"), min_value=1)
    second = forms.IntegerField(label=_("tauscht mit"), min_value=1)


class SeatSwapForm(SwapForm):
    """The same after the seats were made known: then it needs a reason."""

    reason = forms.CharField(label=_("Grund"), max_length=300)
