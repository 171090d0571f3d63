"""Forms of the control room."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.hall.services.serie_time import MOST_EXTRA_MINUTES
from tournaments.table.services.calls import NOTE_LENGTH
from tournaments.web.fields import NumberField, TextField


class ExtraTimeForm(forms.Form):
    """Extra time for one table, or for all tables that are playing."""

    minutes = NumberField(
        label=_("Minuten"),
        min_value=-MOST_EXTRA_MINUTES,
        max_value=MOST_EXTRA_MINUTES,
        initial=10,
        help_text=_("Mit Minus wird zugegebene Zeit zurückgenommen."),
    )
    table = NumberField(
        label=_("Tisch"), min_value=1, required=False, help_text=_("Leer: alle, die noch spielen.")
    )

    def tables(self) -> list[int] | None:
        """Return the typed table number, or None for all tables."""
        table = self.cleaned_data["table"]
        return None if table is None else [table]


class NoteForm(forms.Form):
    """The outcome of a call."""

    note = TextField(label=_("Bemerkung"), max_length=NOTE_LENGTH, required=False)
