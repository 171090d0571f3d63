"""The upload of an archive."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

MOST_BYTES = 64 * 2**20


class ArchiveForm(forms.Form):
    """The file, and whether it may replace a tournament with the same slug."""

    file = forms.FileField(
        label=gettext_lazy("Archiv (JSON)"),
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
        help_text=gettext_lazy("Eine Datei, die dieses Programm als Archiv gespeichert hat."),
    )
    replace = forms.BooleanField(
        label=gettext_lazy("Ein Turnier mit demselben Kurznamen ersetzen"),
        required=False,
        help_text=gettext_lazy(
            "Das vorhandene Turnier wird nicht gelöscht: Es behält seine Daten unter einem anderen "
            "Kurznamen und ist nicht mehr öffentlich."
        ),
    )

    def clean_file(self) -> Any:
        """Refuse a file that is larger than any tournament."""
        file = self.cleaned_data["file"]
        if file.size > MOST_BYTES:
            raise ValidationError(
                _("Die Datei ist größer als {limit} MB. Größere liest import_archive ein.").format(
                    limit=MOST_BYTES // 2**20
                )
            )
        return file
