"""The form of a prize plan: a row for each prize, and the part of the pot that is kept."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.errors import ScoringError
from scoring.payments import prizes
from scoring.payments.choosing import AbsentChooser, ThingsToChoose
from scoring.payments.prizes import MOST_EXPECTED, PrizeLine, PrizePlan, TieRule
from scoring.reading.records import to_json
from scoring.reading.validation import from_json
from tournaments.announcement.forms.tariff import rows_of
from tournaments.announcement.queries.tournaments import STARTGELD_POT
from tournaments.common.ranking_names import can_count_from_last
from tournaments.models import Tournament
from tournaments.web.fields import EuroField, NumberField, PercentField, PercentsField, TextField

_FROM_LAST = "last"
_CHOOSING = ("things", "things_for_all", "things_ranking", "things_gone")
MOST_LETTERS = 200  # of a thing
_LINE = re.compile(r"lines\[(?P<index>\d+)\](?:\.(?P<field>\w+))?")


class PrizeFormRow(forms.Form):
    """One prize."""

    ranking = forms.ChoiceField(label=gettext_lazy("Wertung"))
    place = NumberField(label=gettext_lazy("Platz"), min_value=1, max_value=1000)
    share_permille = PercentField(label=gettext_lazy("Anteil in %"), required=False)
    fixed_cents = EuroField(label=gettext_lazy("Betrag in Euro"), required=False, empty_value=0)
    goods = TextField(label=gettext_lazy("Sachpreis"), required=False, max_length=200)

    def __init__(self, *args: Any, choices: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The initial value of an empty row makes an unchanged row count as empty.
        self.fields["ranking"] = forms.ChoiceField(
            label=self.fields["ranking"].label, choices=choices, initial=choices[0][0]
        )

    def clean(self) -> None:
        """Add ``line``, or errors if there can be no such prize."""
        data = self.cleaned_data
        if self.errors:
            return
        try:
            values = {name: data[name] for name in self.base_fields}
            values["ranking"] = to_json(ranking_of(data["ranking"]))
            data["line"] = from_json(values, PrizeLine)
        except ScoringError as refusal:
            for problem in refusal.problems:
                name = problem.where if problem.where in self.fields else None
                self.add_error(name, problem.message)


PrizeRows = rows_of(PrizeFormRow)


def ranking_of(key: str) -> prizes.PrizeRanking:
    """Return the ranking of a choice: "overall", "serie-2", "women", "women-last"."""
    category, _dash, part = key.partition("-")
    from_last = part == _FROM_LAST
    serie = int(part) if part and not from_last else None
    return prizes.PrizeRanking(
        category=prizes.RankingCategory(category), serie=serie, from_last=from_last
    )


def ranking_key(ranking: prizes.PrizeRanking) -> str:
    """Return the choice for *ranking*."""
    part = _FROM_LAST if ranking.from_last else ranking.serie
    return f"{ranking.category}-{part}" if part else ranking.category.value


def ranking_choices(tournament: Tournament, pot: str) -> list[tuple[str, str]]:
    """Return the rankings for which *pot* can give prizes.

    The Startgeld can give prizes in all of them; stakes only in their own ranking.
    """
    rankings = [
        prizes.PrizeRanking(category=ranking.category)
        for ranking in tournament.rankings.all()
        if pot in {STARTGELD_POT, ranking.kind}
    ]
    rankings += [
        replace(ranking, from_last=True)
        for ranking in rankings
        if can_count_from_last(ranking.category)
    ]
    if pot == STARTGELD_POT:
        rankings += [
            prizes.PrizeRanking(category=prizes.RankingCategory.SERIE, serie=number)
            for number in tournament.serien.values_list("number", flat=True)
        ]
    rankings.sort(key=lambda ranking: ranking.order)
    return [(ranking_key(ranking), ranking.describe()) for ranking in rankings]


class ThingsField(TextField):
    """Things, one per line; ``cleaned_data`` has them as a tuple."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=6000, widget=forms.Textarea({"rows": 4}), **kwargs)

    def clean(self, value: Any) -> Any:
        """Return the things; refuse those that are too long."""
        things = tuple(filter(None, map(str.strip, super().clean(value).splitlines())))
        too_long = next((thing for thing in things if len(thing) > MOST_LETTERS), None)
        if too_long:
            raise ValidationError(
                _("„{thing} …“ ist zu lang: höchstens {most} Zeichen.").format(
                    thing=too_long[:40], most=MOST_LETTERS
                )
            )
        return things

    def prepare_value(self, value: Any) -> Any:
        """Return a line for each thing; typed text stays unchanged."""
        return "\n".join(value) if isinstance(value, tuple) else value


def _initial_of(choosing: ThingsToChoose | None) -> dict[str, Any]:
    if choosing is None:
        return {"things_gone": AbsentChooser.LATER.value}
    return {
        "things": choosing.things,
        "things_for_all": choosing.for_all,
        "things_ranking": ranking_key(choosing.ranking),
        "things_gone": choosing.gone.value,
    }


