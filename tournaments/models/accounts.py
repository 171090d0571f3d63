"""Accounts of the people who run tournaments, their organisers, and their roles in each."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.common.login_names import folded_login_name
from tournaments.models.rows import CleanTextModel, Row


class UserManager(BaseUserManager["User"]):
    """Creates accounts, and finds them by log-in names (``common.login_names``)."""

    def create_user(self, username: str, password: str | None, **fields: Any) -> User:
        """Store a new account with a hashed password."""
        user = self.model(username=username.strip(), **fields)
        user.set_password(password)
        user.full_clean()
        user.save()
        return user

    def get_by_natural_key(self, username: str | None) -> User:
        """Find the account of *username*, also if an earlier version stored the name unfolded."""
        name = username or ""
        folded = folded_login_name(name)
        exact = {user.username: user for user in self.filter(username__in={name, folded})}
        return exact.get(name) or exact.get(folded) or self.get(username__iexact=folded)

    def has_login_name(self, folded: str) -> bool:
        """Whether an account logs in as *folded*; not left to the database, which folds ASCII."""
        names = self.values_list("username", flat=True)
        return any(folded_login_name(name) == folded for name in names.iterator())


class User(CleanTextModel, AbstractBaseUser):
    """An account of one person. Its roles are in ``Membership``."""

    username = models.CharField(_("Anmeldename"), max_length=60)
    name = models.CharField(_("Name"), max_length=120)
    email = models.EmailField(_("E-Mail"), blank=True)
    is_active = models.BooleanField(_("aktiv"), default=True)
    is_admin = models.BooleanField(
        _("verwaltet das Programm"),
        default=False,
        help_text=_("Darf Turniere anlegen, Konten verwalten und Personen zusammenführen."),
    )
    # Opened by a button of the start page, without a password, until there is a real account. It is
    # stored, because a real account may practise as well, and because a practice account remains
    # one after its organiser is removed.
    is_demo = models.BooleanField(_("Übungskonto"), default=False, editable=False)
    # Log-in name in the installation that wrote the archive, of an account imported as an actor.
    # Its log-in name here is generated, so that it does not tell whether the name exists here.
    archived_as = models.CharField(max_length=60, blank=True, editable=False)
    # Another account of its organiser has the same name, so the log-in name is shown with it.
    has_namesake = models.BooleanField(default=False, editable=False)
    at_hand = models.ForeignKey(  # chosen by an account of several organisers
        "Organiser",
        null=True,
        blank=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    USERNAME_FIELD = "username"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]

    objects = UserManager()

    class Meta:
        verbose_name = _("Konto")
        constraints = [
            models.UniqueConstraint(
                Lower("username"),
                name="user_username_once",
                violation_error_message=_("Diesen Anmeldenamen gibt es schon."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.login_name})" if self.has_namesake else self.name

    @property
    def login_name(self) -> str:
        """The log-in name here, or in the installation that wrote its archive."""
        return self.archived_as or self.username


def by_account() -> models.ForeignKey[User | None, User | None]:
    """Return the field for the acting account; None if none was logged in."""
    return models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )


class Organiser(CleanTextModel):
    """A club, region or federation: the owner of tournaments, persons, clubs and seasons.

    Accounts see no data of another organiser. An installation on a laptop has one, which no page
    shows.
    """

    name = models.CharField(_("Name"), max_length=120)
    # Owner of made-up persons: of a practice tournament or a Probelauf, and removed with it.
    is_practice = models.BooleanField(default=False, editable=False)
    parent = models.ForeignKey(  # of a club, its region or federation, which sees its results
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="members",
        verbose_name=_("gehört zu"),
        help_text=_("sieht die Ergebnisse der Turniere"),
    )
    shares_members = models.BooleanField(
        _("Unsere Personen stehen unseren Vereinen zum Melden bereit"),
        default=False,
        help_text=_("Sie finden und melden sie in ihren Turnieren; ändern können sie nichts."),
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("Veranstalter")
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name


class Proposal(models.Model):
    """A proposal to another organiser, whose head answers: to join it, or to take rows over."""

    giver = models.ForeignKey(Organiser, on_delete=models.CASCADE, related_name="proposals_made")
    taker = models.ForeignKey(Organiser, on_delete=models.CASCADE, related_name="proposals")
    rows = models.JSONField(default=dict, blank=True)  # keys by kind; empty: to join
    created_by = by_account()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("Anfrage an einen Veranstalter")
        ordering = ["created_at", "pk"]

    def __str__(self) -> str:
        return f"{self.giver} → {self.taker}"


class Right(models.TextChoices):
    """The right of an account at an organiser."""

    ALL = "all", _("alles")
    PERSONS = "persons", _("Personen")
    MONEY = "money", _("Kasse")
    NAMED = "named", _("nur Turniere, in denen das Konto eine Rolle hat")


class OrganiserAccount(models.Model):
    """An account of an organiser, with its right there."""

    organiser = models.ForeignKey(Organiser, on_delete=models.PROTECT, related_name="accounts")
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="organisers")
    right = models.CharField(_("Recht"), max_length=10, choices=Right, default=Right.NAMED)

    class Meta:
        verbose_name = _("Konto eines Veranstalters")
        constraints = [
            models.UniqueConstraint(fields=["organiser", "user"], name="organiser_account_once"),
            models.CheckConstraint(
                name="organiser_right_known", condition=models.Q(right__in=Right.values)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.get_right_display()}"


class Role(models.TextChoices):
    """The role of a person in one tournament (§ 1.2)."""

    VERANSTALTER = "veranstalter", _("Veranstalter")
    SPIELLEITUNG = "spielleitung", _("Spielleitung")
    SCHIEDSRICHTER = "schiedsrichter", _("Schiedsrichter")
    KASSE = "kasse", _("Anmeldung und Kasse")


class Membership(Row):
    """A role of an account in a tournament; one person may have several."""

    tournament = models.ForeignKey(
        "Tournament", on_delete=models.PROTECT, related_name="memberships"
    )
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="memberships")
    role = models.CharField(_("Rolle"), max_length=20, choices=Role)

    class Meta:
        verbose_name = _("Rolle")
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "user", "role"],
                name="membership_once",
                violation_error_message=_("Diese Rolle hat das Konto schon."),
            ),
            models.CheckConstraint(
                name="membership_role_known", condition=models.Q(role__in=Role.values)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.get_role_display()}"


class Invitation(Row):
    """A link by which a person takes a role or a right, or the first account is made.

    Only the hash of the token is kept: the database does not reveal the link.
    """

    journalled = ("role",)

    tournament = models.ForeignKey(
        "Tournament", null=True, blank=True, on_delete=models.PROTECT, related_name="invitations"
    )
    role = models.CharField(_("Rolle"), max_length=20, choices=Role, blank=True)
    organiser = models.ForeignKey(
        Organiser, null=True, blank=True, on_delete=models.PROTECT, related_name="invitations"
    )
    right = models.CharField(_("Recht"), max_length=10, choices=Right, blank=True)
    is_admin = models.BooleanField(default=False)
    name = models.CharField(_("Name"), max_length=120, blank=True)
    email = models.EmailField(_("E-Mail"), blank=True)
    token_hash = models.CharField(max_length=64, unique=True)
    created_by = by_account()
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    used_by = by_account()
    used_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("Einladung")
        constraints = [
            models.CheckConstraint(
                name="invitation_role_needs_tournament",
                condition=models.Q(tournament__isnull=True, role="")
                | models.Q(tournament__isnull=False, role__in=Role.values),
            ),
            models.CheckConstraint(
                name="invitation_right_needs_organiser",
                condition=models.Q(organiser__isnull=True, right="")
                | models.Q(organiser__isnull=False, tournament=None, right__in=Right.values),
            ),
            models.CheckConstraint(
                name="invitation_used_has_account",
                condition=models.Q(used_at__isnull=True, used_by__isnull=True)
                | models.Q(used_at__isnull=False, used_by__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.name or self.get_role_display() or str(_("Einrichtung"))
