"""The form of one line of a list: every cell as text, several readings with a slash."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from scoring.errors import Problem
from scoring.ruleset import RuleSet
from tournaments.checking.forms.checking import CorrectionForm
from tournaments.checking.queries import readings_text
from tournaments.common.digits import number_in
from tournaments.models import Seat

_NOBODY = {"-", "–", "−", "0"}


class LineForm(CorrectionForm):
    """One line: hands, who finished, Handrommé, further points; each with its readings."""

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
        """Take the line as it stands for a start; *override* offers to let it stand."""
        super().__init__(*args, **kwargs)
        self.rule_set = rule_set
        self.seats = len(seats)
        self.game = game
        why = {name: self.fields.pop(name) for name in ("reason", "paragraph")}
        for seat in seats:
            self._add_hand(seat, line["minus"][seat.number - 1])
        self.fields["finisher"] = forms.CharField(
            label=_("Beendet hat Platz"),
            initial=_finisher_text(line["finisher"]),
            max_length=20,
            required=not rule_set.ends_without_finisher,
        )
        if rule_set.handromme is not None:
            self.fields["handromme"] = forms.ChoiceField(
                label=_("Handrommé"),
                choices=[("no", _("nein")), ("yes", _("ja")), ("unclear", _("unklar"))],
                initial=_handromme_word(line.get("handromme", False)),
            )
        self._add_adjustments(line.get("adjustments", ()))
        self.fields.update(why)
        if override:
            self.fields["override"] = forms.CharField(
                label=_("Trotzdem so stehen lassen, weil"), max_length=300, required=False
            )

    def _add_hand(self, seat: Seat, entry: int | list[int]) -> None:
        readings = entry if isinstance(entry, list) else [entry]
        self.fields[f"minus_{seat.number}"] = forms.CharField(
            label=f"{seat.number} · {seat.registration.person.full_name}",
            initial=readings_text(readings),
            max_length=30,
        )

    def _add_adjustments(self, entries: Sequence[Mapping[str, Any]]) -> None:
        # One more than there are, where the rules know such points or one stands there.
        number = len(entries) + bool(self.rule_set.grants or entries)
        self.adjustments = number
        for index in range(number):
            given = entries[index] if index < len(entries) else {}
            self.fields[f"more_seat_{index}"] = forms.IntegerField(
                label=_("Weitere Punkte: Platz"),
                required=False,
                min_value=1,
                max_value=self.seats,
                initial=given.get("seat"),
                widget=forms.TextInput,
            )
            self.fields[f"more_points_{index}"] = forms.CharField(
                label=_("Punkte (−50)"),
                required=False,
                max_length=6,
                initial=str(given["points"]).replace("-", "−") if given else None,
            )
            self.fields[f"more_reason_{index}"] = forms.CharField(
                label=_("wofür"), required=False, max_length=100, initial=given.get("reason")
            )

    def hands(self) -> list[forms.BoundField]:
        """Return the fields of the hands, seat 1 first."""
        return [self[f"minus_{seat}"] for seat in range(1, self.seats + 1)]

    def others(self) -> list[forms.BoundField]:
        """Return the other fields of the line."""
        return [cell for cell in self.cells() if not cell.name.startswith("minus_")]

    def clean(self) -> dict[str, Any]:
        """Read every entry of the line with its readings."""
        data = dict(super().clean() or {})
        for seat in range(1, self.seats + 1):
            name = f"minus_{seat}"
            if name in data:
                self._read(name, data, _hand)
        if "finisher" in data:
            self._read("finisher", data, _finisher)
        for index in range(self.adjustments):
            self._read(f"more_points_{index}", data, _signed)
        return data

    def _read(self, name: str, data: dict[str, Any], read: Any) -> None:
        try:
            data[name] = read(data.get(name) or "")
        except ValueError as wrong:
            self.add_error(name, str(wrong))

    def facts(self) -> dict[str, Any]:
        """Return the line in the interchange format, with its game."""
        data = self.cleaned_data
        handromme = {"yes": True, "unclear": [True, False]}.get(data.get("handromme", "no"), False)
        line: dict[str, Any] = {
            "finisher": data["finisher"],
            "handromme": handromme,
            "minus": [data[f"minus_{seat}"] for seat in range(1, self.seats + 1)],
        }
        more = [
            {
                "seat": data[f"more_seat_{index}"],
                "points": data[f"more_points_{index}"],
                "reason": data[f"more_reason_{index}"],
            }
            for index in range(self.adjustments)
            if data[f"more_points_{index}"] is not None
        ]
        if more:
            line["adjustments"] = more
        return {"game": self.game, "line": line, "override": data.get("override", "")}

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Put each problem beside its cell."""
        for problem in problems:
            found = re.match(r"minus\[(\d+)\]", problem.where)
            name = f"minus_{int(found[1]) + 1}" if found else problem.where.split("[")[0]
            self.add_error(name if name in self.fields else None, problem.message)


def _readings(text: str) -> list[str]:
    return [part for part in re.split(r"\s*(?:/|oder)\s*", text.strip()) if part]


def _number(text: str) -> int:
    number = number_in(text)
    if number is None:
        raise ValueError(
            _("„{text}“ ist keine Zahl. Mehrere Lesarten bitte als 17/71 eingeben.").format(
                text=text
            )
        )
    return number


def _hand(text: str) -> int | list[int]:
    readings = [_number(part) for part in _readings(text)]
    if not readings:
        raise ValueError(_("Bitte die Punkte eingeben."))
    return readings[0] if len(readings) == 1 else readings


def _finisher(text: str) -> int | list[int | None] | None:
    seats = [None if part in _NOBODY else _number(part) for part in _readings(text)]
    if len(seats) > 1:
        return seats
    return seats[0] if seats else None


def _signed(text: str) -> int | None:
    bare = text.strip().replace("−", "-").replace("–", "-")
    if not bare:
        return None
    sign = -1 if bare.startswith("-") else 1
    return sign * _number(bare.lstrip("-+"))


def _finisher_text(entry: int | list[int | None] | None) -> str:
    seats = entry if isinstance(entry, list) else [entry]
    return "/".join("–" if seat is None else str(seat) for seat in seats)


def _handromme_word(entry: bool | list[bool]) -> str:
    if isinstance(entry, list):
        return "unclear"
    return "yes" if entry else "no"
