"""Forms of the desk."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.desk.forms.days import DaysField
from tournaments.desk.queries.earlier_tournament import PointsMove
from tournaments.models import Category, Gender, Ranking, Receipt, Tournament
from tournaments.people.forms.names import PersonNameForm
from tournaments.web.fields import (
    METHODS,
    EuroField,
    MultipleField,
    NumberField,
    OptionalReasonForm,
    ReasonForm,
    SafeControlNames,
    TextField,
)


class QualifiedForm(forms.Form):
    """The number of qualified persons that the page showed."""

    seen_number = NumberField(min_value=1)


class PointsForm(OptionalReasonForm):
    """The fingerprint of the points that the page showed; a reason, if they replace others."""

    seen = TextField(max_length=16)

    def __init__(self, *args: Any, moves: Iterable[PointsMove], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].required = any(move.replaces for move in moves)


def split_name(text: str) -> dict[str, str]:
    """Return last name, first name and club from the text of one field.

    „Kühn, Anna, SC Altenburg“ is split at its commas; without commas the last word is the
    last name.

    >>> split_name("kühn, anna, SC Altenburg")
    {'last_name': 'Kühn', 'first_name': 'Anna', 'club_name': 'SC Altenburg'}
    >>> split_name("anna von berg")
    {'last_name': 'Berg', 'first_name': 'Anna Von', 'club_name': ''}
    """
    parts = [part.strip() for part in text.split(",")]
    if len(parts) == 1:
        *first, last = text.split() or [""]
        parts = [last, " ".join(first)]
    last_name, first_name, club = (*parts, "", "")[:3]
    return {
        "last_name": _capitals(last_name),
        "first_name": _capitals(first_name),
        "club_name": club,
    }


def _capitals(name: str) -> str:
    """Capitalise names typed in lower case; leave others unchanged."""
    if name != name.lower():
        return name
    return re.sub(r"(^|[\s-])(\w)", lambda match: match[1] + match[2].upper(), name)


class NewPersonForm(PersonNameForm):
    """A new person in one line; the other fields can be filled later."""

    last_name = TextField(label=_("Nachname"), max_length=80)
    first_name = TextField(label=_("Vorname"), max_length=80, required=False)
    club_name = TextField(label=_("Verein"), max_length=120, required=False)
    birth_year = NumberField(label=_("Jahrgang"), min_value=1900, max_value=2100, required=False)
    gender = forms.ChoiceField(label=_("Geschlecht"), choices=Gender.choices, required=False)
    publish_consent = forms.BooleanField(
        label=_("Name darf auch im Internet stehen"), required=False
    )
    hall_objection = forms.BooleanField(
        label=_("Im Saal nicht mit Namen nennen"),
        required=False,
        help_text=_("Sonst steht der Name auf Leinwand und Aushängen, wie ausgeschrieben."),
    )

    is_other = forms.BooleanField(
        label=_("Es ist eine andere Person, die genauso heißt"), required=False
    )

    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if tournament.days.numbers:
            self.fields["plays_on"] = DaysField(tournament)


class RegistrationTariffForm(forms.Form):
    """Startgeld and rankings of one registration."""

    category = forms.ModelChoiceField(
        label=_("Startgeld"), queryset=Category.objects.none(), empty_label=None
    )
    rankings = MultipleField(
        label=_("Weitere Wertungen"),
        queryset=Ranking.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["category"].queryset = tournament.categories.all()  # type: ignore[attr-defined]
        self.fields["rankings"].queryset = tournament.rankings.exclude(  # type: ignore[attr-defined]
            kind=Ranking.Kind.SINGLE
        )


class TakeIntoForm(ReasonForm):
    """A ranking that takes a person whose data do not fit, with the reason."""

    ranking = forms.ModelChoiceField(
        label=_("Wertung"), queryset=Ranking.objects.none(), empty_label=None
    )

    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["ranking"].queryset = tournament.rankings.filter(  # type: ignore[attr-defined]
            kind__in=[*Ranking.OF_SOME, Ranking.Kind.MIXED]
        )


class PaymentForm(SafeControlNames, forms.Form):
    """A payment by one person, with the due amount that the page showed."""

    seen_open_cents = NumberField(widget=forms.HiddenInput)
    amount_cents = EuroField(label=_("Betrag"), min_cents=1)
    method = forms.ChoiceField(label=_("Zahlungsweg"), choices=METHODS)


class WithdrawForm(SafeControlNames, OptionalReasonForm):
    """Withdrawing a registration, with the method of the refund."""

    method = forms.TypedChoiceField(
        label=_("Rückzahlung"),
        choices=METHODS,
        coerce=Receipt.Method,
        empty_value=None,  # without the field: the way of the payment
        required=False,
    )
    refund_anyway = forms.BooleanField(
        label=_("Trotzdem zurückzahlen; dann ist der Grund Pflicht"), required=False
    )


class FixedTableForm(forms.Form):
    """A fixed table for a player who hears or walks badly; empty removes it."""

    table = NumberField(label=_("Fester Tisch"), min_value=1, max_value=999, required=False)
    reason = TextField(label=_("Warum"), max_length=200, required=False)


class SeparationForm(forms.Form):
    """A player who must not sit at the same table, by start number."""

    number = NumberField(label=_("Nicht mit Startnummer"), min_value=1)
    reason = TextField(label=_("Warum"), max_length=200, required=False)
