"""Forms of the Bußgeld: one for each way in which an Ausschreibung can set it."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.payments.bussgeld import (
    BussgeldTariff,
    Destination,
    NoBussgeld,
    PerGame,
    PerList,
    PerPlace,
    PerPoints,
    StepCounting,
)
from tournaments.web.fields import EuroField, NumberField

MOST_PLACES = 8  # seats at the largest table
SHARED = ("late_cents", "destination")  # fields of all tariffs

KINDS = {
    NoBussgeld.kind: gettext_lazy("keines"),
    PerList.kind: gettext_lazy("je Liste"),
    PerGame.kind: gettext_lazy("je nicht beendetem Spiel"),
    PerPlace.kind: gettext_lazy("nach Platz am Tisch"),
    PerPoints.kind: gettext_lazy("nach Punkten"),
}


class _BussgeldForm(forms.Form):
    """Base of the forms: ``clean`` makes one tariff of the fields."""

    tariff_class: ClassVar[type[BussgeldTariff]]

    def __init__(self, data: Any = None, *, tariff: BussgeldTariff) -> None:
        initial: dict[str, Any] = {
            "destination": tariff.destination.value,
            "late_cents": tariff.late_cents or None,
        }
        if isinstance(tariff, self.tariff_class):
            initial |= self.initial_of(tariff)
        super().__init__(data, initial=initial)

    def initial_of(self, tariff: Any) -> dict[str, Any]:
        """Return the initial values of the fields for *tariff*."""
        own = [name for name in self.base_fields if name not in SHARED]
        return {name: getattr(tariff, name) for name in own}

    def leave_out(self, size: int) -> None:
        """Remove fields that a table of at most *size* players does not need."""

    def given(self) -> dict[str, Any]:
        """Return the entered values of the tariff."""
        return {name: value for name, value in self.cleaned_data.items() if value not in (None, "")}

    def clean(self) -> None:
        """Add ``tariff``; the bounds of the fields are those of the tariffs."""
        if not self.errors:
            self.cleaned_data["tariff"] = self.tariff_class(**self.given())


class NoBussgeldForm(_BussgeldForm):
    """A form without fields."""

    tariff_class = NoBussgeld


class _DestinationForm(_BussgeldForm):
    """Base of the forms with amounts: adds the cost of late lists and the destination."""

    late_cents = EuroField(
        label=gettext_lazy("Zu spät abgegeben: je Person dazu in Euro"),
        required=False,
        help_text=gettext_lazy("Die Spielleitung stellt es beim Abgeben fest. Leer: nichts."),
    )
    destination = forms.TypedChoiceField(
        label=gettext_lazy("Wohin das Bußgeld geht"),
        choices=[
            (Destination.ORGANISER.value, gettext_lazy("in die Kasse des Veranstalters")),
            (Destination.BEST_OF_SERIE.value, gettext_lazy("an die Besten der Serie")),
            (Destination.PRIZES.value, gettext_lazy("in die Preise")),
        ],
        coerce=Destination,
        widget=forms.RadioSelect,
    )

    def __init__(self, data: Any = None, *, tariff: BussgeldTariff) -> None:
        super().__init__(data, tariff=tariff)
        self.order_fields([name for name in self.fields if name not in SHARED])


class PerListForm(_DestinationForm):
    """The same amount for every player."""

    tariff_class = PerList
    cents = EuroField(label=gettext_lazy("Betrag je Person und Liste in Euro"))


class PerGameForm(_DestinationForm):
    """An amount for each game not finished; the first games may have another rate."""

    tariff_class = PerGame
    cents = EuroField(label=gettext_lazy("Betrag je nicht beendetem Spiel in Euro"))
    first_games = NumberField(
        label=gettext_lazy("Für die ersten … Spiele"),
        required=False,
        min_value=0,
        max_value=1000,
        help_text=gettext_lazy("Nur, wenn für sie ein anderer Betrag gilt."),
    )
    first_cents = EuroField(label=gettext_lazy("je in Euro"), required=False)

    def initial_of(self, tariff: PerGame) -> dict[str, Any]:
        """Return the numbers of the tariff; fields of a missing second rate stay empty."""
        initial = super().initial_of(tariff)
        return (
            initial if tariff.first_games else {**initial, "first_games": None, "first_cents": None}
        )

    def clean(self) -> None:
        """Require both fields of the stepped rate or none."""
        first = self.cleaned_data.get("first_games")
        if first and self.cleaned_data.get("first_cents") is None and not self.errors:
            self.add_error("first_cents", _("Bitte angeben, was die ersten Spiele kosten."))
        super().clean()


class PerPlaceForm(_DestinationForm):
    """An amount by the place at the table; the last one holds for all further places."""

    tariff_class = PerPlace

    def __init__(self, data: Any = None, *, tariff: BussgeldTariff) -> None:
        super().__init__(data, tariff=tariff)
        for place in range(1, MOST_PLACES + 1):
            self.fields[f"place_{place}"] = EuroField(
                label=_("{place}. Platz in Euro").format(place=place), required=place == 1
            )

    def leave_out(self, size: int) -> None:
        """Remove places that no table has, unless they have an amount."""
        for place in range(size + 1, MOST_PLACES + 1):
            name = f"place_{place}"
            if self.initial.get(name) is None:
                del self.fields[name]

    def initial_of(self, tariff: PerPlace) -> dict[str, Any]:
        """Return the amount of each place that has one."""
        return {f"place_{place}": cents for place, cents in enumerate(tariff.cents, start=1)}

    def given(self) -> dict[str, Any]:
        """Return the amounts up to the last one entered."""
        amounts = [self.cleaned_data.get(f"place_{place}") for place in range(1, MOST_PLACES + 1)]
        while amounts and amounts[-1] is None:
            amounts.pop()
        shared = {name: value for name, value in super().given().items() if name in SHARED}
        return {**shared, "cents": tuple(amounts)}

    def clean(self) -> None:
        """Refuse a gap between two amounts."""
        amounts = [self.cleaned_data.get(f"place_{place}") for place in range(1, MOST_PLACES + 1)]
        for place, cents in enumerate(amounts, start=1):
            is_gap = cents is None and any(later is not None for later in amounts[place:])
            if is_gap and f"place_{place}" not in self.errors:
                self.add_error(
                    f"place_{place}", _("Hier fehlt ein Betrag; für nichts bitte 0 eingeben.")
                )
        super().clean()


class PerPointsForm(_DestinationForm):
    """An amount for every N points."""

    tariff_class = PerPoints
    cents = EuroField(label=gettext_lazy("Betrag in Euro"))
    points = NumberField(label=gettext_lazy("je Punkte"), min_value=1, max_value=10_000)
    counting = forms.TypedChoiceField(
        label=gettext_lazy("Gezählt werden"),
        choices=[
            (StepCounting.COMPLETE.value, gettext_lazy("volle Punkte-Schritte")),
            (StepCounting.STARTED.value, gettext_lazy("auch angefangene Punkte-Schritte")),
        ],
        coerce=StepCounting,
        widget=forms.RadioSelect,
        initial=StepCounting.COMPLETE.value,
    )

    def initial_of(self, tariff: PerPoints) -> dict[str, Any]:
        """Return the numbers of the tariff."""
        return {**super().initial_of(tariff), "counting": tariff.counting.value}


BUSSGELD_FORMS: dict[str, type[_BussgeldForm]] = {
    form.tariff_class.kind: form
    for form in (NoBussgeldForm, PerListForm, PerGameForm, PerPlaceForm, PerPointsForm)
}