class PrizeForm(forms.Form):
    """The part kept by the organiser, the rule for ties, and the prizes."""

    expected_entries = NumberField(
        label=gettext_lazy("Erwartete Teilnehmende"),
        required=False,
        min_value=1,
        max_value=MOST_EXPECTED,
        help_text=gettext_lazy(
            "Für so viele nennt die Ausschreibung Beträge, mit „etwa“. Leer: nur Anteile."
        ),
    )
    kept_cents = EuroField(label=gettext_lazy("Einbehalten in Euro"), required=False, empty_value=0)
    kept_permille = PercentField(
        label=gettext_lazy("oder in % des Startgelds"),
        required=False,
    )
    ties = forms.TypedChoiceField(
        label=gettext_lazy("Wenn Gleiche verschiedene Preise hätten"),
        choices=[
            (TieRule.SHARE.value, gettext_lazy("teilen sie die Preise ihrer Plätze")),
            (TieRule.PLAYOFF.value, gettext_lazy("entscheidet ein Entscheidungsspiel")),
        ],
        coerce=TieRule,
        widget=forms.RadioSelect,
    )
    whole_euros = forms.BooleanField(
        label=gettext_lazy("Anteile auf volle Euro abrunden"), required=False
    )
    serie_cents = EuroField(
        label=gettext_lazy("Von jedem Startgeld in Euro"), required=False, empty_value=0
    )
    serie_shares = PercentsField(
        label=gettext_lazy("Plätze jeder Serie in %"),
        required=False,
        help_text=gettext_lazy("Etwa „50 30 20“ für die ersten drei."),
    )

    things = ThingsField(label=gettext_lazy("Sachen, eine je Zeile"), required=False)
    things_for_all = forms.BooleanField(
        label=gettext_lazy("für alle, auch ohne Liste"), required=False
    )
    things_ranking = forms.ChoiceField(
        label=gettext_lazy("Reihenfolge beim Wählen"), required=False
    )
    things_gone = forms.TypedChoiceField(
        label=gettext_lazy("Wer beim Aufruf nicht da ist"),
        choices=[
            (
                AbsentChooser.LATER.value,
                gettext_lazy("wird nach allen anderen noch einmal aufgerufen"),
            ),
            (AbsentChooser.PASSED.value, gettext_lazy("geht leer aus")),
        ],
        coerce=AbsentChooser,
        required=False,
        empty_value=AbsentChooser.LATER,
        widget=forms.RadioSelect,
    )

    lottery = ThingsField(
        label=gettext_lazy("Verlosung unter allen, die da sind: Sachen, eine je Zeile"),
        required=False,
    )

    def __init__(
        self, data: Any = None, *, tournament: Tournament, pot: str, plan: PrizePlan
    ) -> None:
        initial = {name: getattr(plan, name, None) or None for name in self.base_fields}
        super().__init__(data, initial=initial | _initial_of(plan.choosing))
        self.pot, self.plan = pot, plan
        if tournament.ties_by_lot:
            ties = self.fields["ties"]
            ties.choices = [  # type: ignore[attr-defined]
                (value, _("entscheidet das Los") if value == TieRule.PLAYOFF.value else label)
                for value, label in ties.choices  # type: ignore[attr-defined]
            ]
        if pot != STARTGELD_POT:
            for name in ("serie_cents", "serie_shares", "lottery", *_CHOOSING):
                del self.fields[name]
        else:
            ranking = self.fields["things_ranking"]
            ranking.choices = ranking_choices(tournament, pot)  # type: ignore[attr-defined]
        self.rows = PrizeRows(
            data,
            prefix="preise",
            form_kwargs={"choices": ranking_choices(tournament, pot)},
            initial=[
                {name: getattr(line, name) or None for name in PrizeFormRow.base_fields}
                | {"ranking": ranking_key(line.ranking)}
                for line in sorted(plan.lines, key=lambda line: line.order)
            ],
        )

    def is_valid(self) -> bool:
        """Whether fields and rows are valid and make a plan together."""
        return self.rows.is_valid() and super().is_valid()

    def clean(self) -> None:
        """Add ``plan``, or an error at the field or row."""
        data = self.cleaned_data
        if self.errors or not self.rows.is_valid():
            return
        rows = [
            row
            for row in self.rows
            if row not in self.rows.deleted_forms and "line" in row.cleaned_data
        ]
        try:
            lines = tuple(row.cleaned_data["line"] for row in rows)
            values = {name: data[name] for name in data if name not in _CHOOSING}
            values |= {"expected_entries": data["expected_entries"] or 0}
            values |= {"choosing": self._choosing()}
            data["plan"] = PrizePlan(lines=lines, **values)
        except ScoringError as refusal:
            for problem in refusal.problems:
                self._refuse(problem.where, problem.message, rows)

    def _choosing(self) -> ThingsToChoose | None:
        data = self.cleaned_data
        things = data.get("things", ())
        if not things and not data.get("things_for_all"):
            return None
        return ThingsToChoose(
            ranking=ranking_of(data["things_ranking"] or prizes.RankingCategory.OVERALL.value),
            things=things,
            for_all=data["things_for_all"],
            gone=data["things_gone"],
        )

    def _refuse(self, where: str, message: str, rows: list[forms.Form]) -> None:
        match = _LINE.match(where)
        if match is None:
            self.add_error(where if where in self.fields else None, message)
            return
        row = rows[int(match["index"])]
        row.add_error(match["field"] if match["field"] in row.fields else None, message)
        self.add_error(None, _("Bitte die Zeilen des Preisplans prüfen."))
