"""Forms of the operator."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.accounts.forms import CodeField
from tournaments.models import LegalText
from tournaments.web.fields import SafeControlNames, TextField


class TrialMailForm(forms.Form):
    """The address for a test mail."""

    address = forms.EmailField(label=_("Probe an"))


class LegalTextForm(forms.ModelForm):
    """Plain paragraphs; an empty text restores the original page."""

    class Meta:
        model = LegalText
        fields = ("text",)
        widgets = {"text": forms.Textarea(attrs={"rows": 18})}


class FoundingForm(SafeControlNames, forms.Form):
    """The organiser to found, and the person to invite as its first account."""

    organiser = TextField(
        label=_("Veranstalter"), max_length=120, help_text=_("Verein, Landesverband oder Verband.")
    )
    parent = CodeField(  # the operator alone cannot make an organiser lend persons
        label=_("gehört zu"),
        required=False,
        help_text=_("Der Code steht auf der Seite des Verbands, der dann noch annimmt."),
    )
    name = TextField(label=_("Wer eingeladen wird"), max_length=120)
    email = forms.EmailField(
        label=_("E-Mail"),
        required=False,
        help_text=_("Dorthin geht der Link, wenn der Versand von E-Mails eingerichtet ist."),
    )
