"""Forms of notices and cases."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import Circular
from tournaments.notices.queries.circulars import Audiences
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


class CircularForm(forms.Form):
    """A message to a group of registered persons."""

    audience = forms.ChoiceField(label=_("An wen?"))
    text = TextField(
        label=_("Nachricht"),
        help_text=_(
            "Geht an die eigenen Seiten und, mit Anrede und Absender, an jede Adresse einmal."
        ),
        max_length=Circular.LONGEST,
        widget=forms.Textarea({"rows": 10}),
        error_messages={"required": _("Bitte die Nachricht schreiben.")},
    )

    def __init__(self, audiences: Audiences, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["audience"].choices = audiences.choices()  # type: ignore[attr-defined]


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
