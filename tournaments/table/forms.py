"""The short code of a table, for devices that cannot scan."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class TableCodeForm(forms.Form):
    """Six letters and digits, as they stand on the Tischkarte."""

    code = forms.CharField(
        label=_("Code"),
        max_length=12,  # with spaces or dashes anywhere
        help_text=_("Sechs Zeichen von der Karte auf dem Tisch, zum Beispiel K7M-2PX."),
        error_messages={"required": _("Bitte den Code von der Tischkarte eingeben.")},
        widget=forms.TextInput(
            attrs={
                "autocomplete": "off",
                "autocapitalize": "characters",
                "spellcheck": "false",
                "enterkeyhint": "go",
            }
        ),
    )
