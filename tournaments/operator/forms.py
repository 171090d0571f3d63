"""The form for a page of the operator."""

from __future__ import annotations

from django import forms

from tournaments.models import LegalText


class LegalTextForm(forms.ModelForm):
    """Plain paragraphs; an empty text restores the original page."""

    class Meta:
        model = LegalText
        fields = ("text",)
        widgets = {"text": forms.Textarea(attrs={"rows": 18})}
