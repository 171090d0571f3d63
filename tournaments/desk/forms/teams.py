"""Forms of the page on which teams are formed."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import Ranking
from tournaments.web.fields import SafeControlNames, TextField

LONGEST_TYPED = 200  # „12 · last name, first name“


class TeamForm(SafeControlNames, forms.Form):
    """A new team: a name, and a field for each member; all optional."""

    name = TextField(label=_("Name"), max_length=80, required=False)

    def __init__(self, *args: Any, ranking: Ranking, **kwargs: Any) -> None:
        kwargs["prefix"] = f"new-{ranking.pk}"
        super().__init__(*args, **kwargs)
        for place in range(1, (ranking.size or 0) + 1):
            self.fields[f"person_{place}"] = TextField(
                label=_("Person {place}").format(place=place),
                max_length=LONGEST_TYPED,
                required=False,
                widget=forms.TextInput(
                    attrs={
                        "list": f"free-{ranking.pk}",
                        "autocomplete": "off",
                        "placeholder": _("Startnummer oder Name"),
                    }
                ),
            )

    def member_texts(self) -> list[str]:
        """Return the texts in the fields for members."""
        data = self.cleaned_data
        return [data[name] for name in self.fields if name != "name" and data[name].strip()]


class MemberForm(forms.Form):
    """One more member, by start number or name."""

    person = TextField(label=_("Startnummer oder Name"), max_length=LONGEST_TYPED)


class NameForm(SafeControlNames, forms.Form):
    """A new name for a team."""

    name = TextField(label=_("Name"), max_length=80)
