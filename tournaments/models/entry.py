"""Entries of the public form, and the registrations made of them."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.people import Gender
from tournaments.models.registration import Registration
from tournaments.models.rows import Row
from tournaments.models.schedule import MOST_DAYS
from tournaments.models.tariff import Category, Ranking
from tournaments.models.tournament import Tournament


class Entry(Row):
    """One entry of the public form: one or more persons under one link.

    The link is a key: only its hash is kept. The e-mail address belongs to the entry and
    not to a person, because a club may send its members; both are deleted when the
    tournament is closed.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="entries")
    token_hash = models.CharField(max_length=64, unique=True)
    email = models.EmailField(_("E-Mail"), blank=True)
    # Keyed hash of the sender's network address: needed to limit floods, so kept for an
    # hour only.
    address_hash = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("Sendung aus dem Internet")
        ordering = ["-created_at", "-pk"]
        indexes = [
            models.Index(fields=["tournament", "created_at"], name="entry_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, {self.created_at:%Y-%m-%d %H:%M}"


class EntryLine(Row):
    """One person of an entry, as typed, and the registration made of it.

    The holder of the link sees only the typed values: a different spelling of the stored
    person would tell a stranger that the person is known.
    """

    within = ("entry",)
    along = ("category", "registration__person")

    class Status(models.TextChoices):
        REGISTERED = "registered", _("gemeldet")
        OPEN = "open", _("zu klären")
        DISMISSED = "dismissed", _("nicht angenommen")

    class Naming(models.TextChoices):
        ASKED = "asked", _("gefragt")
        ANSWERED = "answered", _("beantwortet")

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="lines")
    position = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=10, choices=Status)
    registration = models.ForeignKey(
        Registration, null=True, blank=True, on_delete=models.PROTECT, related_name="entry_lines"
    )
    first_name = models.CharField(_("Vorname"), max_length=80, blank=True)
    last_name = models.CharField(_("Nachname"), max_length=80)
    club_name = models.CharField(_("Verein"), max_length=120, blank=True)
    birth_year = models.PositiveSmallIntegerField(_("Jahrgang"), null=True, blank=True)
    member_number = models.CharField(_("Pass- oder Mitgliedsnummer"), max_length=40, blank=True)
    gender = models.CharField(_("Geschlecht"), max_length=1, choices=Gender, blank=True)
    category = models.ForeignKey(
        Category, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    rankings = models.ManyToManyField(Ranking, blank=True, related_name="+")
    # Out of rankings that take everybody who fits.
    declined = models.ManyToManyField(Ranking, blank=True, related_name="+")
    plays_on = models.CharField(_("spielt an"), max_length=MOST_DAYS, blank=True)
    publish_consent = models.BooleanField(
        _("darf öffentlich mit Namen genannt werden"), default=False
    )
    # Whether the person was stored because of this line; then its consent is the person's.
    is_new_person = models.BooleanField(default=False)
    # The question to the person about being named; set if the typed consent is not the stored one.
    naming = models.CharField(max_length=8, choices=Naming, blank=True, editable=False)
    withdrawn_at = models.DateTimeField(_("über den Link abgemeldet"), null=True, blank=True)

    class Meta:
        verbose_name = _("Meldung aus dem Internet")
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["entry", "position"], name="entry_line_position_once"),
            models.CheckConstraint(
                name="entry_line_registered_has_registration",
                condition=models.Q(status="registered", registration__isnull=False)
                | models.Q(status__in=["open", "dismissed"], registration__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return self.list_name

    @property
    def full_name(self) -> str:
        """First name and last name as typed."""
        return f"{self.first_name} {self.last_name}".strip()

    @property
    def list_name(self) -> str:
        """Last name, first name, as typed."""
        return ", ".join(part for part in (self.last_name, self.first_name) if part)


class TeamWish(Row):
    """A person's wish for team mates in a ranking, kept until the team is formed."""

    within = ("ranking",)
    along = ("line__registration__person",)

    line = models.ForeignKey(EntryLine, on_delete=models.CASCADE, related_name="wishes")
    ranking = models.ForeignKey(Ranking, on_delete=models.CASCADE, related_name="wishes")
    text = models.CharField(_("Wunsch"), max_length=80)

    class Meta:
        verbose_name = _("Mannschaftswunsch")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["line", "ranking"], name="team_wish_once"),
            models.CheckConstraint(name="team_wish_has_text", condition=~models.Q(text="")),
        ]

    def __str__(self) -> str:
        return self.text
