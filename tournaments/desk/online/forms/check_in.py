"""Checking in at the door of the hall."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.web.fields import NumberField, ShortCodeField


class CheckInForm(forms.Form):
    """The start number and the player's own short code."""

    number = NumberField(
        label=_("Startnummer"),
        min_value=1,
        max_value=9999,
        error_messages={"required": _("Bitte die Startnummer eingeben.")},
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "size": 4}),
    )
    code = ShortCodeField(
        help_text=_("Sechs Zeichen aus der E-Mail zur Meldung, zum Beispiel K7M-2PX."),
        error_messages={"required": _("Bitte den Code aus der Meldung eingeben.")},
    )
