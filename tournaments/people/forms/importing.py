"""Forms of the import: the file, its columns, and the decisions about its rows."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from tournaments.models import PersonImport
from tournaments.people.services.plan import SKIP, ImportPlan, KnownPersons, PlannedRow, RowState
from tournaments.web.columns import ColumnsForm
from tournaments.web.fields import TextField


class UploadForm(forms.Form):
    """A file with a list of persons."""

    file = forms.FileField(
        label=_("Datei"),
        widget=forms.ClearableFileInput(
            attrs={
                "accept": ".csv,.txt,.xlsx,text/csv,"
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
            }
        ),
        help_text=_("CSV oder Excel (.xlsx), höchstens 2 MB und 5.000 Zeilen."),
        error_messages={"empty": _("In der Datei steht nichts. Bitte eine andere auswählen.")},
    )


class PersonColumnsForm(ColumnsForm):
    """The contents of each column of a file with persons."""

    club = TextField(label=_("Verein für alle Zeilen ohne Verein"), max_length=120, required=False)

    def __init__(self, *args: Any, draft: PersonImport, **kwargs: Any) -> None:
        super().__init__(*args, draft=draft, **kwargs)
        self.initial["club"] = draft.choices.get("club", "")


def answers(
    data: QueryDict, plan: ImportPlan
) -> tuple[KnownPersons, dict[int, str], dict[int, dict[str, str]]]:
    """Return the decisions in the form of the preview: for known persons, rows, corrected cells.

    The form has only the rows in ``shown``; the others keep their decisions.
    """
    known = KnownPersons.LEAVE if data.get("known") == KnownPersons.LEAVE else KnownPersons.UPDATE
    shown = {text for text in data.getlist("shown") if text.isdigit()}
    decisions: dict[int, str] = {}
    mended: dict[int, dict[str, str]] = {}
    for row in plan.rows:
        if str(row.number) not in shown:
            continue
        if data.get(f"skip-{row.number}"):
            decisions[row.number] = SKIP
        elif f"decision-{row.number}" in data:
            decisions[row.number] = str(data[f"decision-{row.number}"])
        elif row.state is RowState.SKIPPED:
            decisions[row.number] = ""
        cells = {
            target: str(data[f"cell-{row.number}-{target}"]).strip()
            for target in row.row.cells
            if f"cell-{row.number}-{target}" in data
        }
        if cells:
            mended[row.number] = cells
    return known, {**decisions, **_for_all(data, plan)}, mended


def _for_all(data: QueryDict, plan: ImportPlan) -> dict[int, str]:
    if "skip_bad" in data:
        return {row.number: SKIP for row in plan.rows if row.state is RowState.BAD}
    if "same_all" in data:
        return {row.number: str(row.candidates[0].pk) for row in answerable(plan)}
    return {}


def answerable(plan: ImportPlan) -> list[PlannedRow]:
    """Return the undecided rows with only one possible person."""
    return [
        row
        for row in plan.rows
        if row.state is RowState.QUESTION and row.repeats is None and len(row.candidates) == 1
    ]
