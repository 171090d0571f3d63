"""Forms of accounts and roles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.contrib.auth import password_validation
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, SetPasswordForm
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from tournaments.accounts.organisers import organiser_for_code
from tournaments.accounts.proposals import HandoverRows, rows_of
from tournaments.accounts.services import check_name, new_login_name
from tournaments.common.errors import TournamentError
from tournaments.common.login_names import folded_login_name
from tournaments.common.organisers import rights_by_organiser
from tournaments.models import Organiser, Right, Role, User
from tournaments.people.queries.people import living_persons
from tournaments.web.fields import MultipleField, SafeControlNames, TextField

LONGEST_COUNTED_NAME = 255


def attempted_username(request: HttpRequest, credentials: Mapping[str, Any] | None) -> str:
    """Return the log-in name of an attempt, as failures are counted: folded and cut to its column.

    The log-in ignores upper and lower case, so the count does as well.
    """
    username = (credentials or request.POST).get("username") or ""
    return folded_login_name(str(username))[:LONGEST_COUNTED_NAME]


def _free_name(name: str, organisers: Iterable[Organiser], user: User | None) -> str:
    try:
        check_name(name, organisers, user)
    except TournamentError as refusal:
        raise ValidationError(str(refusal)) from refusal
    return name


class LoginForm(AuthenticationForm):
    """Log-in name and password; the same error for a wrong name and a wrong password."""

    password = forms.CharField(  # noqa: TID251 - kept as typed
        label=_("Kennwort"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    error_messages = {
        "invalid_login": _(
            "Anmeldename und Kennwort passen nicht zusammen. Groß- und Kleinschreibung zählt "
            "nur beim Kennwort."
        ),
        "inactive": _("Dieses Konto ist gesperrt."),
    }


class NewPasswordForm(SetPasswordForm):
    """A new password, set through a password link."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["new_password1"].label = _("Neues Kennwort")
        self.fields["new_password2"].label = _("Neues Kennwort wiederholen")


class ChangePasswordForm(NewPasswordForm, PasswordChangeForm):
    """A new password; the present one is required."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["old_password"].label = _("Bisheriges Kennwort")


class NewAccountForm(SafeControlNames, forms.Form):
    """Name, log-in name and password of a new account."""

    name = TextField(
        label=_("Ihr Name"),
        max_length=120,
        help_text=_("So steht er auf Listen und im Protokoll."),
    )
    username = TextField(label=_("Anmeldename"), max_length=60)
    password = forms.CharField(  # noqa: TID251 - kept as typed
        label=_("Kennwort"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_("Mindestens zehn Zeichen; ein kurzer Satz ist leicht zu merken."),
    )
    repeated = forms.CharField(  # noqa: TID251 - kept as typed
        label=_("Kennwort wiederholen"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def __init__(self, *args: Any, organisers: Sequence[Organiser] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.organisers = organisers

    def clean_name(self) -> str:
        """Refuse the name of another account of the organiser."""
        return _free_name(self.cleaned_data["name"], self.organisers, None)

    def clean_username(self) -> str:
        """Return the log-in name in lower case; refuse one that is taken or not usable."""
        return new_login_name(self.cleaned_data["username"])

    def clean(self) -> None:
        """Check the password by Django's validators, including similarity to the names."""
        data = self.cleaned_data
        password = data.get("password")
        if password and data.get("repeated") and password != data["repeated"]:
            self.add_error("repeated", _("Die beiden Kennwörter sind verschieden."))
        if password:
            user = User(username=data.get("username", ""), name=data.get("name", ""))
            try:
                password_validation.validate_password(password, user)
            except ValidationError as refusal:
                self.add_error("password", refusal)


class ProfileForm(SafeControlNames, forms.ModelForm):
    """Name and e-mail address of the own account."""

    class Meta:
        model = User
        fields = ["name", "email"]

    def clean_name(self) -> str:
        """Refuse the name of another account of an organiser."""
        name: str = self.cleaned_data["name"]
        if "name" in self.changed_data:
            _free_name(name, rights_by_organiser(self.instance), self.instance)
            self.instance.has_namesake = False
        return name


