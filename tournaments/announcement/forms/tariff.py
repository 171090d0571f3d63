"""Forms of the tariff and of the rankings, with rows of equal fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.db.models import F
from django.forms.formsets import TOTAL_FORM_COUNT
from django.forms.models import model_to_dict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.announcement.forms.moments import day_and_time, moment_in
from tournaments.announcement.services.sections import FIELDS
from tournaments.announcement.services.tariff import Tariff
from tournaments.common.digits import number_in
from tournaments.models import Category, Ranking, Tournament
from tournaments.models.tournament import Section
from tournaments.web.fields import (
    DATE_INPUT,
    TIME_INPUT,
    DayField,
    EuroField,
    NumberField,
    SafeControlNames,
    TextField,
    YearField,
)

ADD_ROW = "add_row"  # the button that adds a row instead of saving
MOST_ROWS = 300


class FormRows(forms.BaseFormSet):
    """Rows that can be added and removed without a script.

    The button „weitere Zeile“ sends the form like „Speichern“; the page comes back with the
    entered values and one more row.
    """

    def __init__(self, data: Any = None, **kwargs: Any) -> None:
        if data is not None and ADD_ROW in data:
            data = data.copy()
            prefix = kwargs.get("prefix", self.get_default_prefix())
            total = min((number_in(data.get(f"{prefix}-{TOTAL_FORM_COUNT}")) or 0) + 1, MOST_ROWS)
            data[f"{prefix}-{TOTAL_FORM_COUNT}"] = str(total)
            # With its initial values the new row counts as empty, so no field is required.
            for name, field in self.form(**kwargs.get("form_kwargs", {})).fields.items():
                if field.initial is not None:
                    data.setdefault(f"{prefix}-{total - 1}-{name}", str(field.initial))
        super().__init__(data, **kwargs)

    def add_fields(self, form: forms.Form, index: int | None) -> None:
        """Add the row to the label of every field, for screen readers."""
        super().add_fields(form, index)
        for name, field in form.fields.items():
            if name == "DELETE":
                field.label = _("entfernen")
            field.widget.attrs["aria-label"] = _("{label}, Zeile {row}").format(
                label=field.label, row=(index or 0) + 1
            )


def rows_of(form: type[forms.Form]) -> type[forms.BaseFormSet[Any]]:
    """Return rows of *form*, one of them empty."""
    return forms.formset_factory(
        form,
        formset=FormRows,
        can_delete=True,
        can_delete_extra=False,
        max_num=MOST_ROWS,
        absolute_max=MOST_ROWS,
    )


class CategoryRow(SafeControlNames, forms.Form):
    """One line of the tariff."""

    FIELDS = ("name", "startgeld_cents", "born_from", "born_until")

    category_id = NumberField(required=False, widget=forms.HiddenInput)
    name = TextField(label=gettext_lazy("Gruppe"), max_length=60)
    startgeld_cents = EuroField(label=gettext_lazy("Startgeld in Euro"))
    born_from = YearField(label=gettext_lazy("Jahrgang ab"), required=False)
    born_until = YearField(label=gettext_lazy("Jahrgang bis"), required=False)


CategoryRows = rows_of(CategoryRow)


class TariffForm(forms.Form):
    """Startgeld by group, additional amounts, and the number of places."""

    kartengeld_cents = EuroField(
        label=gettext_lazy("Kartengeld in Euro"),
        required=False,
        empty_value=0,
        help_text=gettext_lazy("Kommt für alle zum Startgeld dazu."),
    )
    kaution_cents = EuroField(
        label=gettext_lazy("Kaution in Euro"),
        required=False,
        empty_value=0,
        help_text=gettext_lazy("Zahlt die Kasse am Ende zurück."),
    )
    refund_day = DayField(
        label=gettext_lazy("Rückzahlung bei Abmeldung bis"), widget=DATE_INPUT, required=False
    )
    refund_time = forms.TimeField(label=gettext_lazy("um"), widget=TIME_INPUT, required=False)
    late_startgeld = forms.ChoiceField(
        label=gettext_lazy("Wer nach der ersten Serie kommt, zahlt"),
        choices=Tournament.LateStartgeld,
        widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "Der Anteil wird auf 10 Cent abgerundet. Kartengeld und Einsätze bleiben voll."
        ),
    )
    day_startgeld = forms.BooleanField(
        label=gettext_lazy("Wer nur an einzelnen Tagen spielt, zahlt den Anteil dieser Serien"),
        required=False,
        help_text=gettext_lazy(
            "Die Tage stehen im Zeitplan unter „Serien“. Gilt für Meldungen von da an."
        ),
    )
    places = NumberField(
        label=gettext_lazy("Plätze"),
        required=False,
        min_value=3,
        max_value=10_000,
        help_text=gettext_lazy("Sind alle belegt, beginnt die Warteliste. Leer: ohne Grenze."),
    )

    def __init__(self, data: Any = None, *, tournament: Tournament) -> None:
        super().__init__(
            data,
            initial={
                **model_to_dict(tournament, FIELDS[Section.STARTGELD]),
                "kartengeld_cents": tournament.kartengeld_cents or None,
                "kaution_cents": tournament.kaution_cents or None,
                **day_and_time("refund", tournament.refund_until),
            },
        )
        self.rows = CategoryRows(
            data,
            prefix="gruppen",
            initial=tournament.categories.values(*CategoryRow.FIELDS, category_id=F("pk")),
        )

    def is_valid(self) -> bool:
        """Whether the fields and all rows are valid."""
        return super().is_valid() and self.rows.is_valid()

    def clean(self) -> None:
        """Combine day and time of the refund."""
        data = self.cleaned_data
        day, clock = data.get("refund_day"), data.get("refund_time")
        data["refund_until"] = moment_in(self, "refund")
        if bool(day) != bool(clock):
            self.add_error(
                "refund_time" if day else "refund_day",
                _("Bitte Tag und Uhrzeit angeben, bis zu denen zurückgezahlt wird."),
            )

    def tariff(self) -> Tariff:
        """Return the tariff; the rows in their order."""
        data = self.cleaned_data
        return Tariff(
            categories=[
                Category(
                    pk=row.cleaned_data["category_id"],
                    **{name: row.cleaned_data[name] for name in CategoryRow.FIELDS},
                )
                for row in self.rows
                if row not in self.rows.deleted_forms
                and (row.has_changed() or row.initial.get("category_id"))
            ],
            **{name: data[name] for name in FIELDS[Section.STARTGELD]},
        )


class RankingsForm(forms.Form):
    """The rankings beside the single one, with their conditions and stakes."""

    # The fields of each kind besides the stake.
    DETAILS: Mapping[Ranking.Kind, tuple[str, ...]] = {
        Ranking.Kind.TEAM: ("size",),
        Ranking.Kind.TANDEM: (),
        Ranking.Kind.MIXED: (),
        Ranking.Kind.WOMEN: (),
        Ranking.Kind.JUNIORS: ("born_from",),
        Ranking.Kind.SENIORS: ("born_until",),
    }

    def __init__(self, data: Any = None, *, tournament: Tournament) -> None:
        super().__init__(data)
        existing = {ranking.kind: ranking for ranking in tournament.rankings.all()}
        single = existing.get(Ranking.Kind.SINGLE)
        self._single_stake_cents = single.stake_cents if single else 0
        for kind in self.DETAILS:
            self._add_kind(kind, existing.get(kind))

    def _add_kind(self, kind: Ranking.Kind, ranking: Ranking | None) -> None:
        self.fields[kind] = forms.BooleanField(
            label=str(kind.label), required=False, initial=ranking is not None
        )
        details: dict[str, forms.Field] = {
            "size": NumberField(
                label=_("Personen je Mannschaft"), required=False, min_value=2, max_value=20
            ),
            "born_from": YearField(label=_("Jahrgang ab"), required=False),
            "born_until": YearField(label=_("Jahrgang bis"), required=False),
        }
        for name in self.DETAILS[kind]:
            self.fields[f"{kind}_{name}"] = details[name]
            details[name].initial = getattr(ranking, name, None)
        self.fields[f"{kind}_stake_cents"] = EuroField(
            label=_("Einsatz je Person in Euro"),
            required=False,
            empty_value=0,
            initial=ranking.stake_cents or None if ranking else None,
        )

    @property
    def kinds(self) -> list[forms.BoundField]:
        """The field that chooses each kind, for the template."""
        return [self[kind] for kind in self.DETAILS]

    def clean(self) -> None:
        """Require the fields that a chosen ranking needs."""
        data = self.cleaned_data
        for kind, names in self.DETAILS.items():
            for name in names:
                field = f"{kind}_{name}"
                if data.get(kind) and field in data and data[field] is None:
                    self.add_error(field, _("Für diese Wertung muss das angegeben sein."))

    def lines(self) -> list[Ranking]:
        """Return the chosen rankings, the single one first."""
        data = self.cleaned_data
        lines = [Ranking(kind=Ranking.Kind.SINGLE, stake_cents=self._single_stake_cents)]
        for kind, names in self.DETAILS.items():
            if data[kind]:
                values = {name: data[f"{kind}_{name}"] for name in (*names, "stake_cents")}
                size = {"size": 2} if kind in Ranking.PAIRS else {}
                lines.append(Ranking(kind=kind, **size, **values))
        return lines
