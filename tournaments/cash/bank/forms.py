"""Forms for transfers from account statements."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.models import Registration, Tournament
from tournaments.web.fields import MultipleField, TextField

MAX_BYTES = 5 * 1024 * 1024
_NUMBERS = re.compile(r"\d+")
_LIST_OF_NUMBERS = re.compile(r"[\d\s,;+]*")


class StatementForm(forms.Form):
    """A file from the bank."""

    statement = forms.FileField(
        label=_("Kontoauszug"),
        help_text=_("CAMT.053 (XML oder ZIP) oder CSV, höchstens 5 MB."),
        widget=forms.ClearableFileInput({"accept": ".xml,.zip,.txt,.csv"}),
        allow_empty_file=False,
        error_messages={
            "required": _("Bitte zuerst die Datei auswählen, die die Bank geliefert hat."),
            "empty": _("Die Datei ist leer. Bitte bei der Bank neu herunterladen."),
        },
    )

    def clean_statement(self) -> bytes:
        """Return the content; a file that is too large is not read at all."""
        file: UploadedFile = self.cleaned_data["statement"]
        if file.size is None or file.size > MAX_BYTES:
            raise ValidationError(
                gettext(
                    "Die Datei ist größer als {n} MB. Bitte den Auszug für einen kürzeren "
                    "Zeitraum herunterladen."
                ).format(n=MAX_BYTES // 1024 // 1024)
            )
        content: bytes = file.read()
        return content


class BookTransferForm(forms.Form):
    """The registrations for a transfer: ticked suggestions, further start numbers, or both."""

    registrations = MultipleField(
        queryset=Registration.objects.none(),
        required=False,
        error_messages={"invalid_choice": _("Diese Person ist in diesem Turnier nicht gemeldet.")},
    )
    numbers = TextField(
        label=_("Startnummern"),
        required=False,
        max_length=60,
        error_messages={"invalid": _("Bitte nur Startnummern eingeben, zum Beispiel 12, 13.")},
    )

    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chosen: Any = self.fields["registrations"]
        chosen.queryset = tournament.registrations.order_by("number", "pk")

    def clean_numbers(self) -> list[int]:
        """Return the start numbers in the order they were typed."""
        text = self.cleaned_data["numbers"]
        if not _LIST_OF_NUMBERS.fullmatch(text):
            raise ValidationError(self.fields["numbers"].error_messages["invalid"], code="invalid")
        return [int(number[:9]) for number in _NUMBERS.findall(text)]


class SetAsideForm(forms.Form):
    """The reason for setting a transfer aside."""

    reason = TextField(label=_("Grund"), max_length=200)
