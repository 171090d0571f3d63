"""The form of one line of a list: its cells and further points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from scoring.errors import Problem
from scoring.plausibility import LineContext
from scoring.reading.cells import read_row, write_row
from scoring.reading.interchange import line_from_json, lines_to_json
from scoring.ruleset import RuleSet
from tournaments.common.digits import signed_number_in
from tournaments.corrections.forms.correcting import CorrectionForm
from tournaments.models import Seat
from tournaments.web.fields import NumberField, TextField


class LineForm(CorrectionForm):
    """One line: a cell for each seat, as ``scoring.reading.cells`` reads it, and further points."""

    def __init__(
        self,
        *args: Any,
        rule_set: RuleSet,
        seats: Sequence[Seat],
        game: int,
        line: Mapping[str, Any],
        override: bool = False,
        **kwargs: Any,
    ) -> None:
        """Use the stored line as initial values; *override* adds the field for its reason."""
        super().__init__(*args, **kwargs)
        self.rule_set = rule_set
        self.game = game
        self.stored = line_from_json(line)
        self.line_context = LineContext(rule_set=rule_set, players=len(seats), number=game)
        reason_fields = {name: self.fields.pop(name) for name in ("reason", "paragraph")}
        self.names = [f"minus_{seat.number}" for seat in seats]
        texts = write_row(self.stored, self.line_context)
        sits_out = rule_set.sits_out(game, len(seats))
        for name, seat, text in zip(self.names, seats, texts, strict=True):
            if seat.number == sits_out and not text:
                continue
            self.fields[name] = TextField(
                label=f"{seat.number} · {seat.registration.person.full_name}",
                initial=text,
                max_length=30,
            )
        self._add_adjustments(line.get("adjustments", ()))
        self.fields.update(reason_fields)
        if override:
            self.fields["override"] = TextField(
                label=_("Trotzdem so stehen lassen, weil"), max_length=300, required=False
            )

    def _add_adjustments(self, entries: Sequence[Mapping[str, Any]]) -> None:
        # One more than the line has, if the rule set knows such points or the line has some.
        number = len(entries) + bool(self.rule_set.grants or entries)
        self.adjustments = number
        for index in range(number):
            adjustment = entries[index] if index < len(entries) else {}
            self.fields[f"more_seat_{index}"] = NumberField(
                label=_("Weitere Punkte: Platz"),
                required=False,
                min_value=1,
                max_value=len(self.names),
                initial=adjustment.get("seat"),
                widget=forms.TextInput,
            )
            self.fields[f"more_points_{index}"] = TextField(
                label=_("Punkte (−50)"),
                required=False,
                max_length=6,
                initial=str(adjustment["points"]).replace("-", "−") if adjustment else None,
            )
            self.fields[f"more_reason_{index}"] = TextField(
                label=_("wofür"), required=False, max_length=100, initial=adjustment.get("reason")
            )

    def others(self) -> list[forms.BoundField]:
        """Return the other fields of the line."""
        return [cell for cell in self.cells() if cell.name not in self.names]

    def clean(self) -> None:
        """Read the row of cells, and the further points."""
        data = self.cleaned_data
        if all(name in data for name in self.names if name in self.fields):
            row = read_row(
                [data.get(name, "") for name in self.names], self.line_context, self.stored
            )
            if isinstance(row, list):
                self.show_problems(row)
            else:
                data["row"] = row
        for index in range(self.adjustments):
            name = f"more_points_{index}"
            text = data.get(name) or ""
            data[name] = signed_number_in(text)
            if text and data[name] is None:
                self.add_error(name, _("„{text}“ ist keine Zahl.").format(text=text))

    def facts(self) -> dict[str, Any]:
        """Return the line in the interchange format, with its game."""
        data = self.cleaned_data
        (line,) = lines_to_json([replace(data["row"], adjustments=())])
        adjustments = [
            {
                "seat": data[f"more_seat_{index}"],
                "points": data[f"more_points_{index}"],
                "reason": data[f"more_reason_{index}"],
            }
            for index in range(self.adjustments)
            if data[f"more_points_{index}"] is not None
        ]
        if adjustments:
            line["adjustments"] = adjustments
        return {"game": self.game, "line": line, "override": data.get("override", "")}

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Add each problem as an error of its cell."""
        for problem in problems:
            _game, seat = problem.place
            name = f"minus_{seat}"
            self.add_error(name if name in self.fields else None, problem.message)
