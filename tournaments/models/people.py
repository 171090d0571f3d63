"""Clubs and persons: master data across tournaments."""

from __future__ import annotations

from datetime import date

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.common import names
from tournaments.common.person_names import person_key
from tournaments.common.short_texts import clean_line
from tournaments.models.accounts import Organiser, User, by_account
from tournaments.models.rows import CleanTextModel


class Club(CleanTextModel):
    """A club; its spelling is kept, clubs are compared by ``sort_key``."""

    owner = models.ForeignKey(Organiser, on_delete=models.PROTECT, related_name="clubs")
    name = models.CharField(_("Verein"), max_length=120)
    sort_key = models.CharField(max_length=260, editable=False)

    class Meta:
        verbose_name = _("Verein")
        ordering = ["sort_key"]
        constraints = [
            models.UniqueConstraint(fields=["owner", "sort_key"], name="club_name_once"),
            models.CheckConstraint(
                name="club_has_name",
                condition=~models.Q(sort_key=""),
                violation_error_message=_("Der Verein braucht einen Namen mit Buchstaben."),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def tidy(self) -> None:
        """Clean the name and derive the key; call before every save of the name."""
        self.name = clean_line(self.name)
        self.sort_key = names.sort_key(self.name)


class Gender(models.TextChoices):
    """Asked only for the women's ranking."""

    FEMALE = "f", _("weiblich")
    MALE = "m", _("männlich")
    DIVERSE = "d", _("divers")
    UNKNOWN = "", _("keine Angabe")


class Person(CleanTextModel):
    """A person known across tournaments; anonymising keeps the results and removes the names."""

    owner = models.ForeignKey(Organiser, on_delete=models.PROTECT, related_name="persons")
    first_name = models.CharField(_("Vorname"), max_length=80, blank=True)
    last_name = models.CharField(_("Nachname"), max_length=80)
    club = models.ForeignKey(
        Club,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="persons",
        verbose_name=_("Verein"),
    )
    gender = models.CharField(_("Geschlecht"), max_length=1, choices=Gender, blank=True)
    birth_year = models.PositiveSmallIntegerField(_("Geburtsjahr"), null=True, blank=True)
    email = models.EmailField(_("E-Mail"), blank=True)
    phone = models.CharField(_("Telefon"), max_length=40, blank=True)
    member_number = models.CharField(_("Pass- oder Mitgliedsnummer"), max_length=40, blank=True)
    # Empty: a pass with a number has no end.
    member_until = models.DateField(_("Pass gültig bis"), null=True, blank=True)
    note = models.CharField(_("Bemerkung"), max_length=300, blank=True)
    publish_consent = models.BooleanField(
        _("darf öffentlich mit Namen genannt werden"), default=False
    )
    publish_consent_at = models.DateTimeField(null=True, blank=True)
    hall_objection = models.BooleanField(
        _("will auch im Saal nicht mit Namen genannt werden"), default=False
    )
    anonymised_at = models.DateTimeField(null=True, blank=True)
    merged_into = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="merged_from"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    sort_key = models.CharField(max_length=400, db_index=True, editable=False)
    search_key = models.TextField(editable=False)

    class Meta:
        verbose_name = _("Person")
        ordering = ["sort_key", "pk"]
        constraints = [
            models.CheckConstraint(
                name="person_has_name",
                condition=~models.Q(last_name="") & ~models.Q(sort_key=""),
                violation_error_message=_("Eine Person braucht einen Nachnamen."),
            ),
            models.CheckConstraint(
                name="person_birth_year_sensible",
                condition=models.Q(birth_year__isnull=True)
                | models.Q(birth_year__gte=1900, birth_year__lte=2100),
                violation_error_message=_("Das Geburtsjahr liegt zwischen 1900 und 2100."),
            ),
            models.UniqueConstraint(
                fields=["owner", "member_number"],
                name="person_member_number_once",
                condition=~models.Q(member_number="") & models.Q(merged_into__isnull=True),
                violation_error_message=_(
                    "Diese Pass- oder Mitgliedsnummer hat schon jemand anderes. Bitte die Nummer "
                    "prüfen; ist es dieselbe Person, beide zusammenführen."
                ),
            ),
            models.CheckConstraint(
                name="person_not_merged_into_itself",
                condition=models.Q(merged_into__isnull=True)
                | ~models.Q(merged_into=models.F("pk")),
            ),
        ]

    def __str__(self) -> str:
        return self.full_name

    @property
    def full_name(self) -> str:
        """First name and last name as spoken."""
        return names.full_name(self.first_name, self.last_name)

    @property
    def list_name(self) -> str:
        """Last name, first name, as in a list."""
        return ", ".join(part for part in (self.last_name, self.first_name) if part)

    @property
    def public_name(self) -> str:
        """The name on the internet: the full name with consent, initials without."""
        if self.publish_consent:
            return self.full_name
        return names.initials(self.first_name, self.last_name)

    def has_pass_on(self, day: date) -> bool:
        """Whether the person is a member whose pass is valid on *day*."""
        return bool(self.member_number) and (self.member_until is None or day <= self.member_until)

    def tidy(self) -> None:
        """Clean the names and derive both keys; call before saving names, number or club."""
        self.first_name = clean_line(self.first_name)
        self.last_name = clean_line(self.last_name)
        self.member_number = clean_line(self.member_number)
        self.sort_key = person_key(self.last_name, self.first_name)
        club = self.club.name if self.club else ""
        self.search_key = names.search_key(
            self.last_name, self.first_name, club, self.member_number
        )


class Ban(CleanTextModel):
    """Further participation refused to a person (§ 1.4), for a time or for good."""

    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="bans")
    reason = models.CharField(_("Grund"), max_length=300)
    starts_on = models.DateField(_("ab"), default=timezone.localdate)
    ends_on = models.DateField(_("bis"), null=True, blank=True)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    lifted_at = models.DateTimeField(null=True, blank=True)
    lifted_by = by_account()
    lifted_reason = models.CharField(_("Grund der Aufhebung"), max_length=300, blank=True)

    class Meta:
        verbose_name = _("Sperre")
        constraints = [
            models.CheckConstraint(
                name="ban_ends_after_start",
                condition=models.Q(ends_on__isnull=True)
                | models.Q(ends_on__gte=models.F("starts_on")),
                violation_error_message=_("Die Sperre endet vor ihrem Beginn."),
            ),
            models.CheckConstraint(
                name="ban_lifted_has_name",
                condition=models.Q(lifted_at__isnull=True, lifted_by__isnull=True)
                | models.Q(lifted_at__isnull=False, lifted_by__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person}: {self.reason}"
