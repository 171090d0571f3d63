"""Forms of checking and correcting: the command line of a list, its cells, reasons."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.errors import Problem
from scoring.ruleset import RuleSet
from tournaments.checking.corrections.services.corrections import LONGEST_PARAGRAPH, LONGEST_REASON
from tournaments.checking.corrections.services.moves import GamesStay
from tournaments.checking.services import penalties
from tournaments.common.digits import signed_number_in
from tournaments.common.fields import NumberField
from tournaments.models import Case, Penalty, Spielliste

_COMMAND = re.compile(r"(?P<game>\d{1,2})(?:[\s,]+(?P<seat>\d)(?:[\s,]+(?P<points>[\dhH+?/]+))?)?")


class SumField(NumberField):
    """A sum as it stands on the paper; below zero with either minus sign."""

    widget = forms.TextInput

    def to_python(self, value: Any) -> int | None:
        """Return the number, or None if nothing was typed."""
        number = signed_number_in(str(value or ""))
        return super().to_python(value if number is None else number)


class VerifyForm(forms.Form):
    """„Geprüft“ with the sums of the paper; or a line to be corrected, in the same field."""

    version = NumberField(widget=forms.HiddenInput)
    command = forms.CharField(
        label=gettext_lazy("Eingabe = geprüft, oder Spiel und Platz zum Berichtigen"),
        required=False,
        max_length=20,
    )
    despite = forms.BooleanField(
        label=gettext_lazy("Die Liste stimmt so, wie sie hier steht"), required=False
    )

    def __init__(self, *args: Any, seats: int, **kwargs: Any) -> None:
        """Add a field for the sum of each seat."""
        super().__init__(*args, **kwargs)
        self.seats = seats
        for seat in range(1, seats + 1):
            self.fields[f"sum_{seat}"] = SumField(
                label=_("Summe auf dem Papier, Platz {seat}").format(seat=seat),
                required=False,
                min_value=-99_999,
                max_value=99_999,
            )

    def clean_command(self) -> dict[str, str]:
        """Return game, seat and points that were named; empty for „geprüft“."""
        text = str(self.cleaned_data["command"]).strip()
        if not text:
            return {}
        found = _COMMAND.fullmatch(text)
        if found is None:
            raise ValidationError(
                _("Bitte Spiel und Platz mit Abstand eingeben, zum Beispiel „5 3“ oder „5 3 45“.")
            )
        return {name: value for name, value in found.groupdict().items() if value is not None}

    @property
    def sums(self) -> list[int | None]:
        """Return the sums as typed, seat 1 first."""
        return [self.cleaned_data[f"sum_{seat}"] for seat in range(1, self.seats + 1)]


class ReasonForm(forms.Form):
    """An act that needs nothing but its reason."""

    reason = forms.CharField(label=gettext_lazy("Grund"), max_length=LONGEST_REASON)


def case_field(cases: Sequence[Case], tied: int | None) -> forms.TypedChoiceField:
    """Return the choice of the case that a correction decides; *tied* is chosen already."""
    return forms.TypedChoiceField(
        label=_("Entscheidet den Fall"),
        choices=[("", _("keinen")), *((case.pk, case_label(case)) for case in cases)],
        coerce=int,
        empty_value=None,
        initial=tied if tied in {case.pk for case in cases} else "",
        required=False,
        help_text=_("Mit dem Speichern ist er entschieden; mitzuteilen bleibt es."),
        error_messages={
            "invalid_choice": _(
                "Dieser Fall ist inzwischen entschieden. Bitte ansehen und noch einmal wählen."
            )
        },
    )


def case_label(case: Case) -> str:
    """Return what a case is about, in a line: „Bitte um Berichtigung, Tisch 3, Spiel 5: …“."""
    about = [str(case.get_kind_display())]
    if case.spielliste is not None:
        about.append(str(case.spielliste.table))
    if case.game is not None:
        about.append(_("Spiel {number}").format(number=case.game))
    return f"{', '.join(about)}: {Truncator(case.text).chars(60)}"


class CaseChoice(forms.Form):
    """The part of a form that offers the cases which it may decide."""

    def __init__(
        self, *args: Any, cases: Sequence[Case] = (), tied: int | None = None, **kwargs: Any
    ) -> None:
        """Offer the *cases* that wait, if any; *tied* is the key of the chosen one."""
        super().__init__(*args, **kwargs)
        # What was chosen and is decided meanwhile must be refused, not passed over.
        if cases or self.data.get("case"):
            self.fields["case"] = case_field(cases, tied)

    @property
    def case_id(self) -> int | None:
        """Return the key of the case that the correction decides."""
        found: int | None = self.cleaned_data.get("case")
        return found


class CorrectionForm(CaseChoice):
    """What every correction has: why, and what was seen when it was stored."""

    version = NumberField(widget=forms.HiddenInput)
    reason = forms.CharField(label=gettext_lazy("Grund"), max_length=LONGEST_REASON)
    paragraph = forms.CharField(
        label=gettext_lazy("Paragraph"),
        max_length=LONGEST_PARAGRAPH,
        required=False,
        help_text=gettext_lazy("Leer gilt der vorgeschlagene."),
    )

    def cells(self) -> list[forms.BoundField]:
        """Return the fields that say what is corrected."""
        why = {"version", "reason", "paragraph", "override", "case"}
        return [self[name] for name in self.fields if name not in why]

    def cells_are_valid(self) -> bool:
        """Whether what is corrected can be read, whatever the reason says."""
        why = {"reason", "paragraph", "case"}
        return not set(self.errors) - why

    def facts(self) -> dict[str, Any]:
        """Return what the plan of this kind reads."""
        return {}

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Put what the rules refuse beside the field it is about."""
        for problem in problems:
            self.add_error(None, problem.message)


