"""The form that assigns targets to the columns of a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.machine.columns import headings_of
from tournaments.models import PersonImport
from tournaments.web.fields import NumberField

SAMPLES = 3
NOTHING = "-"  # the choice that leaves a column out


class ColumnsForm(forms.Form):
    """The target of each column of a file."""

    heading_row = NumberField(
        label=_("Überschriften stehen in Zeile"),
        min_value=0,
        max_value=1000,
        help_text=_("0, wenn die Datei keine Überschriften hat."),
    )

    def __init__(
        self, *args: Any, draft: PersonImport, targets: Mapping[str, str | Promise], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        choices = draft.choices
        self.initial["heading_row"] = choices["heading_row"]
        self.headings = headings_of(draft.rows, choices["heading_row"])
        below = [cells for number, cells in draft.rows if number > choices["heading_row"]]
        offered = [(NOTHING, _("nicht übernehmen")), *targets.items()]
        self.samples = []
        for place, heading in enumerate(self.headings):
            label = heading or gettext("Spalte {n}").format(n=place + 1)
            self.fields[f"column_{place}"] = forms.ChoiceField(
                label=label, choices=offered, initial=choices["columns"][place] or NOTHING
            )
            self.samples.append([cells[place] for cells in below if len(cells) > place][:SAMPLES])

    def columns(self) -> list[str]:
        """Return the target of each column, "" for none."""
        chosen = (self.cleaned_data[f"column_{place}"] for place in range(len(self.headings)))
        return ["" if target == NOTHING else target for target in chosen]

    def columns_with_samples(self) -> Iterable[tuple[forms.BoundField, Sequence[str]]]:
        """Return the field of each column with the values of its first rows."""
        fields = (self[f"column_{place}"] for place in range(len(self.headings)))
        return zip(fields, self.samples, strict=True)
