"""Forms of the draw."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.seating import RankOrder
from tournaments.desk.queries import earlier_tournament
from tournaments.desk.services.absentees import AbsenteeAnswers
from tournaments.draw.queries.redraw import SerieDraws
from tournaments.models import Serie
from tournaments.models.floor import MOST_COLUMNS
from tournaments.web.fields import NumberField, SafeControlNames, TextField

# One line about each method.
_DESCRIPTIONS = {
    Serie.Seating.CARDS: gettext_lazy("Alle ziehen im Saal eine Karte; jede wird eingetippt."),
    Serie.Seating.ELECTRONIC: gettext_lazy("Das Programm lost in Sekunden; jeder kann es prüfen."),
    Serie.Seating.RANKING: gettext_lazy(
        "Nach der bisherigen Rangliste: die Besten beisammen oder verteilt."
    ),
    Serie.Seating.PLANNED: gettext_lazy(
        "Das Programm lost alle weiteren Serien gleich mit; so begegnen sich wenige zweimal."
    ),
}


def _described_label(method: Serie.Seating) -> SafeString:
    """Return the label of a method with its description."""
    html = '<span><strong>{}</strong><br><span class="soft">{}</span></span>'
    return format_html(html, method.label, _DESCRIPTIONS[method])


class BeginForm(SafeControlNames, forms.Form):
    """The method of a draw, and the reason for a repeated one."""

    method = forms.TypedChoiceField(
        label=gettext_lazy("Verfahren"),
        choices=Serie.Seating.choices,
        coerce=Serie.Seating,
        widget=forms.RadioSelect,
    )
    order = forms.TypedChoiceField(
        label=gettext_lazy("Setzen"),
        choices=[
            (RankOrder.TOP, gettext_lazy("die Besten an Tisch 1, die Nächsten an Tisch 2 …")),
            (RankOrder.SNAKE, gettext_lazy("als Schlange: an jedem Tisch etwa gleich Starke")),
        ],
        coerce=RankOrder,
        initial=RankOrder.TOP,
        empty_value=RankOrder.TOP,
        required=False,
        widget=forms.RadioSelect,
    )
    accept_unverified = forms.BooleanField(
        label=gettext_lazy("Trotz ungeprüfter Listen nach der Rangliste setzen"), required=False
    )
    reason = TextField(label=gettext_lazy("Grund der Wiederholung"), max_length=300, required=False)
    # The decision about players who are not ticked off, and the registrations it was shown for.
    unticked = forms.TypedChoiceField(
        choices=AbsenteeAnswers.choices, coerce=AbsenteeAnswers, empty_value=None, required=False
    )
    asked = TextField(required=False)

    def __init__(self, *args: Any, serie: Serie, drawn: SerieDraws, **kwargs: Any) -> None:
        """Offer the ranking only if there is one, and for a redraw only its one method.

        A redraw requires a reason.
        """
        super().__init__(*args, **kwargs)
        self.fields["reason"].required = drawn.needs_reason
        methods = [*Serie.Seating]
        if (method := drawn.redraw_method) is not None:
            self.initial.setdefault("method", method)
            methods = [method]
        elif serie.number == 1 and not earlier_tournament.has_earlier_ranking(serie.tournament):
            methods.remove(Serie.Seating.RANKING)
        self.fields["method"].choices = [  # type: ignore[attr-defined]
            (method.value, _described_label(method)) for method in methods
        ]

    def clean_asked(self) -> set[int]:
        """Return the keys of the registrations for which *unticked* was decided."""
        return _keys(self.cleaned_data["asked"])


def _keys(text: str) -> set[int]:
    return {int(key) for key in re.findall(r"\d{1,18}", text)}


Card = tuple[int, int]  # table and seat


@dataclass(frozen=True, slots=True, kw_only=True)
class CardEntry:
    """Typed or scanned values: whole cards, or a player whose card is entered next."""

    cards: dict[int, Card] = field(default_factory=dict)  # by start number
    number: int | None = None
    token: str = ""  # token of the own page, from the code on a Startkarte
    card: Card | None = None  # the card of that number or token


_SCANNED = re.compile(r"^\S*/s/([\w-]{20,})/?\s*")
_WHOLE_TABLE = re.compile(
    r"^(?:tisch\s*)?(\d{1,4})\s*:\s*((?:\d{1,6}[\s,;]+)*\d{1,6})$", re.IGNORECASE
)
# Any separators typed by hand or sent by a scanner are allowed between the numbers.
_NUMBERS = re.compile(r"^(\d{1,6})(?:\D{1,9}(\d{1,4})\D{1,9}(\d))?$")
_CARD = re.compile(r"^(?:tisch\s*)?(\d{1,4})\D{1,9}(\d)$", re.IGNORECASE)


class CardForm(forms.Form):
    """Startkarten as they are drawn: „17 4-2“, a whole table „4: 17 3 22 8“, or a scanned code."""

    entry = TextField(
        label=gettext_lazy("Startnummer und Karte"),
        max_length=300,
        widget=forms.TextInput(attrs={"data-select": True}),
    )
    # The player whose card is awaited, after a code without a card was scanned.
    number = NumberField(min_value=1, required=False, widget=forms.HiddenInput)

    def clean(self) -> None:
        """Store the entered values in ``entered``."""
        data = self.cleaned_data
        if "entry" in data:
            data["entered"] = _parse_entry(data["entry"].strip(), data.get("number"))


def _parse_entry(text: str, awaited: int | None) -> CardEntry:
    """Return the values of a line, or refuse an ambiguous one."""
    token = ""
    if scanned := _SCANNED.match(text):
        token, awaited, text = scanned[1], None, text[scanned.end() :]
    knows_whose = bool(token) or awaited is not None
    if knows_whose and (card := _CARD.match(text)):
        return CardEntry(token=token, number=awaited, card=(int(card[1]), int(card[2])))
    if token and not text:
        return CardEntry(token=token)
    if not token and (whole := _WHOLE_TABLE.match(text)):
        return CardEntry(cards=_whole_table(int(whole[1]), re.findall(r"\d+", whole[2])))
    if not token and (typed := _NUMBERS.match(text)):
        number, table, seat = typed.groups()
        if table is None:
            return CardEntry(number=int(number))
        return CardEntry(cards={int(number): (int(table), int(seat))})
    raise forms.ValidationError(
        _(
            "„{text}“ ist keine Karte. Erwartet wird Startnummer, Tisch und Platz wie „17 4-2“ "
            "oder ein ganzer Tisch wie „4: 17 3 22 8“."
        ).format(text=text)
    )


def _whole_table(table: int, numbers: list[str]) -> dict[int, Card]:
    cards = {int(number): (table, seat) for seat, number in enumerate(numbers, start=1)}
    if len(cards) < len(numbers):
        raise forms.ValidationError(
            _("Eine Startnummer steht doppelt; an einem Tisch sitzt jede nur einmal.")
        )
    return cards


class JudgeForm(forms.Form):
    """Two players for a swap, by start number."""

    first = NumberField(label=gettext_lazy("Startnummer"), min_value=1)
    second = NumberField(label=gettext_lazy("tauscht mit"), min_value=1)


class SwapForm(forms.Form):
    """The same two players, after the effects of the swap were shown."""

    first = NumberField(min_value=1, widget=forms.HiddenInput)
    second = NumberField(min_value=1, widget=forms.HiddenInput)


class SeatSwapForm(SwapForm):
    """A swap of published seats, with its reason."""

    reason = TextField(label=gettext_lazy("Grund"), max_length=300)
    override = forms.BooleanField(
        label=gettext_lazy("Trotzdem tauschen; der Grund steht im Protokoll"), required=False
    )


class PublishForm(forms.Form):
    """The publication of the seats, with a reason if a promise is broken."""

    reason = TextField(label=gettext_lazy("Warum es so bleibt"), max_length=300)
    without = TextField(required=False)  # keys of those without a seat, as the page showed them

    def __init__(self, *args: Any, needs_reason: bool = False, **kwargs: Any) -> None:
        """Require a reason only if needed."""
        super().__init__(*args, **kwargs)
        self.fields["reason"].required = needs_reason

    def clean_without(self) -> set[int]:
        """Return the keys of the registrations without a seat."""
        return _keys(self.cleaned_data["without"])


class GiveSeatForm(forms.Form):
    """The way in which a person with open Startgeld gets a seat."""

    registration = NumberField(widget=forms.HiddenInput)
    way = forms.ChoiceField(choices=[("pay", ""), ("later", "")])
    cents = NumberField(min_value=1, widget=forms.HiddenInput)  # open, as the page showed it


class MoveTableForm(forms.Form):
    """A table, and the cell of the hall to which it is moved: „3-2“, column and row from 1."""

    table = NumberField(label=gettext_lazy("Tisch"))
    cell = forms.RegexField(r"\A[1-9]\d{0,2}-[1-9]\d{0,2}\Z")

    def clean_cell(self) -> tuple[int, int]:
        """Return column and row."""
        column, row = map(int, self.cleaned_data["cell"].split("-"))
        return column, row


class LineUpForm(forms.Form):
    """The number of tables in each row of the hall."""

    columns = NumberField(
        label=gettext_lazy("Tische je Reihe"), min_value=1, max_value=MOST_COLUMNS
    )
