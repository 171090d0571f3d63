"""Forms of notices and cases."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.notices.services.cases import LONGEST_TEXT
from tournaments.web.fields import TextField


class ObjectionForm(forms.Form):
    """The objection of a player to a correction, entered by the Spielleitung."""

    text = TextField(
        label=_("Was stimmt nicht, und warum?"),
        max_length=LONGEST_TEXT,
        widget=forms.Textarea({"rows": 3}),
        error_messages={"required": _("Bitte schreiben, was nicht stimmt und warum.")},
    )


class DecisionForm(forms.Form):
    """The wording of a decision."""

    decision = TextField(
        label=_("Entscheidung und Grund"),
        help_text=_("So wird sie mitgeteilt, Wort für Wort."),
        max_length=LONGEST_TEXT,
        widget=forms.Textarea({"rows": 4}),
        error_messages={
            "required": _("Bitte die Entscheidung und ihren Grund in einem Satz angeben.")
        },
    )
