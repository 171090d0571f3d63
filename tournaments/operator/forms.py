"""The form for a page of the operator."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import LegalText


class TrialMailForm(forms.Form):
    """Where a mail is sent to see whether mails arrive."""

    address = forms.EmailField(label=_("Probe an"))


class LegalTextForm(forms.ModelForm):
    """Plain paragraphs; an empty text restores the original page."""

    class Meta:
        model = LegalText
        fields = ("text",)
        widgets = {"text": forms.Textarea(attrs={"rows": 18})}
