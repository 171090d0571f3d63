"""The name of a person in a form, with a question about doubtful names."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.common.person_names import NameDoubt, doubt_about


def question_about(last_name: str, first_name: str) -> str:
    """Return the question about a doubtful name, or ""."""
    doubt = doubt_about(last_name, first_name)
    if doubt is NameDoubt.COUPLE:
        return gettext("Sind das mehrere Personen? Dann bitte jede für sich eintragen.")
    if doubt is not None:
        sentence = gettext("„{name}“ sieht nicht nach dem Namen einer Person aus. Bitte prüfen.")
        return sentence.format(name=f"{first_name} {last_name}".strip())
    if not (first_name and last_name):
        return gettext("Gibt es nur einen Namen? Sonst bitte auch den Vornamen eintragen.")
    return ""


class PersonNameForm(forms.Form):
    """The part of a form with ``last_name`` and ``first_name`` that asks about the name."""

    as_it_is = forms.BooleanField(label=_("Der Name ist richtig so"), required=False)

    def clean(self) -> None:
        """Ask about a doubtful name; a tick confirms it."""
        super().clean()
        data = self.cleaned_data
        is_answered = data.pop("as_it_is", False)
        if is_answered or not {"last_name", "first_name"} <= data.keys():
            return
        if question := question_about(data["last_name"], data["first_name"]):
            self.add_error("as_it_is", question)

    @property
    def asks_name(self) -> bool:
        """Whether the question is shown."""
        return bool(self["as_it_is"].errors or self["as_it_is"].value())
