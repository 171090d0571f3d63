"""The form for the short code of a table."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.web.fields import NumberField, ShortCodeField


class TableCodeForm(forms.Form):
    """The table's number and the six characters of its short code on the Tischkarte."""

    table = NumberField(
        label=_("Tisch"),
        min_value=1,
        max_value=9999,
        error_messages={"required": _("Bitte die Nummer des Tisches eingeben.")},
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "size": 4}),
    )
    code = ShortCodeField(
        help_text=_("Sechs Zeichen von der Karte auf dem Tisch, zum Beispiel K7M-2PX."),
        error_messages={"required": _("Bitte den Code von der Tischkarte eingeben.")},
    )
