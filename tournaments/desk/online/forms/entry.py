"""The public form for registrations: one contact, one or more persons."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from django import forms
from django.core import signing
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.common import names
from tournaments.common.club_names import club_key
from tournaments.common.digits import number_in
from tournaments.common.person_names import person_key
from tournaments.desk.online.forms.choice import ChoiceForm, Options, refuse_addresses
from tournaments.desk.online.services.entry import PersonEntry
from tournaments.desk.online.services.entry_limits import MOST_PERSONS
from tournaments.models import Gender, Tournament
from tournaments.people.forms.names import PersonNameForm
from tournaments.web.fields import NumberField, TextField

SECONDS_NEEDED = 3  # faster forms come from programs; there is no maximum
FIRST_YEAR = 1900
_SALT = "tournaments.entry.form"
_KEY_BYTES = 16
_NOT_IN_NAMES = re.compile(r"[\d_<>]")


def new_key(now: datetime) -> str:
    """Return the key of a form shown at *now*: random, signed, with the time in it."""
    return signing.dumps([secrets.token_urlsafe(_KEY_BYTES), int(now.timestamp())], salt=_SALT)


def seconds_open(key: str, now: datetime) -> float | None:
    """Return the seconds since the form with *key* was shown; None if the signature is wrong."""
    try:
        _random, shown_at = signing.loads(key, salt=_SALT)
    except signing.BadSignature:
        return None
    return abs(now.timestamp() - float(shown_at))  # the clock may have been set back


def refuse_figures(text: str) -> None:
    """Refuse a name that contains digits, _, < or >."""
    if _NOT_IN_NAMES.search(text):
        raise ValidationError(gettext("Bitte nur den Namen eintragen, ohne Ziffern und Zeichen."))


def refuse_letterless(text: str) -> None:
    """Refuse a name without a single letter."""
    if not names.search_words(text):
        raise ValidationError(gettext("Der Name braucht mindestens einen Buchstaben."))


class ContactForm(forms.Form):
    """The e-mail of an entry, and the two guards against programs."""

    email = forms.EmailField(
        label=_("E-Mail für die Bestätigung"),
        max_length=200,
        help_text=_("Für Rückfragen und die Bestätigung, sonst für nichts."),
    )
    # Hidden from eyes and screen readers; only programs fill it.
    subject = TextField(label=_("Betreff (bitte leer lassen)"), required=False)
    key = TextField(widget=forms.HiddenInput)
    persons = NumberField(widget=forms.HiddenInput)


class PersonForm(PersonNameForm, ChoiceForm):
    """One person of an entry."""

    last_name = TextField(
        label=_("Nachname"),
        max_length=80,
        validators=[refuse_addresses, refuse_figures, refuse_letterless],
    )
    first_name = TextField(
        label=_("Vorname"),
        max_length=80,
        required=False,
        validators=[refuse_addresses, refuse_figures, refuse_letterless],
    )
    club_name = TextField(
        label=_("Verein"), max_length=120, required=False, validators=[refuse_addresses]
    )
    # A text field without the arrows of a number field.
    birth_year = NumberField(
        label=_("Jahrgang"),
        min_value=FIRST_YEAR,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "maxlength": "4"}),
    )

    def __init__(self, *args: Any, options: Options, row: int, **kwargs: Any) -> None:
        super().__init__(*args, options=options, prefix=f"person-{row}", **kwargs)
        self.row = row
        year = self.fields["birth_year"]
        year.required = options.needs_birth_year
        year.help_text = _("Für Startgeld und Wertungen.") if options.needs_birth_year else ""
        if options.needs_gender:
            self.fields["gender"] = forms.ChoiceField(
                label=_("Geschlecht"),
                choices=Gender.choices,
                required=False,
                help_text=_("Nur wegen der Wertungen."),
            )
        if options.tournament.asks_pass:
            self.fields["member_number"] = TextField(
                label=_("Passnummer"),
                max_length=40,
                required=False,
                validators=[refuse_addresses],
                help_text="" if options.needs_birth_year else _("Sie oder der Jahrgang genügt."),
            )
        self.order_fields([*self.before(), "category", "rankings", "declined", *self.wish_names])

    def before(self) -> list[str]:
        """Return the fields of the person in the order of the paper form."""
        return ["last_name", "first_name", "club_name", "birth_year", "member_number", "gender"]

    def person(self) -> tuple[int | None, str]:
        """Return year of birth and gender as typed."""
        return self.cleaned_data.get("birth_year"), self.cleaned_data.get("gender", "")

    def clean_birth_year(self) -> int | None:
        """Refuse years in the future."""
        year: int | None = self.cleaned_data["birth_year"]
        if year is not None and year > timezone.localdate().year:
            raise ValidationError(gettext("Dieses Jahr hat noch nicht begonnen."))
        return year

    def clean(self) -> None:
        """Require the number of the pass or the year of birth, by which a pass is looked up."""
        super().clean()
        proofs = ("member_number", "birth_year")
        has_one = any(self.cleaned_data.get(name) or name in self.errors for name in proofs)
        if "member_number" in self.fields and not has_one:
            sentence = gettext("Bitte die Nummer oder den Jahrgang eintragen.")
            self.add_error("member_number", sentence)

    @property
    def is_blank(self) -> bool:
        """Whether the row has no person."""
        own = {"last_name", "first_name", "birth_year", "member_number"} & self.fields.keys()
        texts = (self[name].data for name in own)
        return not any((text or "").strip() for text in texts)

    def person_entry(self) -> PersonEntry:
        """Return the person as an argument of ``submit_entry``."""
        data = self.cleaned_data
        return PersonEntry(
            first_name=" ".join(data["first_name"].split()),
            last_name=" ".join(data["last_name"].split()),
            club_name=" ".join(data["club_name"].split()),
            birth_year=data["birth_year"],
            gender=data.get("gender", ""),
            member_number=" ".join(data.get("member_number", "").split()),
            **self.chosen(),
        )


class EntryForm:
    """The whole public form: one contact, one to twenty persons."""

    def __init__(
        self,
        tournament: Tournament,
        data: QueryDict | None = None,
        *,
        now: datetime,
        email_required: bool,
    ) -> None:
        self.options = Options(tournament)
        self.now = now
        self._data = data.copy() if data is not None else None
        self._refusal = self._check_guards() if self._data is not None else ""
        self.contact = ContactForm(self._data, initial={"key": new_key(now), "persons": 1})
        self.contact.fields["email"].required = email_required
        self.persons = [
            PersonForm(self._data, row=row, options=self.options) for row in range(self._count())
        ]

    def __iter__(self) -> Iterator[forms.Form]:
        yield self.contact
        yield from self.persons

    def _count(self) -> int:
        number = None if self._data is None else self._data.get("persons")
        return max(1, min(MOST_PERSONS, number_in(number) or 1))

    def _check_guards(self) -> str:
        """Return why the form must be sent again, or "".

        The form comes back with its values, and the second attempt is accepted.
        """
        assert self._data is not None  # noqa: S101 - called for bound forms only
        seconds = seconds_open(self._data.get("key", ""), self.now)
        if seconds is None:
            self._data["key"] = new_key(self.now)
            return gettext("Das Formular war zu alt. Bitte noch einmal auf „Senden“ drücken.")
        if self._data.get("subject"):
            self._data["subject"] = ""
            return gettext(
                "Ein Feld, das leer bleiben muss, war ausgefüllt; manche Programme tun das von "
                "selbst. Bitte die Angaben prüfen und noch einmal auf „Senden“ drücken."
            )
        if seconds < SECONDS_NEEDED:
            return gettext(
                "Das ging schneller, als man lesen kann. Bitte die Angaben prüfen und noch "
                "einmal auf „Senden“ drücken."
            )
        return ""

    @property
    def key(self) -> str:
        """The secret of this form."""
        return str(self.contact["key"].value())

    @property
    def is_wrong(self) -> bool:
        """Whether there are errors."""
        return any(form.errors for form in self)

    def is_valid(self) -> bool:
        """Check all fields; rows without a person are left out."""
        self.persons = [form for form in self.persons if not form.is_blank] or self.persons[:1]
        if not self.is_wrong:
            self._check_twice()
        if self._refusal and not self.is_wrong:
            self.contact.add_error(None, self._refusal)
        return not self.is_wrong

    def _check_twice(self) -> None:
        seen: set[tuple[str, str, int | None, str]] = set()
        for form in self.persons:
            person = form.person_entry()
            name = person_key(person.last_name, person.first_name)
            key = (name, club_key(person.club_name), person.birth_year, person.member_number)
            if key in seen:
                form.add_error("last_name", gettext("Diese Person steht schon weiter oben."))
            seen.add(key)

    def refuse(self, refusal: Exception) -> None:
        """Show a refusal of the service above the form."""
        sentences = getattr(refusal, "messages", None) or [str(refusal)]
        for sentence in sentences:
            self.contact.add_error(None, sentence)

    def person_entries(self) -> list[PersonEntry]:
        """Return the valid persons."""
        return [form.person_entry() for form in self.persons]

    def with_another(self) -> EntryForm:
        """Return the unchecked form with one more row for the same club."""
        rows = [_field_texts(form) for form in self.persons]
        if len(rows) < MOST_PERSONS:
            club = rows[-1]["club_name"] if rows else ""
            rows.append({"club_name": club})
        return self._redrawn(rows, fresh=len(rows) - 1)

    def without(self, row: int | None) -> EntryForm:
        """Return the unchecked form without a row."""
        rows = [_field_texts(form) for form in self.persons if form.row != row]
        return self._redrawn(rows or [{}])

    def _redrawn(self, rows: Iterable[dict[str, Any]], fresh: int | None = None) -> EntryForm:
        form = EntryForm(
            self.options.tournament,
            now=self.now,
            email_required=self.contact.fields["email"].required,
        )
        form.persons = [
            PersonForm(initial=initial, row=row, options=self.options)
            for row, initial in enumerate(rows)
        ]
        form.contact.initial = {
            "email": self.contact["email"].data or "",
            "key": self.key,
            "persons": len(form.persons),
        }
        if fresh is not None:
            form.persons[fresh].fields["last_name"].widget.attrs["autofocus"] = True
        return form


def _field_texts(form: forms.Form) -> dict[str, Any]:
    return {name: form[name].data for name in form.fields}