class BonusSizeForm(CorrectionForm):
    """The size of table that counts for the bonus (§ 3.2.1)."""

    def __init__(self, *args: Any, rule_set: RuleSet, size: int, **kwargs: Any) -> None:
        """Offer the sizes for which the rules name a bonus."""
        super().__init__(*args, **kwargs)
        why = {name: self.fields.pop(name) for name in ("reason", "paragraph")}
        self.fields["bonus_size"] = forms.TypedChoiceField(
            label=_("Für den Bonus zählt ein Tisch mit"),
            choices=[
                (number, _("{number} Personen: {rate} je Spiel").format(number=number, rate=rate))
                for number, rate in sorted(rule_set.bonus_per_game.items())
            ],
            coerce=int,
            initial=size,
            widget=forms.RadioSelect,
        )
        self.fields.update(why)

    def facts(self) -> dict[str, Any]:
        """Return the size."""
        return {"bonus_size": self.cleaned_data["bonus_size"]}


class StatusForm(CorrectionForm):
    """Invalid, or valid again: nothing to be said but why."""


class MoveForm(CaseChoice):
    """Who moves where, and whose the games so far are."""

    numbers = forms.CharField(
        label=gettext_lazy("Startnummern"),
        max_length=200,
        help_text=gettext_lazy(
            "Jede Nummer kommt auf den Platz der nächsten, die letzte auf den der ersten: „5 12“ "
            "tauscht zwei, „5 12 30“ lässt drei weiterrücken. Mehrere Ringe mit Semikolon trennen."
        ),
    )
    games = forms.ChoiceField(
        label=gettext_lazy("Die bisher eingetragenen Spiele"),
        choices=[
            (GamesStay.PERSON, gettext_lazy("gehen mit der Person: Sie hat sie dort gespielt")),
            (
                GamesStay.PLACE,
                gettext_lazy("bleiben beim Platz: Sie standen unter dem falschen Namen"),
            ),
        ],
        initial=GamesStay.PERSON,
        widget=forms.RadioSelect,
    )
    reason = forms.CharField(label=gettext_lazy("Grund"), max_length=LONGEST_REASON)
    paragraph = forms.CharField(
        label=gettext_lazy("Paragraph"),
        max_length=LONGEST_PARAGRAPH,
        required=False,
        help_text=gettext_lazy("Leer gilt § 2.1.2."),
    )

    def clean_numbers(self) -> list[list[int]]:
        """Return the rings of start numbers."""
        text = str(self.cleaned_data["numbers"])
        rings = [re.findall(r"\d+", part) for part in re.split(r"[;\n]", text)]
        if re.search(r"[^\d\s,;.–\-]", text):
            raise ValidationError(_("Bitte nur Startnummern eingeben, zum Beispiel „5 12“."))
        return [[int(number) for number in ring] for ring in rings if ring]

    def cells_are_valid(self) -> bool:
        """Whether it can be read who moves, whatever the reason says."""
        return not {"numbers", "games"} & set(self.errors)


class PenaltyForm(forms.Form):
    """Strafpunkte for somebody at the table (§ 8.3)."""

    registration = forms.TypedChoiceField(
        label=gettext_lazy("Für"), coerce=int, widget=forms.RadioSelect
    )
    points = forms.TypedChoiceField(
        label=gettext_lazy("Strafpunkte"),
        coerce=int,
        choices=[
            (penalties.LAID_OUT, gettext_lazy("100: hatte schon ausgelegt (§ 8.3)")),
            (penalties.NOT_LAID_OUT, gettext_lazy("150: hatte noch nicht ausgelegt (§ 8.3)")),
            (0, gettext_lazy("andere")),
        ],
        initial=penalties.LAID_OUT,
        widget=forms.RadioSelect,
    )
    other_points = NumberField(
        label=gettext_lazy("Andere Zahl"),
        required=False,
        min_value=1,
        max_value=penalties.MOST,
        widget=forms.TextInput,
    )
    reason = forms.CharField(label=gettext_lazy("Grund"), max_length=penalties.LONGEST_REASON)
    paragraph = forms.CharField(
        label=gettext_lazy("Paragraph"),
        max_length=LONGEST_PARAGRAPH,
        initial=penalties.PARAGRAPH,
        required=False,
    )

    def __init__(self, *args: Any, people: Sequence[tuple[int, str]], **kwargs: Any) -> None:
        """Offer everybody on the list."""
        super().__init__(*args, **kwargs)
        self.fields["registration"].choices = people  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """See to it that „andere“ names a number."""
        data = dict(super().clean() or {})
        if data.get("points") == 0 and "other_points" in data:
            if data["other_points"] is None:
                self.add_error("other_points", _("Bitte die Zahl der Strafpunkte eingeben."))
            else:
                data["points"] = data["other_points"]
        return data

    def penalty(self, spielliste: Spielliste) -> Penalty:
        """Return the Strafpunkte as they would be; nothing is stored."""
        return Penalty(
            spielliste=spielliste,
            registration_id=self.cleaned_data["registration"],
            points=self.cleaned_data["points"],
            reason=self.cleaned_data["reason"],
            paragraph=self.cleaned_data["paragraph"],
        )
