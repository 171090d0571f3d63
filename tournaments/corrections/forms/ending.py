"""Forms to end one list before its last game, or all incomplete lists of a Serie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.db.models import TextChoices
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.corrections.forms.correcting import CorrectionForm
from tournaments.corrections.services.ending import LONGEST_REASON
from tournaments.hall.queries.handing_in import TableToHandIn
from tournaments.models import Seat
from tournaments.web.fields import NumberField, TextField


class EndingReasons(TextChoices):
    """The reasons for ending a list."""

    TIME = "time", gettext_lazy("Die Zeit ist abgelaufen")
    LEFT = "left", gettext_lazy("Jemand ist gegangen, und niemand springt ein")
    OTHER = "other", gettext_lazy("Ein anderer Grund")


class EndForm(CorrectionForm):
    """The end of one list: its reason, and the players who left."""

    why = forms.ChoiceField(
        label=gettext_lazy("Warum"),
        choices=EndingReasons.choices,
        initial=EndingReasons.TIME,
        widget=forms.RadioSelect,
    )
    left = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Wer ist gegangen?"),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy(
            "Bekommt auf dieser Liste kein Ergebnis. Wessen Platz jemand übernommen hat, gilt "
            "nicht als gegangen."
        ),
    )

    def __init__(
        self, *args: Any, seats: Sequence[Seat], games: int, most: int | None, **kwargs: Any
    ) -> None:
        """Offer the *seats*; for a list on paper, also a number of games up to *most*."""
        super().__init__(*args, **kwargs)
        self.games = games
        self.numbers = {seat.number: seat.registration.number for seat in seats}
        self.fields["left"].choices = [  # type: ignore[attr-defined]
            (seat.number, f"{seat.number} · {seat.registration.person.full_name}") for seat in seats
        ]
        self.fields["reason"] = TextField(
            label=_("Was dazu zu sagen ist"), max_length=LONGEST_REASON - 60, required=False
        )
        if most is not None:
            self.fields["games"] = NumberField(
                label=_("Wie viele Spiele stehen auf dem Papier?"),
                min_value=max(1, games),
                max_value=most,
                initial=games or None,
                widget=forms.TextInput,
            )
        self.order_fields(["version", "games", "why", "left", "reason", "paragraph", "case"])

    def clean(self) -> None:
        """Join the reason into one text."""
        data = self.cleaned_data
        words = [data.get("reason") or ""]
        if data.get("why") == EndingReasons.LEFT and not data.get("left"):
            self.add_error("left", _("Bitte ankreuzen, wer gegangen ist."))
        if data.get("why") == EndingReasons.OTHER and not words[0]:
            self.add_error("reason", _("Bitte den Grund in Worten angeben."))
        if data.get("why") == EndingReasons.TIME:
            words.insert(0, _("Zeit abgelaufen"))
        if left := data.get("left"):
            numbers = ", ".join(
                _("Nr. {number}").format(number=self.numbers[seat]) for seat in left
            )
            words.insert(0, _("{numbers} gegangen").format(numbers=numbers))
        data["reason"] = "; ".join(filter(None, words))

    def facts(self) -> dict[str, Any]:
        """Return the number of games at the end, and the seats of players who left."""
        games = self.cleaned_data.get("games", self.games)
        return {"ended": {"games": games, "left": self.cleaned_data["left"]}}


class EndAllForm(forms.Form):
    """The end of incomplete lists of a Serie: the chosen lists and the reason."""

    use_required_attribute = False  # fields of a table that is not ticked are ignored
    reason = TextField(
        label=gettext_lazy("Grund"),
        max_length=LONGEST_REASON,
        initial=gettext_lazy("Zeit abgelaufen"),
    )

    def __init__(self, *args: Any, tables: Sequence[TableToHandIn], **kwargs: Any) -> None:
        """Offer the *tables* that have games; for paper lists also the number of games."""
        super().__init__(*args, **kwargs)
        self.tables = [row for row in tables if row.games or row.spielliste.on_paper]
        for row in self.tables:
            self.fields[f"table_{row.number}"] = forms.BooleanField(
                label=str(row.spielliste.table), initial=bool(row.games), required=False
            )
            if row.spielliste.on_paper:
                self.fields[f"games_{row.number}"] = NumberField(
                    label=_("{table}: Spiele auf dem Papier").format(table=row.spielliste.table),
                    min_value=max(1, row.games),
                    max_value=row.games_wanted - 1,
                    initial=row.games or None,
                    required=not self.is_bound or f"table_{row.number}" in self.data,
                    widget=forms.TextInput,
                    error_messages={
                        "required": _("Bitte sagen, wie viele Spiele auf dem Papier stehen.")
                    },
                )

    def rows(self) -> list[tuple[TableToHandIn, forms.BoundField, forms.BoundField | None]]:
        """Return each table with its fields."""
        return [
            (
                row,
                self[f"table_{row.number}"],
                self[f"games_{row.number}"] if row.spielliste.on_paper else None,
            )
            for row in self.tables
        ]

    def clean(self) -> None:
        """Check that a table is chosen."""
        if not any(self.cleaned_data.get(f"table_{row.number}") for row in self.tables):
            self.add_error(None, _("Bitte mindestens einen Tisch ankreuzen."))

    def ends(self) -> dict[int, int | None]:
        """Return the keys of the chosen lists; paper lists with their number of games."""
        data = self.cleaned_data
        return {
            row.spielliste.pk: data.get(f"games_{row.number}")
            for row in self.tables
            if data[f"table_{row.number}"]
        }
