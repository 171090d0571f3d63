"""The text of a page that the operator writes."""

from __future__ import annotations

from django import forms

from tournaments.models import LegalText


class LegalTextForm(forms.ModelForm):
    """Plain paragraphs; an empty one takes the page back to its beginning."""

    class Meta:
        model = LegalText
        fields = ("text",)
        widgets = {"text": forms.Textarea(attrs={"rows": 18})}
