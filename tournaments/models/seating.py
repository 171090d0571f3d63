"""The Serien of a tournament with their seats, and the draws they come from (§ 2.1).

A draw is a draft until it is published; then its seats are in ``Table`` and ``Seat``.
Discarded drafts are kept with their reason, so that repeated drawing can be seen.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Self, TypeVar

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models.functions import Greatest, Least
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.accounts import by_account
from tournaments.models.registration import Registration
from tournaments.models.rows import FREE_TEXT, OWNER_KEY, SEALED_IN_ENTRY, Row
from tournaments.models.tournament import Tournament


class SerieManager(models.Manager["Serie"]):
    """The Serien that are played; plans, rankings and documents leave out those struck out."""

    def get_queryset(self) -> models.QuerySet[Serie]:
        """Return the Serien that are not struck out."""
        return super().get_queryset().filter(struck_out="")


class Serie(Row):
    """One round of the tournament: every player plays one list at one table."""

    journalled = ("closed_at", "started_at")
    proved = ("number", "seating", "time_limit_minutes", "started_at", "closed_at", "struck_out")
    unproved = {"tournament": OWNER_KEY}

    class Seating(models.TextChoices):
        CARDS = "cards", _("gezogene Startkarten")
        ELECTRONIC = "electronic", _("elektronische Auslosung")
        RANKING = "ranking", _("gesetzt nach Rangliste")
        PLANNED = "planned", _("vorausgeplant ohne Wiederbegegnung")

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="serien")
    number = models.PositiveSmallIntegerField(_("Nummer"), validators=[MinValueValidator(1)])
    seating = models.CharField(
        _("Sitzordnung"), max_length=10, choices=Seating, default=Seating.CARDS
    )
    time_limit_minutes = models.PositiveSmallIntegerField(
        _("Zeitbegrenzung in Minuten"), null=True, blank=True
    )
    started_at = models.DateTimeField(_("begonnen um"), null=True, blank=True)
    closed_at = models.DateTimeField(_("abgeschlossen um"), null=True, blank=True)
    # Only the last Serien can be struck out, so that those that are played count from 1 on.
    struck_out = models.CharField(_("entfällt, weil"), max_length=500, blank=True, editable=False)

    objects = SerieManager()
    every = models.Manager["Serie"]()

    class Meta:
        verbose_name = _("Serie")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="serie_number_once"),
            models.CheckConstraint(name="serie_number_from_one", condition=models.Q(number__gte=1)),
        ]

    def __str__(self) -> str:
        return str(_("Serie {number}")).format(number=self.number)

    @property
    def day(self) -> int:
        """The day of the tournament on which it is played, from 1."""
        return self.tournament.days.of_serie(self.number)

    @property
    def is_to_come(self) -> bool:
        """Whether it was neither begun nor closed."""
        return self.started_at is None and self.closed_at is None

    def ends_at(self, extra_minutes: int = 0) -> datetime | None:
        """Return when the time of a table is over, or None without a time limit."""
        if self.started_at is None or self.time_limit_minutes is None:
            return None
        return self.started_at + timedelta(minutes=self.time_limit_minutes + extra_minutes)


class Draw(Row):
    """One draw of the seats of a Serie, with all data needed to repeat it."""

    proved = (
        *("serie", "number", "status", "method", "seed", "seed_hash", "task", "seats"),
        *("crossings", "published_at"),
    )
    unproved = {
        "metrics": "computed from seats and task",
        "reason": FREE_TEXT,
        **dict.fromkeys(("created_at", "created_by", "published_by"), SEALED_IN_ENTRY),
    }
    within = ("serie",)

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
    created_by = by_account()
    published_at = models.DateTimeField(null=True, blank=True)
    published_by = by_account()

    class Meta:
        verbose_name = _("Auslosung")
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

    proved = ("serie", "number")
    within = ("serie",)

    serie = models.ForeignKey(Serie, on_delete=models.PROTECT, related_name="tables")
    number = models.PositiveSmallIntegerField(_("Tisch"), validators=[MinValueValidator(1)])

    class Meta:
        verbose_name = _("Tisch")
        ordering = ["serie", "number"]
        constraints = [
            models.UniqueConstraint(fields=["serie", "number"], name="table_number_once"),
            models.CheckConstraint(name="table_number_from_one", condition=models.Q(number__gte=1)),
        ]

    def __str__(self) -> str:
        return str(_("Tisch {number}")).format(number=self.number)


_PLAYED = (
    models.Q(serie__closed_at__isnull=False)
    | models.Q(table__spielliste__games__isnull=False)
    | models.Q(table__spielliste__isnull=False) & ~models.Q(table__spielliste__status="open")
)


_Seats_co = TypeVar("_Seats_co", bound=models.Model, covariant=True)


class SeatQuerySet(models.QuerySet[_Seats_co]):
    """Seats by the progress of their tables."""

    def played(self) -> Self:
        """Return the seats at tables whose list is not empty."""
        return self.filter(_PLAYED).distinct()

    def begun(self) -> Self:
        """Return the seats in Serien that have begun, or at tables that have."""
        return self.filter(_PLAYED | models.Q(serie__started_at__isnull=False)).distinct()


class Seat(Row):
    """A place at a table, held for one Serie (§ 2.1.2); seats count clockwise from 1."""

    proved = ("serie", "table", "number", "registration")
    within = ("serie",)

    # Repeated from the table, so that the database can forbid two seats for one person.
    serie = models.ForeignKey(Serie, on_delete=models.PROTECT, related_name="seats")
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="seats")
    number = models.PositiveSmallIntegerField(_("Platz"), validators=[MinValueValidator(1)])
    registration = models.ForeignKey(Registration, on_delete=models.PROTECT, related_name="seats")

    objects = SeatQuerySet.as_manager()

    class Meta:
        verbose_name = _("Platz")
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

    @property
    def in_words(self) -> str:
        """The round, table and place, as a player is told."""
        return str(_("Serie {serie}: Tisch {table}, Platz {place}")).format(
            serie=self.serie.number, table=self.table.number, place=self.number
        )


class Separation(Row):
    """Two persons who must not sit at one table; shown to desk and Spielleitung only."""

    proved = ("first", "second")
    unproved = {
        "tournament": OWNER_KEY,
        "reason": FREE_TEXT,
    }

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="separations")
    first = models.ForeignKey(Registration, on_delete=models.PROTECT, related_name="+")
    second = models.ForeignKey(Registration, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(_("Grund"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("Trennung")
        constraints = [
            # In either order, because the keys of an imported pair have another one.
            models.UniqueConstraint(
                Least("first", "second"),
                Greatest("first", "second"),
                name="separation_once_either_way",
                violation_error_message=_("Diese beiden sind schon getrennt."),
            ),
            models.CheckConstraint(
                name="separation_of_two",
                condition=~models.Q(first=models.F("second")),
                violation_error_message=_("Niemand kann von sich selbst getrennt werden."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.first} ≠ {self.second}"
