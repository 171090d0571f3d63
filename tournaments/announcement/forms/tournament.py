"""Forms of a new tournament and of the plain sections of its Ausschreibung."""

from __future__ import annotations

from copy import copy
from datetime import date, time, timedelta
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.reading.ruleset_types import MOST_SERIEN
from scoring.ruleset import RuleSet
from tournaments.announcement.forms.moments import day_and_time, moment_in
from tournaments.announcement.services.checks import CONTACT, missing_facts
from tournaments.announcement.services.sections import FIELDS, FIXED
from tournaments.announcement.services.slugs import reserved_slugs
from tournaments.announcement.services.tournaments import default_deadline, suggest_slug
from tournaments.desk.queries.earlier_tournament import has_earlier_ranking
from tournaments.models import Tournament
from tournaments.models.tournament import Section
from tournaments.rulebook.forms.rules import RuleSetChoices
from tournaments.web.fields import (
    DATE_INPUT,
    TIME_INPUT,
    DayField,
    EuroField,
    IbanField,
    NumberField,
    SafeControlNames,
    TextField,
)

USUAL_SERIEN = 3
SATURDAY = 5


class TournamentForm(forms.ModelForm):
    """Base of the forms; it edits a copy, so that the page's header shows no refused values."""

    def __init__(
        self, data: Any = None, *, tournament: Tournament, initial: dict[str, Any] | None = None
    ) -> None:
        super().__init__(data, instance=copy(tournament), initial=initial)


def next_saturday() -> date:
    """Return today if it is a Saturday, else the next Saturday."""
    today = timezone.localdate()
    return today + timedelta(days=(SATURDAY - today.weekday()) % 7)


class StartForm(SafeControlNames, forms.Form):
    """Name and start, which a new tournament and a copy both need."""

    name = TextField(label=gettext_lazy("Name des Turniers"), max_length=120)
    start_day = DayField(label=gettext_lazy("Tag"), widget=DATE_INPUT, initial=next_saturday)
    start_time = forms.TimeField(
        label=gettext_lazy("Beginn"), widget=TIME_INPUT, initial=time(14, 0)
    )

    def clean(self) -> None:
        """Add ``starts_at`` to the entered values."""
        self.cleaned_data["starts_at"] = moment_in(self, "start")


class NewTournamentForm(RuleSetChoices, StartForm):
    """A new tournament by one of the rule sets."""

    serien = NumberField(
        label=gettext_lazy("Anzahl der Serien"), min_value=1, max_value=MOST_SERIEN
    )
    startgeld_cents = EuroField(
        label=gettext_lazy("Startgeld in Euro"),
        help_text=gettext_lazy("Gruppen mit eigenem Startgeld kommen in der Ausschreibung dazu."),
    )

    def __init__(self, *args: Any, rule_set: RuleSet, **kwargs: Any) -> None:
        super().__init__(*args, rule_set=rule_set, **kwargs)
        self.fields["serien"].initial = rule_set.series or USUAL_SERIEN


