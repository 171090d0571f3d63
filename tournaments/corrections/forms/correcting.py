"""Forms of corrections: the case that they decide, the reason, bonus size and moves."""

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
from tournaments.corrections.services.corrections import LONGEST_PARAGRAPH
from tournaments.corrections.services.moves import GamesOwner
from tournaments.journal.acts import LONGEST_REASON
from tournaments.models import Case
from tournaments.web.fields import NumberField, TextField


def case_label(case: Case) -> str:
    """Return a case in one line: „Bitte um Berichtigung, Tisch 3, Spiel 5: …“."""
    about = [str(case.get_kind_display())]
    if case.spielliste is not None:
        about.append(str(case.spielliste.table))
    if case.game is not None:
        about.append(_("Spiel {number}").format(number=case.game))
    return f"{', '.join(about)}: {Truncator(case.text).chars(60)}"


class CaseChoice(forms.Form):
    """The part of a form with the cases that it may decide."""

    def __init__(
        self, *args: Any, cases: Sequence[Case] = (), tied: int | None = None, **kwargs: Any
    ) -> None:
        """Offer the open *cases*, if any; *tied* is the key of the preselected case."""
        super().__init__(*args, **kwargs)
        # A chosen case that was decided meanwhile is refused, not ignored.
        if cases or self.data.get("case"):
            self.fields["case"] = forms.TypedChoiceField(
                label=_("Entscheidet den Fall"),
                choices=[("", _("keinen")), *((case.pk, case_label(case)) for case in cases)],
                coerce=int,
                empty_value=None,
                initial=tied if tied in {case.pk for case in cases} else "",
                required=False,
                help_text=_("Mit dem Speichern ist er entschieden; mitzuteilen bleibt es."),
                error_messages={
                    "invalid_choice": _(
                        "Dieser Fall ist inzwischen entschieden. Bitte ansehen und noch einmal "
                        "wählen."
                    )
                },
            )

    @property
    def case_id(self) -> int | None:
        """Return the key of the case that the correction decides."""
        case_id: int | None = self.cleaned_data.get("case")
        return case_id


class CorrectionForm(CaseChoice):
    """The fields of every correction: reason, paragraph, and the version that was seen."""

    version = NumberField(widget=forms.HiddenInput)
    reason = TextField(label=gettext_lazy("Grund"), max_length=LONGEST_REASON)
    paragraph = TextField(
        label=gettext_lazy("Paragraph"),
        max_length=LONGEST_PARAGRAPH,
        required=False,
        help_text=gettext_lazy("Leer gilt der vorgeschlagene."),
    )

    def cells(self) -> list[forms.BoundField]:
        """Return the fields of the corrected values."""
        others = {"version", "reason", "paragraph", "override", "case"}
        return [self[name] for name in self.fields if name not in others]

    def cells_are_valid(self) -> bool:
        """Whether the corrected values are valid, regardless of the reason."""
        others = {"reason", "paragraph", "case"}
        return not set(self.errors) - others

    def facts(self) -> dict[str, Any]:
        """Return the facts for the correction's plan."""
        return {}

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Add the problems as errors of the fields concerned."""
        for problem in problems:
            self.add_error(None, problem.message)


class BonusSizeForm(CorrectionForm):
    """The table size that counts for the bonus (§ 3.2.1)."""

    def __init__(self, *args: Any, rule_set: RuleSet, size: int, **kwargs: Any) -> None:
        """Offer the sizes for which the rule set has a bonus."""
        super().__init__(*args, **kwargs)
        reason_fields = {name: self.fields.pop(name) for name in ("reason", "paragraph")}
        self.fields["bonus_size"] = forms.TypedChoiceField(
            label=_("Für den Bonus zählt ein Tisch mit"),
            choices=[
                (
                    number,
                    _("{number} Personen: {rate} je Spiel").format(
                        number=number, rate=abs(rule_set.rates(number)[0])
                    ),
                )
                for number in sorted(rule_set.bonus_per_game)
            ],
            coerce=int,
            initial=size,
            widget=forms.RadioSelect,
        )
        self.fields.update(reason_fields)

    def facts(self) -> dict[str, Any]:
        """Return the size."""
        return {"bonus_size": self.cleaned_data["bonus_size"]}


class MoveForm(CaseChoice):
    """The players that move, and the owner of their earlier games."""

    numbers = TextField(
        label=gettext_lazy("Startnummern"),
        max_length=200,
        help_text=gettext_lazy(
            "Jede Nummer kommt auf den Platz der nächsten, die letzte auf den der ersten: „5 12“ "
            "tauscht zwei, „5 12 30“ lässt drei weiterrücken. Mehrere solche Wechsel mit "
            "Strichpunkt trennen: „5 12; 7 9“."
        ),
    )
    games = forms.ChoiceField(
        label=gettext_lazy("Die bisher eingetragenen Spiele"),
        choices=[
            (GamesOwner.PERSON, gettext_lazy("gehen mit der Person: Sie hat sie dort gespielt")),
            (
                GamesOwner.PLACE,
                gettext_lazy("bleiben beim Platz: Sie standen unter dem falschen Namen"),
            ),
        ],
        initial=GamesOwner.PERSON,
        widget=forms.RadioSelect,
    )
    reason = TextField(label=gettext_lazy("Grund"), max_length=LONGEST_REASON)
    paragraph = TextField(
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
        """Whether the players that move are valid, regardless of the reason."""
        return not {"numbers", "games"} & set(self.errors)
