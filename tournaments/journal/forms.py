"""The form that filters the journal."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.common.digits import number_in
from tournaments.journal.queries.journal import Filter
from tournaments.journal.queries.texts import Area
from tournaments.models import JournalEntry, Registration, Spielliste, Tournament, User
from tournaments.web.fields import MomentField, NumberField

# To the minute, with the pickers of the browser.
MINUTE_INPUT = forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
KIND = "art:"  # prefix of kinds of actors without an account
KINDS = [kind for kind in JournalEntry.ActorKind if kind != JournalEntry.ActorKind.ACCOUNT]


class FilterForm(forms.Form):
    """Which entries to show; invalid values are ignored and marked."""

    bereich = forms.ChoiceField(
        label=_("Was"), required=False, choices=[("", _("alles")), *Area.choices]
    )
    wer = forms.ChoiceField(label=_("Wer"), required=False)
    serie = NumberField(label=_("Serie"), required=False, min_value=1, max_value=99)
    tisch = NumberField(label=_("Tisch"), required=False, min_value=1, max_value=9999)
    nummer = NumberField(label=_("Startnummer"), required=False, min_value=1)
    von = MomentField(label=_("von"), required=False, widget=MINUTE_INPUT)
    bis = MomentField(label=_("bis"), required=False, widget=MINUTE_INPUT)

    def __init__(self, data: Any, *, tournament: Tournament) -> None:
        super().__init__(data)
        self.tournament = tournament
        accounts = User.objects.filter(journal_entries__chain__tournament=tournament)
        wer = self.fields["wer"]
        assert isinstance(wer, forms.ChoiceField)  # noqa: S101 - for the type checker
        wer.choices = [
            ("", _("alle")),
            *((str(account.pk), str(account)) for account in accounts.distinct().order_by("name")),
            *((f"{KIND}{kind.value}", kind.label) for kind in KINDS),
        ]

    def clean(self) -> None:
        """Look up the list and the person."""
        data = self.cleaned_data
        serie, table, number = data.get("serie"), data.get("tisch"), data.get("nummer")
        if table and not serie:
            self.add_error("serie", _("Zu einem Tisch gehört seine Serie."))
        elif serie and not table:
            self.add_error("tisch", _("Zu einer Serie gehört der Tisch, um dessen Liste es geht."))
        elif serie and table:
            data["spielliste"] = (
                Spielliste.objects.filter(
                    table__serie__tournament=self.tournament,
                    table__serie__number=serie,
                    table__number=table,
                )
                .select_related("table__serie")
                .first()
            )
            if data["spielliste"] is None:
                self.add_error("tisch", _("Diesen Tisch gibt es in der Serie nicht."))
        if number:
            data["registration"] = Registration.objects.filter(
                tournament=self.tournament, number=number
            ).first()
            if data["registration"] is None:
                self.add_error("nummer", _("Diese Startnummer hat niemand."))

    def selection(self) -> Filter:
        """Return the chosen filter."""
        self.full_clean()
        data = self.cleaned_data
        actor = data.get("wer") or ""
        until = data.get("bis")
        return Filter(
            area=data.get("bereich") or "",
            account=number_in(actor),
            kind_of_actor=actor.removeprefix(KIND) if actor.startswith(KIND) else "",
            spielliste=data.get("spielliste"),
            registration=data.get("registration"),
            since=data.get("von"),
            # The given minute is included to its end.
            until=until + timedelta(seconds=59, microseconds=999_999) if until else None,
        )
