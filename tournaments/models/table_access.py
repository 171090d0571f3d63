"""Access of a table to its list without an account: codes, devices, submissions, calls."""

from __future__ import annotations

from datetime import timedelta

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.accounts import User, by_account
from tournaments.models.lists import Spielliste
from tournaments.models.rows import Row
from tournaments.models.seating import Table
from tournaments.models.tournament import Tournament


class TableAccess(Row):
    """The codes of a table in its Serie; a new generation invalidates the old ones."""

    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="access")
    generation = models.PositiveIntegerField(default=1)
    token_hash = models.CharField(max_length=64, unique=True)
    code_hash = models.CharField(max_length=64, unique=True)  # of the short code to type
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("Zugang eines Tisches")
        ordering = ["table"]

    def __str__(self) -> str:
        return str(self.table)


class TableDevice(Row):
    """A phone or tablet that opened a table's page; one of them may write the list."""

    SEEN_EVERY = timedelta(minutes=1)  # a request is noted at most so often

    within = ("table", "serie")

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="devices")
    token_hash = models.CharField(max_length=64, unique=True)
    generation = models.PositiveIntegerField(default=1)  # of the access it came by
    is_keeper = models.BooleanField(_("führt die Liste"), default=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    last_seen_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("Tischgerät")
        ordering = ["table", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["table"],
                condition=Q(is_keeper=True),
                name="table_one_keeper",
                violation_error_message=_("An diesem Tisch führt schon ein Gerät die Liste."),
            ),
            models.CheckConstraint(
                name="table_keeper_not_withdrawn",
                condition=Q(is_keeper=False) | Q(withdrawn_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return str(_("{table}, Gerät {number}")).format(table=self.table, number=self.pk)


class Submission(models.Model):
    """A submission of a device or a form under a key of its own, and its answer.

    The same key again gets the same answer and changes nothing. Submissions of a table belong
    to its list and are kept with it; those of forms are kept for a day.
    """

    key = models.CharField(max_length=64)
    spielliste = models.ForeignKey(
        Spielliste, null=True, blank=True, on_delete=models.CASCADE, related_name="submissions"
    )
    device = models.ForeignKey(
        TableDevice, null=True, blank=True, on_delete=models.SET_NULL, related_name="submissions"
    )
    by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.SET_NULL, related_name="submissions"
    )
    kind = models.CharField(max_length=20)
    digest = models.CharField(max_length=64)  # of the data sent: one key, one content
    answer = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("Einsendung")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["spielliste", "key"], name="submission_key_once"),
            models.UniqueConstraint(
                fields=["key"],
                condition=Q(spielliste__isnull=True),
                name="submission_form_key_once",
            ),
        ]
        indexes = [
            models.Index(
                fields=["created_at"],
                condition=Q(spielliste__isnull=True),
                name="submission_of_forms",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class Call(Row):
    """A call of a table for a Schiedsrichter."""

    journalled = ("table", "kind")
    within = ("table", "serie")
    along = ("taken_by",)

    class Kind(models.TextChoices):
        DISPUTE = "dispute", _("Streitfall")
        COUNTING = "counting", _("Nachzählen")
        SEATS = "seats", _("Wir sitzen anders")
        DEVICE = "device", _("Gerät freigeben")
        OTHER = "other", _("Sonstiges")

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="calls")
    kind = models.CharField(_("Anlass"), max_length=10, choices=Kind)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    taken_at = models.DateTimeField(null=True, blank=True)
    taken_by = by_account()
    done_at = models.DateTimeField(null=True, blank=True)
    note = models.CharField(_("Bemerkung"), max_length=300, blank=True)

    class Meta:
        verbose_name = _("Ruf nach dem Schiedsrichter")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["table"],
                condition=Q(done_at__isnull=True),
                name="call_one_open",
                violation_error_message=_("Der Schiedsrichter ist schon gerufen."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table}: {self.get_kind_display()}"


class CodeGuess(models.Model):
    """A typed short code that is wrong; kept for minutes, to limit guessing."""

    # None in a hall, where a number is enough; elsewhere organisers would block each other.
    tournament = models.ForeignKey(
        Tournament, null=True, on_delete=models.CASCADE, related_name="+"
    )
    number = models.PositiveSmallIntegerField()  # of a table, as typed; there may be none
    for_player = models.BooleanField(default=False)  # then it is a start number
    address_hash = models.CharField(max_length=64, blank=True)
    at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = _("falscher Kurzcode")

    def __str__(self) -> str:
        return self.at.isoformat()
