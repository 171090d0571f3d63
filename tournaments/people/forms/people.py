"""Forms about persons, clubs and bans."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.common.formats import short_date
from tournaments.models import Ban, Club, Person
from tournaments.people.services import people
from tournaments.web.fields import DATE_INPUT, SafeControlNames, TextField, YearField


class PersonForm(forms.ModelForm):
    """A person as entered by desk and Spielleitung; the club by its name, which may be new."""

    club_name = TextField(
        label=_("Verein"),
        required=False,
        max_length=120,
        widget=forms.TextInput(attrs={"list": "clubs", "autocomplete": "off"}),
    )
    birth_year = YearField(label=_("Geburtsjahr"), required=False)
    seen = TextField(required=False, widget=forms.HiddenInput)

    class Meta:
        model = Person
        fields = [name for name in people.FIELDS if name != "club"]
        labels = {
            "publish_consent": _("Darf im Internet mit Namen genannt werden"),
            "hall_objection": _("Will auch im Saal nicht mit Namen genannt werden"),
        }
        widgets = {"member_until": DATE_INPUT}
        help_texts = {
            "member_until": _("Leer: ohne Ende."),
            "publish_consent": _("Ohne Zustimmung stehen dort nur die Anfangsbuchstaben."),
            "hall_objection": _(
                "Auf Leinwand und Aushängen stehen dann Startnummer und Anfangsbuchstaben."
            ),
            "note": _("Sehen nur Veranstalter und Spielleitung."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("first_name", "last_name", "email", "phone", "member_number", "note"):
            self.fields[name].widget.attrs["autocomplete"] = "off"
        if self.instance.pk:
            self.initial["club_name"] = self.instance.club.name if self.instance.club else ""
            self.initial["seen"] = people.fingerprint(self.instance)

    def values(self) -> dict[str, Any]:
        """Return the values by field of the person, without the club."""
        return {name: self.cleaned_data[name] for name in self.Meta.fields}

    def refuse(self, problem: ValidationError) -> None:
        """Show the errors of the service at their fields."""
        for name, sentences in problem.update_error_dict({}).items():
            field = {"club": "club_name", "name": "club_name"}.get(name, name)
            self.add_error(field if field in self.fields else None, sentences)


class BanForm(forms.ModelForm):
    """A ban from further participation (§ 1.4)."""

    class Meta:
        model = Ban
        fields = ["reason", "starts_on", "ends_on"]
        labels = {"ends_on": _("bis einschließlich")}
        help_texts = {"ends_on": _("Leer: auf Dauer.")}
        widgets = {"starts_on": DATE_INPUT, "ends_on": DATE_INPUT}

    def clean_ends_on(self) -> date | None:
        """Refuse a ban that has ended already."""
        ends_on: date | None = self.cleaned_data["ends_on"]
        if ends_on is not None and ends_on < timezone.localdate():
            raise ValidationError(gettext("Dieser Tag ist schon vorbei."))
        return ends_on


class AnonymiseForm(forms.Form):
    """Confirmation by typing the name."""

    typed_name = TextField(
        label=_("Zur Sicherheit den Namen eintippen"),
        max_length=170,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )


class ClubForm(SafeControlNames, forms.Form):
    """A new name for a club."""

    name = TextField(label=_("Name des Vereins"), max_length=120)


class MergeClubForm(forms.Form):
    """The club to merge into this one."""

    other = forms.ModelChoiceField(
        label=_("Diesen Verein darin aufgehen lassen"),
        queryset=Club.objects.none(),
        empty_label=_("Bitte wählen"),
    )

    def __init__(self, *args: Any, keep: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["other"]
        if isinstance(field, forms.ModelChoiceField):
            field.queryset = Club.objects.filter(owner=keep.owner_id).exclude(pk=keep.pk)


class MergeForm(forms.Form):
    """For each field in which two persons differ: the person whose value is kept."""

    KEEP, DROP = "keep", "drop"

    def __init__(self, *args: Any, keep: Person, drop: Person, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        labels = {field.name: field.verbose_name for field in Person._meta.fields}
        labels["publish_consent"] = gettext("Namensnennung")
        labels["hall_objection"] = gettext("Im Saal ohne Namen")
        for name in people.FIELDS:
            values = (getattr(keep, name), getattr(drop, name))
            if values[0] == values[1]:
                continue
            self.fields[name] = forms.ChoiceField(
                label=str(labels[name]),
                widget=forms.RadioSelect,
                choices=[
                    (self.KEEP, _shown(keep, name)),
                    (self.DROP, _shown(drop, name)),
                ],
                initial=self.DROP if values[0] in {None, ""} else self.KEEP,
            )

    def dropped_fields(self) -> list[str]:
        """Return the fields whose value is taken from the dropped person."""
        return [name for name, choice in self.cleaned_data.items() if choice == self.DROP]


def _shown(person: Person, name: str) -> str:
    if name == "gender":
        return str(person.get_gender_display())
    if name in {"publish_consent", "hall_objection"}:
        return gettext("ja") if getattr(person, name) else gettext("nein")
    value = getattr(person, name)
    return short_date(value) if isinstance(value, date) else str(value or "–")
