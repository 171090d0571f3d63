"""Forms of the cash book."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms.desk import METHODS
from tournaments.forms.fields import EuroField
from tournaments.models import CashEntry
from tournaments.services.till import FREE_KINDS

# Euro notes and coins, in cents, as they lie in the drawer.
PIECES = (50000, 20000, 10000, 5000, 2000, 1000, 500, 200, 100, 50, 20, 10, 5, 2, 1)


class FreeBookingForm(forms.Form):
    """Money for which there is no other act."""

    kind = forms.ChoiceField(
        label=_("Art"),
        choices=[(kind.value, kind.label) for kind in FREE_KINDS],
        help_text=_("Entnahme und Preis gehen hinaus, alles andere kommt herein."),
    )
    amount_cents = EuroField(label=_("Betrag"), min_cents=1)
    text = forms.CharField(label=_("Wofür"), max_length=300)
    method = forms.ChoiceField(label=_("Zahlungsweg"), choices=METHODS)
    number = forms.IntegerField(
        label=_("Startnummer"),
        min_value=1,
        required=False,
        help_text=_("Nur, wenn das Geld zu einer Person gehört."),
    )

    def clean_kind(self) -> CashEntry.Kind:
        """Return the kind as the service takes it."""
        return CashEntry.Kind(self.cleaned_data["kind"])


class MoveCreditForm(forms.Form):
    """An overpayment that another person shall have."""

    from_number = forms.IntegerField(label=_("Von Startnummer"), min_value=1)
    to_number = forms.IntegerField(label=_("An Startnummer"), min_value=1)
    amount_cents = EuroField(label=_("Betrag"), min_cents=1)


class ReverseForm(forms.Form):
    """Why a receipt is cancelled."""

    reason = forms.CharField(label=_("Grund des Stornos"), max_length=300)


class CountForm(forms.Form):
    """The till, note by note and coin by coin; a sum does where somebody counted by hand."""

    loose_cents = EuroField(label=_("Ohne Stückelung gezählt"), required=False, empty_value=0)
    note = forms.CharField(label=_("Bemerkung"), max_length=300, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for value in PIECES:
            self.fields[f"piece_{value}"] = forms.IntegerField(
                min_value=0, max_value=99_999, required=False
            )

    def pieces(self) -> dict[int, int]:
        """Return how many there are of each value in cents."""
        return {value: self.cleaned_data[f"piece_{value}"] or 0 for value in PIECES}
