"""Forms of checking: the command line of a list, and Strafpunkte."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.ruleset import RuleSet
from tournaments.checking.services import penalties
from tournaments.common.digits import signed_number_in
from tournaments.corrections.services.corrections import LONGEST_PARAGRAPH
from tournaments.models import Penalty, Spielliste
from tournaments.web.fields import NumberField, TextField

_COMMAND = re.compile(r"(?P<game>\d{1,2})(?:[\s,]+(?P<seat>\d)(?:[\s,]+(?P<points>[\dhH+?/]+))?)?")


class SumField(NumberField):
    """A sum on the paper; accepts both minus signs."""

    widget = forms.TextInput

    def to_python(self, value: Any) -> int | None:
        """Return the number, or None if nothing was typed."""
        number = signed_number_in(str(value or ""))
        return super().to_python(value if number is None else number)


class VerifyForm(forms.Form):
    """„Geprüft“ with the sums on the paper, or a command that names a cell to be corrected."""

    version = NumberField(widget=forms.HiddenInput)
    command = TextField(
        label=gettext_lazy("Eingabe = geprüft, oder Spiel und Platz zum Berichtigen"),
        required=False,
        max_length=20,
    )
    despite = forms.BooleanField(
        label=gettext_lazy("Die Liste stimmt so, wie sie hier steht"), required=False
    )

    def __init__(self, *args: Any, rule_set: RuleSet, seats: int, **kwargs: Any) -> None:
        """Add a field for the sum of each seat."""
        super().__init__(*args, **kwargs)
        self.rule_set = rule_set
        self.seats = seats
        for seat in range(1, seats + 1):
            self.fields[f"sum_{seat}"] = SumField(
                label=_("Summe auf dem Papier, Platz {seat}").format(seat=seat),
                required=False,
                min_value=-99_999,
                max_value=99_999,
            )

    def clean_command(self) -> dict[str, str]:
        """Return game, seat and points of the command; empty for „geprüft“."""
        text = str(self.cleaned_data["command"]).strip()
        if not text:
            return {}
        match = _COMMAND.fullmatch(text)
        if match is None:
            raise ValidationError(
                _("Bitte Spiel und Platz mit Abstand eingeben, zum Beispiel „5 3“ oder „5 3 45“.")
            )
        game, seat = int(match["game"]), int(match["seat"] or 0)
        if seat and seat == self.rule_set.sits_out(game, self.seats):
            raise ValidationError(
                _("Platz {seat} gibt Spiel {game} und setzt aus; da steht keine Hand.").format(
                    seat=seat, game=game
                )
            )
        return {name: value for name, value in match.groupdict().items() if value is not None}

    @property
    def sums(self) -> list[int | None]:
        """Return the typed sums, seat 1 first."""
        return [self.cleaned_data[f"sum_{seat}"] for seat in range(1, self.seats + 1)]


class PenaltyForm(forms.Form):
    """Strafpunkte for a player at the table (§ 8.3)."""

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
        widget=forms.RadioSelect,
    )
    other_points = NumberField(
        label=gettext_lazy("Andere Zahl"),
        required=False,
        min_value=1,
        max_value=penalties.MOST,
        widget=forms.TextInput,
    )
    reason = TextField(label=gettext_lazy("Grund"), max_length=penalties.LONGEST_REASON)
    paragraph = TextField(
        label=gettext_lazy("Paragraph"),
        max_length=LONGEST_PARAGRAPH,
        initial=penalties.PARAGRAPH,
        required=False,
    )

    def __init__(self, *args: Any, people: Sequence[tuple[int, str]], **kwargs: Any) -> None:
        """Offer all players of the list."""
        super().__init__(*args, **kwargs)
        self.fields["registration"].choices = people  # type: ignore[attr-defined]

    def clean(self) -> None:
        """Check that „andere“ has a number."""
        data = self.cleaned_data
        if data.get("points") == 0 and "other_points" in data:
            if data["other_points"] is None:
                self.add_error("other_points", _("Bitte die Zahl der Strafpunkte eingeben."))
            else:
                data["points"] = data["other_points"]

    def penalty(self, spielliste: Spielliste) -> Penalty:
        """Return the Strafpunkte without storing them."""
        return Penalty(
            spielliste=spielliste,
            registration_id=self.cleaned_data["registration"],
            points=self.cleaned_data["points"],
            reason=self.cleaned_data["reason"],
            paragraph=self.cleaned_data["paragraph"],
        )