class InvitationForm(SafeControlNames, forms.Form):
    """An invitation to a role."""

    name = TextField(label=_("Name"), max_length=120)
    # The preset is not the strongest role.
    role = forms.ChoiceField(label=_("Rolle"), choices=Role.choices, initial=Role.KASSE)
    email = forms.EmailField(
        label=_("E-Mail"),
        required=False,
        help_text=_("Dorthin geht der Link, wenn der Versand von E-Mails eingerichtet ist."),
    )


class RightForm(SafeControlNames, forms.Form):
    """An invitation to an organiser, with a right."""

    name = TextField(label=_("Name"), max_length=120)
    right = forms.ChoiceField(label=_("Recht"), choices=Right.choices)
    email = forms.EmailField(
        label=_("E-Mail"),
        required=False,
        help_text=_("Dorthin geht der Link, wenn der Versand von E-Mails eingerichtet ist."),
    )


class CodeField(TextField):
    """The code of another organiser; its value is that organiser, or None."""

    default_error_messages = {
        "invalid": _(
            "Dieser Code gilt nicht oder nicht mehr. Bitte beim anderen einen neuen holen."
        ),
    }

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=200, **kwargs)

    def clean(self, value: Any) -> Organiser | None:
        """Return the organiser whose code was typed."""
        code = super().clean(value)
        if not code:
            return None
        if (organiser := organiser_for_code(code)) is None:
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return organiser


class OrganiserForm(SafeControlNames, forms.ModelForm):
    """The data of an organiser; it may leave its parent, or join one by its code."""

    parent_code = CodeField(
        label=_("Gehört zu"),
        required=False,
        help_text=_(
            "Der Code steht auf der Seite des Verbands. Nimmt er an, sieht er die Ergebnisse der "
            "beendeten Turniere."
        ),
    )

    class Meta:
        model = Organiser
        fields = ("name", "parent", "shares_members")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        parent = self.fields["parent"]
        assert isinstance(parent, forms.ModelChoiceField)  # noqa: S101 - for the type checker
        parent.queryset = Organiser.objects.filter(members=self.instance.pk)
        if not self.instance.parent_id:
            del self.fields["parent"]
        else:
            del self.fields["parent_code"]
        if not self.instance.members.exists():
            del self.fields["shares_members"]

    def clean_parent_code(self) -> Organiser | None:
        """Refuse the own code."""
        return self.cleaned_data["parent_code"] and _another(self, "parent_code", self.instance)


class HandOverForm(forms.Form):
    """The rows to hand over, and the code of the other organiser."""

    KINDS = ("tournaments", "seasons", "persons")

    code = CodeField(
        label=_("An wen"),
        help_text=_("Der Code steht auf der Seite des anderen Veranstalters."),
    )

    def __init__(self, *args: Any, giver: Organiser, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.giver = giver
        for name, things in (
            ("tournaments", giver.tournaments.filter(is_trial_run=False).order_by("-starts_at")),
            ("seasons", giver.seasons.order_by("-created_at")),
            ("persons", living_persons(giver)),
        ):
            self.fields[name] = MultipleField(things, required=False)

    def clean_code(self) -> Organiser:
        """Refuse the own code."""
        return _another(self, "code", self.giver)

    def rows(self) -> HandoverRows:
        """Return the chosen rows with all dependent rows."""
        keys = {kind: [row.pk for row in self.cleaned_data[kind]] for kind in self.KINDS}
        return rows_of(self.giver, **keys)


def _another(form: forms.BaseForm, name: str, own: Organiser) -> Organiser:
    organiser: Organiser = form.cleaned_data[name]
    if organiser == own:
        raise ValidationError(CodeField.default_error_messages["invalid"])
    return organiser
