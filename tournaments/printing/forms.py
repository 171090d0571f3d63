"""The form with the parameters of a document."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cached_property

from django import forms
from django.db.models import Exists, OuterRef
from django.http import QueryDict
from django.utils.translation import gettext as _

from tournaments.common.formats import table_word
from tournaments.common.ranking_names import slug_of
from tournaments.common.rules import rule_set_of
from tournaments.models import Seat, Serie, Tournament
from tournaments.printing.base import MOST_COPIES, Document
from tournaments.printing.results import PLACES
from tournaments.results.queries.rankings import Rankings
from tournaments.web.fields import NumberField

# Optional parameters of a document; without them it is printed for all.
LEFT_EMPTY_FOR_ALL = frozenset({"table", "number", "upto"})


class Choices:
    """The possible values in a tournament; each kind is read once, when needed."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament

    @cached_property
    def serien(self) -> list[int]:
        """The numbers of all Serien."""
        return list(self.tournament.serien.values_list("number", flat=True))

    @cached_property
    def seated(self) -> list[Serie]:
        """The numbers of the Serien whose seats are known."""
        seats = Seat.objects.filter(serie=OuterRef("pk"))
        return list(self.tournament.serien.filter(Exists(seats)))

    @cached_property
    def sizes(self) -> list[tuple[int, str]]:
        """The sizes of tables in words."""
        sizes = rule_set_of(self.tournament).table_sizes
        return [(size, table_word(size)) for size in sizes]

    @cached_property
    def rankings(self) -> list[tuple[str, str]]:
        """The rankings of the tournament, by their names in addresses."""
        return [(slug_of(one), one.describe()) for one in Rankings(self.tournament).choices()]


class PrintForm(forms.Form):
    """The parameters of a document as fields; an empty field means all."""

    def __init__(
        self,
        document: Document,
        choices: Choices,
        data: QueryDict | None = None,
        *,
        only: Collection[str] | None = None,
    ) -> None:
        """Keep the fields of *document*, or *only* those that the page does not know."""
        super().__init__(data, auto_id=f"{document.name}-%s")
        self.document = document
        for name in document.asks:
            if only is None or name in only:
                self.fields[name] = _FIELDS[name](document, choices)

    @property
    def is_possible(self) -> bool:
        """Whether every field has a value to choose, as a Serie that is seated."""
        return all(
            field.choices
            for field in self.fields.values()
            if isinstance(field, forms.ChoiceField) and field.required
        )

    def asked(self) -> dict[str, int | str]:
        """Return the chosen values, without empty ones."""
        return {name: value for name, value in self.cleaned_data.items() if value not in (None, "")}


def _serie(_document: Document, choices: Choices) -> forms.Field:
    numbers = [serie.number for serie in choices.seated]
    return forms.TypedChoiceField(
        label=_("Serie"),
        choices=[(number, str(number)) for number in numbers],
        initial=numbers[-1] if numbers else None,
        coerce=int,
        error_messages={"invalid_choice": _("Diese Serie ist noch nicht ausgelost.")},
    )


def _upto(_document: Document, choices: Choices) -> forms.Field:
    return forms.TypedChoiceField(
        label=_("Stand"),
        choices=[
            ("", _("der neueste")),
            *(
                (number, _("nach Serie {number}").format(number=number))
                for number in choices.serien
            ),
        ],
        required=False,
        coerce=int,
        empty_value=None,
    )


_FIELDS: dict[str, Callable[[Document, Choices], forms.Field]] = {
    "serie": _serie,
    "table": lambda _document, _choices: NumberField(
        label=_("Nur Tisch"), min_value=1, max_value=999, required=False
    ),
    "number": lambda _document, _choices: NumberField(
        label=_("Nur Nr."), min_value=1, max_value=99_999, required=False
    ),
    "copies": lambda _document, _choices: NumberField(
        label=_("Anzahl"), min_value=1, max_value=MOST_COPIES, initial=10
    ),
    "receipt": lambda _document, _choices: NumberField(label=_("Beleg"), min_value=1),
    "size": lambda _document, choices: forms.TypedChoiceField(
        label=_("Tisch"), choices=choices.sizes, coerce=int
    ),
    "ranking": lambda _document, choices: forms.ChoiceField(
        label=_("Wertung"), choices=choices.rankings
    ),
    "upto": _upto,
    "places": lambda _document, _choices: NumberField(
        label=_("Plätze 1 bis"), min_value=1, max_value=MOST_COPIES, initial=PLACES
    ),
}
