"""The seats of each Serie, and the draws they come from (§ 2.1).

A draw is a draft until it is published; then its seats are in ``Table`` and ``Seat``.
Discarded drafts are kept with their reason, so that repeated drawing can be seen.
"""

from __future__ import annotations

from django.core.validators import MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.accounts import User
from tournaments.models.registration import Registration
from tournaments.models.rows import Row
from tournaments.models.tournament import Serie


class Draw(Row):
    """One draw of the seats of a Serie, with all data needed to repeat it."""

    class Status(models.TextChoices):
        DRAFT = "draft", _("Entwurf")
        PUBLISHED = "published", _("bekannt gegeben")
        DISCARDED = "discarded", _("verworfen")

    serie = models.ForeignKey(Serie, on_delete=models.PROTECT, related_name="draws")
    number = models.PositiveSmallIntegerField(_("Versuch"))
    status = models.CharField(max_length=10, choices=Status, default=Status.DRAFT)
    method = models.CharField(_("Verfahren"), max_length=10, choices=Serie.Seating)
    # The hash is shown before the draw, the seed after it.
    seed = models.CharField(max_length=64, blank=True)
    seed_hash = models.CharField(max_length=64, blank=True)
    # The input of ``plan_seating``: players by start number, history, sizes of tables.
    task = models.JSONField(default=dict, blank=True)
    # Keys of registrations by table and seat; null where a drawn card is still missing.
    seats = models.JSONField(default=list, blank=True)
    # Changes of place for clubs „über Kreuz“: [registration, table, from seat, to seat].
    crossings = models.JSONField(default=list, blank=True)
    metrics = models.JSONField(default=dict, blank=True)
    reason = models.CharField(_("Grund der Wiederholung"), max_length=300, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    created_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    published_at = models.DateTimeField(null=True, blank=True)
    published_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        verbose_name = _("Auslosung")
        verbose_name_plural = _("Auslosungen")
        ordering = ["serie", "number"]
        constraints = [
            models.UniqueConstraint(fields=["serie", "number"], name="draw_number_once"),
            models.UniqueConstraint(
                fields=["serie"],
                condition=models.Q(status="draft"),
                name="draw_one_draft",
                violation_error_message=_("Für diese Serie gibt es schon einen Entwurf."),
            ),
            models.UniqueConstraint(
                fields=["serie"],
                condition=models.Q(status="published"),
                name="draw_one_published",
                violation_error_message=_("Diese Serie ist schon ausgelost."),
            ),
            models.CheckConstraint(
                name="draw_published_has_time",
                condition=~models.Q(status="published") | models.Q(published_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.serie}, {self.get_method_display()} ({self.number})"


class Table(Row):
    """One table of a Serie; tables of the exceptional size stand last (§ 2.1.1)."""

    serie = models.ForeignKey(Serie, on_delete=models.PROTECT, related_name="tables")
    number = models.PositiveSmallIntegerField(_("Tisch"), validators=[MinValueValidator(1)])

    class Meta:
        verbose_name = _("Tisch")
        verbose_name_plural = _("Tische")
        ordering = ["serie", "number"]
        constraints = [
            models.UniqueConstraint(fields=["serie", "number"], name="table_number_once"),
            models.CheckConstraint(name="table_number_from_one", condition=models.Q(number__gte=1)),
        ]

    def __str__(self) -> str:
        return str(_("Tisch {number}")).format(number=self.number)


class Seat(Row):
    """A place at a table, held for one Serie (§ 2.1.2); seats count clockwise from 1."""

    # Repeated from the table, so that the database can forbid two seats for one person.
    serie = models.ForeignKey(Serie, on_delete=models.PROTECT, related_name="seats")
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="seats")
    number = models.PositiveSmallIntegerField(_("Platz"), validators=[MinValueValidator(1)])
    registration = models.ForeignKey(Registration, on_delete=models.PROTECT, related_name="seats")

    class Meta:
        verbose_name = _("Platz")
        verbose_name_plural = _("Plätze")
        ordering = ["table", "number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="seat_number_once"),
            models.UniqueConstraint(
                fields=["serie", "registration"],
                name="seat_one_per_serie",
                violation_error_message=_("Diese Person sitzt in der Serie schon an einem Tisch."),
            ),
            models.CheckConstraint(
                name="seat_number_sensible", condition=models.Q(number__gte=1, number__lte=8)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table}, {self.number}: {self.registration}"
