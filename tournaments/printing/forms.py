"""The form with the parameters of a document."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

from django import forms
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.common.formats import table_word
from tournaments.common.ranking_names import slug_of
from tournaments.common.rules import rule_set_of
from tournaments.models import Seat, Serie, Tournament
from tournaments.printing.base import MOST_COPIES, STRIP, Document
from tournaments.printing.results import PLACES
from tournaments.results.queries.rankings import Rankings
from tournaments.web.fields import NumberField

# Optional parameters of a document; without them it is printed for all.
OPTIONAL_PARAMETERS = frozenset({"table", "number", "upto", "paper"})


PAPER_COOKIE = "paper"  # the cookie of a device that prints on strips


def paper_of(request: HttpRequest) -> str:
    """Return the size of paper that was chosen last on this device; "" for sheets."""
    return STRIP if request.COOKIES.get(PAPER_COOKIE) == STRIP else ""


class Choices:
    """The choices of a tournament by field; each kind is read once, when needed."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament

    @cached_property
    def seated(self) -> list[Serie]:
        """The Serien whose seats are known."""
        seats = Seat.objects.filter(serie=OuterRef("pk"))
        return list(self.tournament.serien.filter(Exists(seats)))

    @cached_property
    def serie(self) -> list[tuple[int, str]]:
        """The numbers of these Serien."""
        return [(serie.number, str(serie.number)) for serie in self.seated]

    @cached_property
    def circular(self) -> list[tuple[int, str]]:
        """The messages to those registered, the newest first."""
        return [
            (circular.pk, str(circular)) for circular in self.tournament.circulars.order_by("-pk")
        ]

    @cached_property
    def upto(self) -> list[tuple[int | str, str]]:
        """The Serien after which a ranking can be printed; "" for the newest one."""
        numbers = self.tournament.serien.values_list("number", flat=True)
        after = gettext("nach Serie {number}")
        return [
            ("", gettext("der neueste")),
            *((number, after.format(number=number)) for number in numbers),
        ]

    @cached_property
    def size(self) -> list[tuple[int, str]]:
        """The sizes of tables in words."""
        return [(size, table_word(size)) for size in rule_set_of(self.tournament).table_sizes]

    @property
    def paper(self) -> list[tuple[str, str]]:
        """The sizes of paper; "" for sheets."""
        return [("", gettext("A4")), (STRIP, gettext("80 mm, Streifen eines Bondruckers"))]

    @cached_property
    def ranking(self) -> list[tuple[str, str]]:
        """The rankings of the tournament, by their names in addresses."""
        return [
            (slug_of(ranking), ranking.describe())
            for ranking in Rankings(self.tournament).choices()
        ]


class PrintForm(forms.Form):
    """The parameters of a document as fields; an empty field means all."""

    serie = forms.TypedChoiceField(
        label=_("Serie"),
        coerce=int,
        error_messages={"invalid_choice": _("Diese Serie ist noch nicht ausgelost.")},
    )
    table = NumberField(label=_("Nur Tisch"), min_value=1, max_value=999, required=False)
    number = NumberField(label=_("Nur Nr."), min_value=1, max_value=99_999, required=False)
    copies = NumberField(label=_("Anzahl"), min_value=1, max_value=MOST_COPIES, initial=10)
    receipt = NumberField(label=_("Beleg"), min_value=1)
    circular = forms.TypedChoiceField(label=_("Nachricht"), coerce=int)
    size = forms.TypedChoiceField(label=_("Tisch"), coerce=int)
    ranking = forms.ChoiceField(label=_("Wertung"))
    upto = forms.TypedChoiceField(label=_("Stand"), required=False, coerce=int, empty_value=None)
    paper = forms.ChoiceField(label=_("Papier"), required=False)
    places = NumberField(
        label=_("Plätze 1 bis"), min_value=1, max_value=MOST_COPIES, initial=PLACES
    )

    def __init__(
        self,
        document: Document,
        choices: Choices,
        data: QueryDict | None = None,
        *,
        only: Collection[str] | None = None,
    ) -> None:
        """Keep the fields of *document*, or *only* some of them."""
        super().__init__(data, auto_id=f"{document.name}-%s")
        self.document = document
        names = [name for name in document.asks if only is None or name in only]
        self.fields = {name: self.fields[name] for name in names}
        for name, field in self.fields.items():
            if isinstance(field, forms.ChoiceField):
                field.choices = getattr(choices, name)
        if "serie" in names and choices.seated:
            self.fields["serie"].initial = choices.seated[-1].number

    @property
    def is_possible(self) -> bool:
        """Whether every required choice has an option, for instance a seated Serie."""
        return all(
            field.choices
            for field in self.fields.values()
            if isinstance(field, forms.ChoiceField) and field.required
        )

    def asked(self) -> dict[str, int | str]:
        """Return the chosen values, without empty ones."""
        return {name: value for name, value in self.cleaned_data.items() if value not in (None, "")}