class MissingForm(SafeControlNames, TournamentForm):
    """The facts that a draft still lacks and that need only a field each."""

    class Meta:
        model = Tournament
        fields = ("venue", "organiser", *CONTACT)

    def __init__(self, data: Any = None, *, tournament: Tournament, usual: dict[str, Any]) -> None:
        """Keep only the fields of missing facts; *usual* has their proposed values."""
        super().__init__(data, tournament=tournament, initial=usual)
        lacking = {name for each in missing_facts(tournament) for name in each.fields}
        for name in {*self.fields} - lacking:
            del self.fields[name]
        for name in {*self.fields} - {*CONTACT}:
            self.fields[name].required = True

    def clean(self) -> dict[str, Any]:
        """Require an e-mail address or a phone number."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        contacts = {*CONTACT} & self.fields.keys()
        if contacts and not self.errors and not any(data.get(name) for name in CONTACT):
            sentence = _("Für Rückfragen fehlt eine E-Mail-Adresse oder Telefonnummer.")
            self.add_error(CONTACT[0], sentence)
        return data


class GeneralForm(SafeControlNames, TournamentForm):
    """Name, place, dates, organiser and admission."""

    start_day = DayField(label=gettext_lazy("Tag"), widget=DATE_INPUT)
    start_time = forms.TimeField(label=gettext_lazy("Beginn"), widget=TIME_INPUT)
    deadline_day = DayField(
        label=gettext_lazy("Meldeschluss am"), widget=DATE_INPUT, required=False
    )
    deadline_time = forms.TimeField(label=gettext_lazy("um"), widget=TIME_INPUT, required=False)
    is_open = forms.TypedChoiceField(
        label=gettext_lazy("Wer teilnehmen kann"),
        choices=[(True, gettext_lazy("offen für alle")), (False, gettext_lazy("geschlossen"))],
        coerce=lambda value: value == "True",
        widget=forms.RadioSelect,
    )

    admission = forms.ChoiceField(
        label=gettext_lazy("Wer auf keiner Liste steht"),
        choices=Tournament.Admission.choices,
        widget=forms.RadioSelect,
        required=False,
    )

    class Meta:
        model = Tournament
        fields = [
            name
            for name in FIELDS[Section.GENERAL]
            if name not in ("starts_at", "registration_deadline")
        ]
        widgets = {
            "circle_clubs": forms.Textarea(attrs={"rows": 4}),
            "circle_persons": forms.Textarea(attrs={"rows": 4}),
        }
        help_texts = {
            "venue": gettext_lazy("Muss zum Ausschreiben feststehen."),
            "organiser": gettext_lazy("Muss zum Ausschreiben feststehen."),
            "slug": gettext_lazy("Kleine Buchstaben, Ziffern und Bindestriche; leer: vom Namen."),
            "closed_circle": gettext_lazy(
                "In Worten, zum Beispiel: Mitglieder der Vereine im Landkreis."
            ),
            "circle_clubs": gettext_lazy("Ein Verein je Zeile. Steht in der Ausschreibung."),
            "circle_persons": gettext_lazy(
                "Eine Person je Zeile: Kühn, Anna, oder mit Jahrgang: Kühn, Anna (1950). Das wird "
                "nicht veröffentlicht."
            ),
        }

    def __init__(self, data: Any = None, *, tournament: Tournament) -> None:
        deadline = tournament.registration_deadline
        is_usual = deadline == default_deadline(tournament.starts_at)
        super().__init__(
            data,
            tournament=tournament,
            initial={
                **day_and_time("start", tournament.starts_at),
                **day_and_time("deadline", None if is_usual else deadline),
            },
        )
        self.fields["slug"].required = False
        if tournament.status not in FIXED["slug"][0].tournament:
            self.fields["slug"].disabled = True
            self.fields["slug"].help_text = _(
                "Die Adresse ist bekannt gemacht und bleibt, wie sie ist."
            )

    def clean_slug(self) -> str:
        """Derive the short name from the name if none was entered."""
        if self.fields["slug"].disabled:
            announced: str = self.instance.slug
            return announced
        slug: str = self.cleaned_data["slug"].lower()
        slug = slug or suggest_slug(self.cleaned_data.get("name", ""))
        if slug in reserved_slugs():
            raise ValidationError(
                _("Den Kurznamen „{slug}“ braucht das Programm selbst.").format(slug=slug)
            )
        return slug

    def clean(self) -> dict[str, Any]:
        """Combine days and times; without an entry the deadline follows the start."""
        data = super().clean() or self.cleaned_data
        if not data.get("is_open", True) and not data.get("closed_circle"):
            self.add_error(
                "closed_circle",
                _("Bitte angeben, für wen das geschlossene Turnier gedacht ist (§ 1.1)."),
            )
        self._clean_admission(data)
        starts_at = moment_in(self, "start")
        if starts_at is None:
            return data
        data["starts_at"] = starts_at
        if data.get("deadline_time") and not data.get("deadline_day"):
            data["deadline_day"] = data["start_day"]
        deadline = moment_in(self, "deadline") or default_deadline(starts_at)
        if data.get("deadline_day") and not data.get("deadline_time"):
            self.add_error("deadline_time", _("Bitte auch die Uhrzeit des Meldeschlusses angeben."))
        elif deadline > starts_at:
            self.add_error("deadline_time", _("Der Meldeschluss liegt nach dem Beginn."))
        data["registration_deadline"] = deadline
        self.instance.starts_at = starts_at
        self.instance.registration_deadline = min(deadline, starts_at)
        return data

    def _clean_admission(self, data: dict[str, Any]) -> None:
        """Require an admission rule for a closed tournament; clear it for an open one."""
        if data.get("is_open", True):
            data["admission"] = ""
        elif not data.get("admission"):
            self.add_error(
                "admission",
                _("Bitte wählen, was mit denen geschieht, die auf keiner Liste stehen."),
            )
        elif data["admission"] == Tournament.Admission.LISTED and not (
            data.get("circle_clubs") or data.get("circle_persons")
        ):
            self.add_error(
                "admission",
                _("Ohne Liste würden alle abgelehnt. Bitte Vereine oder Personen eintragen."),
            )


class TextForm(TournamentForm):
    """The free text of the Ausschreibung."""

    class Meta:
        model = Tournament
        fields = FIELDS[Section.TEXT]
        widgets = {"text": forms.Textarea(attrs={"rows": 12})}
        help_texts = {
            "text": gettext_lazy(
                "Was sonst noch zu sagen ist: Anfahrt, Verpflegung, Parken. Eine leere Zeile "
                "beginnt einen Absatz."
            )
        }


class BankForm(TournamentForm):
    """The bank account to which Startgeld can be transferred."""

    # Longer than the field of the model: IBANs are typed with spaces.
    iban = IbanField(label=gettext_lazy("IBAN"), required=False, max_length=42)
    bic = TextField(
        label=gettext_lazy("BIC"),
        required=False,
        max_length=20,
        help_text=gettext_lazy("Für Konten in Deutschland nicht nötig."),
    )

    class Meta:
        model = Tournament
        fields = FIELDS[Section.BANK]

    def clean_bic(self) -> str:
        """Return the BIC in capitals; refuse lengths other than 8 and 11."""
        bic = "".join(self.cleaned_data["bic"].split()).upper()
        if bic and not (bic.isascii() and bic.isalnum() and len(bic) in (8, 11)):
            raise ValidationError(_("Eine BIC hat 8 oder 11 Buchstaben und Ziffern."))
        return bic

    def clean(self) -> dict[str, Any]:
        """Require holder and number together."""
        data = super().clean() or self.cleaned_data
        if data.get("account_holder") and "iban" in data and not data["iban"]:
            self.add_error("iban", _("Zum Kontoinhaber fehlt die IBAN."))
        if data.get("iban") and not data.get("account_holder"):
            self.add_error("account_holder", _("Bitte angeben, wem das Konto gehört."))
        return data


class ProcedureForm(TournamentForm):
    """The ways of registering, and of disputing results."""

    class Meta:
        model = Tournament
        fields = FIELDS[Section.PROCEDURE]
        widgets = {"ended_lists": forms.RadioSelect}
        help_texts = {
            "online_registration": gettext_lazy("Bis zum Meldeschluss, noch ohne zu bezahlen."),
            "offer_hours": gettext_lazy("Mit einer E-Mail. Leer: Die Anmeldung entscheidet."),
            "self_check_in": gettext_lazy("Auf der eigenen Seite, oder an der Tür mit Aushang."),
            "mails_seats": gettext_lazy("Nach jeder Bekanntgabe, und wenn sich der Platz ändert."),
            "wlan_name": gettext_lazy(
                "Tischkarten, „Ich bin da“ und Leinwand bekommen damit einen QR-Code ins WLAN."
            ),
            "wlan_password": gettext_lazy("Steht dort lesbar daneben. Leer: ein offenes Netz."),
            "ended_lists": gettext_lazy(
                "Hochgerechnet zählen zum Beispiel 130 Punkte nach 8 von 12 Spielen als 195. Steht "
                "fest, sobald das Turnier läuft."
            ),
            "best_serien": gettext_lazy(
                "Leer: alle, wie in § 1.5. Sonst wird bei jeder Person die schlechteste Serie "
                "gestrichen, oder mehrere. Steht fest, sobald das Turnier läuft."
            ),
            "ties_by_lot": gettext_lazy(
                "Für alle, die nach dem Regelwerk gleich sind; das Programm zieht, oder jemand von "
                "Hand. Abweichung von § 1.5."
            ),
            "carries_points": gettext_lazy(
                "Als weiteres Ergebnis in der Gesamtwertung; sonst beginnt sie bei null. Steht "
                "fest, sobald das Turnier läuft."
            ),
            "only_whole": gettext_lazy(
                "Sonst steht, wem ein Ergebnis fehlt, hinter allen, die mehr haben."
            ),
            "protest_minutes": gettext_lazy("Gegen eine Berichtigung, nach dem Aushang."),
            "four_eyes": gettext_lazy(
                "Für unterschriebene Listen, aus der Spielleitung. Ist das Turnier ausgeschrieben, "
                "hebt das nur eine zweite Person mit auf."
            ),
            "language": gettext_lazy("Ohne Wahl: für Mails die Sprache dessen, der sie auslöst."),
        }

    # Headings by the first field below them.
    HEADINGS: ClassVar = {
        "online_registration": gettext_lazy("Meldung"),
        "self_check_in": gettext_lazy("Am Turniertag"),
        "ended_lists": gettext_lazy("Was zählt"),
        "protest_minutes": gettext_lazy("Berichtigungen"),
        "language": gettext_lazy("Sprache"),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Remove the field for carried points if there is no earlier tournament."""
        super().__init__(*args, **kwargs)
        if not (self.instance.carries_points or has_earlier_ranking(self.instance)):
            del self.fields["carries_points"]

    @property
    def parts(self) -> list[tuple[str, list[forms.BoundField]]]:
        """Return the fields below their headings."""
        parts: list[tuple[str, list[forms.BoundField]]] = []
        for field in self.visible_fields():
            if field.name in self.HEADINGS or not parts:
                parts.append((str(self.HEADINGS.get(field.name, "")), []))
            parts[-1][1].append(field)
        return parts


class PublicForm(TournamentForm):
    """The parts of a tournament that are public, and since when."""

    class Meta:
        model = Tournament
        fields = FIELDS[Section.PUBLIC]
        help_texts = {
            "names_in_hall": gettext_lazy("Wer es nicht möchte, sagt es an der Anmeldung."),
            "public_players": gettext_lazy(
                "Eine Seite „Wer kommt?“ mit allen, die einen Platz haben, bis zum Abschluss."
            ),
            "public_seating": gettext_lazy("Wer nicht zugestimmt hat, steht dort mit Initialen."),
            "public_ranking": gettext_lazy("Die eigenen Listen sieht jede Person immer (§ 2.2.3)."),
        }


class ReasonForm(forms.Form):
    """The reason for changing a running tournament or opening a closed one again."""

    reason = TextField(
        label=gettext_lazy("Grund"),
        max_length=500,
        help_text=gettext_lazy("Steht mit der Änderung im Protokoll."),
    )
