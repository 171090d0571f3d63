"""Forms for giving out prizes, and for the outcome of an Entscheidungsspiel."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.models import Receipt
from tournaments.prizes.queries.playoffs import TieRow
from tournaments.web.fields import NumberField, SafeControlNames, TextField


class PlayoffForm(forms.Form):
    """The places of the equal players or teams; those that did not play have none."""

    note = TextField(
        label=gettext_lazy("Bemerkung"),
        required=False,
        max_length=300,
        help_text=gettext_lazy("Etwa, wie viele Spiele gespielt wurden."),
    )

    def __init__(self, data: Any = None, *, tie: TieRow) -> None:
        super().__init__(data, prefix=f"{tie.slug}-{tie.rank}")
        self.tie = tie
        if tie.by_lot:
            self.fields["note"].help_text = _("Etwa, wer gezogen hat.")
        most = len(tie.lines)
        for line in tie.lines:
            number = line.standing.number
            name = line.name if tie.is_of_teams else f"{number} · {line.name}"
            self.fields[f"place_{number}"] = NumberField(
                label=name,
                required=False,
                min_value=1,
                max_value=most,
                widget=forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
            )

    def clean(self) -> None:
        """Add ``order``, best first, or an error if the places are no order."""
        data = self.cleaned_data
        if self.errors:
            return
        ranks = {
            number: place
            for number in self.tie.numbers
            if (place := data.get(f"place_{number}")) is not None
        }
        if len(ranks) < 2:
            self.add_error(
                None, _("Bitte mindestens zwei Plätze eintragen; wer nicht dabei war, bleibt leer.")
            )
        counts = Counter(ranks.values())
        for number, place in ranks.items():
            if counts[place] > 1:
                self.add_error(
                    f"place_{number}", _("Platz {place} steht zweimal da.").format(place=place)
                )
        data["order"] = sorted(ranks, key=ranks.__getitem__)


class PayForm(SafeControlNames, forms.Form):
    """The recipient, and the amount that the page showed; negative if it is returned."""

    recipient = TextField(max_length=20, widget=forms.HiddenInput)
    expected_cents = NumberField(widget=forms.HiddenInput)
    method = forms.ChoiceField(
        choices=[
            (method.value, method.label) for method in (Receipt.Method.CASH, Receipt.Method.BANK)
        ],
        required=False,
        widget=forms.HiddenInput,
    )


class ChooserForm(forms.Form):
    """The person who is called up to choose."""

    recipient = TextField(max_length=20, widget=forms.HiddenInput)


class ThingForm(ChooserForm):
    """The number of the chosen thing."""

    thing = NumberField(label=gettext_lazy("Nummer der Sache"), required=False, min_value=0)


class GoodsForm(forms.Form):
    """Goods that were handed over, or taken back."""

    recipient = TextField(max_length=20, widget=forms.HiddenInput)
    pot = TextField(max_length=20, widget=forms.HiddenInput)
    ranking = TextField(max_length=20, widget=forms.HiddenInput)
    back = forms.BooleanField(required=False, widget=forms.HiddenInput)
