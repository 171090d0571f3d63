"""What is entered on the page of the backups."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class SecondFolderForm(forms.Form):
    """Where every backup is copied to."""

    folder = forms.CharField(
        label=_("Zweiter Ordner"),
        max_length=400,
        required=False,
        help_text=_("Etwa der Stick: /media/stick, /Volumes/STICK oder E:\\. Leer: keiner."),
    )
