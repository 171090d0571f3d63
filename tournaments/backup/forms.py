"""The form of the page of backups."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class SecondFolderForm(forms.Form):
    """The folder that every backup is copied to."""

    folder = forms.CharField(
        label=_("Zweiter Ordner"),
        max_length=400,
        required=False,
        help_text=_("Etwa der Stick: /media/stick, /Volumes/STICK oder E:\\. Leer: keiner."),
    )
