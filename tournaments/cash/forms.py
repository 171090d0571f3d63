"""Forms of the cash book."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.money import euro
from tournaments.cash.queries.cash import Selection
from tournaments.models import CashEntry, Receipt
from tournaments.web.fields import (
    DATE_INPUT,
    METHODS,
    DayField,
    EuroField,
    NumberField,
    SafeControlNames,
    TextField,
)

Kind = CashEntry.Kind

# Euro notes and coins, in cents.
NOTES = (50000, 20000, 10000, 5000, 2000, 1000, 500)
COINS = (200, 100, 50, 20, 10, 5, 2, 1)
PIECES = (*NOTES, *COINS)

EXPENSE = "expense"  # Kind.OTHER, going out


class SelectionForm(forms.Form):
    """A filter for receipts; invalid values are left out and marked."""

    art = forms.ChoiceField(
        label=_("Art"),
        required=False,
        choices=[
            ("", _("Alle Arten")),
            *Kind.choices,
            (
                _("zusammen"),
                [("meldung", _("Alles zur Meldung")), ("uebriges", _("Alles Übrige"))],
            ),
        ],
    )
    weg = forms.ChoiceField(
        label=_("Zahlungsweg"),
        required=False,
        choices=[("", _("Alle Wege")), *Receipt.Method.choices],
    )
    person = TextField(label=_("Nr. oder Name"), required=False, max_length=160)
    tag = DayField(label=_("Tag"), required=False, widget=DATE_INPUT)
    meldung = NumberField(required=False, min_value=0, widget=forms.HiddenInput)
    gruppe = NumberField(required=False, min_value=1, widget=forms.HiddenInput)

    def selection(self) -> Selection:
        """Return the filter."""
        self.full_clean()
        data = self.cleaned_data
        return Selection(
            kind=data.get("art", ""),
            method=data.get("weg", ""),
            person=data.get("person", ""),
            registration=data.get("meldung"),
            category=data.get("gruppe"),
            day=data.get("tag"),
        )


class FreeBookingForm(SafeControlNames, forms.Form):
    """A booking that no other act makes."""

    kind = forms.ChoiceField(
        label=_("Was"),
        choices=[
            (
                _("Einnahme"),
                [
                    (Kind.BUSSGELD.value, Kind.BUSSGELD.label),
                    (Kind.OPENING.value, _("Wechselgeld")),
                    (Kind.OTHER.value, _("Sonstige Einnahme")),
                ],
            ),
            (
                _("Ausgabe"),
                [
                    (Kind.PRIZE.value, Kind.PRIZE.label),
                    (Kind.WITHDRAWAL.value, _("Entnahme (zur Bank, in den Tresor)")),
                    (EXPENSE, _("Sonstige Ausgabe")),
                ],
            ),
        ],
    )
    amount_cents = EuroField(label=_("Betrag"), min_cents=1)
    text = TextField(label=_("Wofür"), max_length=300)
    method = forms.ChoiceField(label=_("Zahlungsweg"), choices=METHODS)
    number = NumberField(
        label=_("Startnummer"),
        min_value=1,
        max_value=999_999_999,
        required=False,
    )
    payer = TextField(
        label=_("Von oder an"),
        max_length=160,
        required=False,
        help_text=_("Der Name auf dem Beleg, sonst der zur Startnummer."),
    )

    def booking(self) -> dict[str, Any]:
        """Return the arguments of ``book_free``, without the person."""
        data = self.cleaned_data
        is_expense = data["kind"] == EXPENSE
        return {
            "kind": Kind.OTHER if is_expense else Kind(data["kind"]),
            "is_expense": is_expense,
            "amount_cents": data["amount_cents"],
            "text": data["text"],
            "method": Receipt.Method(data["method"]),
            "payer": data["payer"],
        }


class MethodForm(SafeControlNames, forms.Form):
    """The method of payment that the pressed button selects."""

    method = forms.ChoiceField(choices=METHODS, required=False)


class MoveCreditForm(forms.Form):
    """Moving credit to another person."""

    from_number = NumberField(label=_("Von Startnummer"), min_value=1, max_value=999_999_999)
    to_number = NumberField(label=_("An Startnummer"), min_value=1, max_value=999_999_999)
    amount_cents = EuroField(label=_("Betrag"), min_cents=1)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        # The page also has FreeBookingForm, whose amount has the same name.
        super().__init__(*args, **{"auto_id": "move_%s", **kwargs})


class ReverseForm(forms.Form):
    """The reason for cancelling a receipt."""

    reason = TextField(label=_("Grund des Stornos"), max_length=300)


class DifferenceForm(forms.Form):
    """The reason for the difference of a count."""

    reason = TextField(label=_("Grund der Differenz"), max_length=200)


class CountForm(forms.Form):
    """The cash count by notes and coins; amounts counted by hand may be one sum."""

    loose_cents = EuroField(
        label=_("Ohne Stückelung gezählt"),
        required=False,
        empty_value=0,
        help_text=_("Zum Beispiel Münzrollen oder ein gezählter Umschlag."),
    )
    note = TextField(label=_("Bemerkung"), max_length=300, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for value in PIECES:
            self.fields[f"piece_{value}"] = NumberField(
                # The template has the labels; this one is for the list of errors.
                label=euro(value),
                min_value=0,
                max_value=9_999,
                required=False,
                widget=forms.NumberInput({"inputmode": "numeric", "data-value": str(value)}),
            )

    def pieces(self) -> dict[int, int]:
        """Return the number of pieces by value in cents."""
        return {value: self.cleaned_data[f"piece_{value}"] or 0 for value in PIECES}
