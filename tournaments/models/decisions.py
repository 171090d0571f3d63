"""Decisions of the Spielleitung: Strafpunkte, Bußgeld, corrections, cases, and messages."""

from __future__ import annotations

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.accounts import by_account
from tournaments.models.cash import Receipt
from tournaments.models.entry import EntryLine
from tournaments.models.lists import Spielliste
from tournaments.models.registration import Registration
from tournaments.models.rows import FREE_TEXT, OWNER_KEY, SEALED_IN_ENTRY, Row
from tournaments.models.tournament import Tournament


class Penalty(Row):
    """Strafpunkte (§ 8.3): proposed by any helper, decided by the Spielleitung."""

    proved = ("spielliste", "registration", "points", "paragraph", "status")
    unproved = {
        "reason": FREE_TEXT,
        **dict.fromkeys(("created_at", "proposed_by", "decided_at", "decided_by"), SEALED_IN_ENTRY),
    }
    within = ("spielliste", "table", "serie")

    class Status(models.TextChoices):
        PROPOSED = "proposed", _("vorgeschlagen")
        GIVEN = "given", _("erteilt")
        REJECTED = "rejected", _("abgelehnt")
        WITHDRAWN = "withdrawn", _("zurückgenommen")

    spielliste = models.ForeignKey(Spielliste, on_delete=models.PROTECT, related_name="penalties")
    registration = models.ForeignKey(
        Registration, on_delete=models.PROTECT, related_name="penalties"
    )
    points = models.PositiveSmallIntegerField(_("Strafpunkte"), validators=[MinValueValidator(1)])
    reason = models.CharField(_("Grund"), max_length=300)
    paragraph = models.CharField(_("Paragraph"), max_length=20, blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.PROPOSED)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    proposed_by = by_account()
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = by_account()

    class Meta:
        verbose_name = _("Strafpunkte")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(name="penalty_positive", condition=Q(points__gte=1)),
            models.CheckConstraint(
                name="penalty_has_reason",
                condition=~Q(reason=""),
                violation_error_message=_("Strafpunkte brauchen einen Grund."),
            ),
            models.CheckConstraint(
                name="penalty_decided_has_time",
                condition=Q(status="proposed") | Q(decided_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.registration}: {self.points}"


class Bussgeld(Row):
    """The last amount due from a player for a list by the tariff, and the amount waived.

    Payments are in the cash book only: see ``BussgeldReceipt``. A correction may change
    the amount of the tariff; then the difference is open again, in either direction.
    """

    proved = ("spielliste", "registration", "due_cents", "waived_cents")
    unproved = {"waived_reason": FREE_TEXT}
    within = ("spielliste", "table", "serie")

    spielliste = models.ForeignKey(Spielliste, on_delete=models.PROTECT, related_name="bussgelder")
    registration = models.ForeignKey(
        Registration, on_delete=models.PROTECT, related_name="bussgelder"
    )
    due_cents = models.PositiveIntegerField(_("zu zahlen"))
    waived_cents = models.PositiveIntegerField(_("erlassen"), default=0)
    waived_reason = models.CharField(_("Grund des Erlasses"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("Bußgeld")
        ordering = ["spielliste", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["spielliste", "registration"], name="bussgeld_once"),
            models.CheckConstraint(
                name="bussgeld_waived_has_reason",
                condition=Q(waived_cents=0, waived_reason="")
                | (Q(waived_cents__gt=0) & ~Q(waived_reason="")),
                violation_error_message=_("Ein Erlass braucht einen Grund."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.registration}: {self.due_cents}"


class BussgeldReceipt(Row):
    """A receipt that includes a Bußgeld; its entry for the same person has the amount."""

    proved = ("bussgeld", "receipt")
    within = ("bussgeld", "spielliste", "table", "serie")

    bussgeld = models.ForeignKey(Bussgeld, on_delete=models.PROTECT, related_name="bookings")
    receipt = models.ForeignKey(Receipt, on_delete=models.PROTECT, related_name="bussgeld_bookings")

    class Meta:
        verbose_name = _("Beleg eines Bußgelds")
        ordering = ["bussgeld", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["bussgeld", "receipt"], name="bussgeld_receipt_once"),
        ]

    def __str__(self) -> str:
        return f"{self.bussgeld}, {self.receipt}"


class WayOfTelling(models.TextChoices):
    """How a player was told."""

    PAGE = "page", _("auf der eigenen Seite")
    MAIL = "mail", _("per E-Mail")
    SLIP = "slip", _("mit Zettel")
    ORAL = "oral", _("mündlich")


class Case(Row):
    """A question of a table or a player for the Spielleitung to decide."""

    along = ("decided_by",)

    class Kind(models.TextChoices):
        CORRECTION = "correction", _("Bitte um Berichtigung")
        OBJECTION = "objection", _("Einspruch")

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="cases")
    spielliste = models.ForeignKey(
        Spielliste, null=True, blank=True, on_delete=models.PROTECT, related_name="cases"
    )
    kind = models.CharField(max_length=10, choices=Kind)
    game = models.PositiveSmallIntegerField(_("Spiel"), null=True, blank=True)
    text = models.CharField(_("Was und warum"), max_length=1000)
    # The player who asks; None for the table as a whole.
    registration = models.ForeignKey(
        Registration, null=True, blank=True, on_delete=models.PROTECT, related_name="cases"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = by_account()
    decision = models.CharField(_("Entscheidung"), max_length=1000, blank=True)
    # The player who asked is told of the decision, as of a correction.
    told_at = models.DateTimeField(null=True, blank=True)
    told_how = models.CharField(max_length=10, choices=WayOfTelling, blank=True)
    told_by = by_account()

    class Meta:
        verbose_name = _("Fall")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                name="case_decided_says_what",
                condition=Q(decided_at__isnull=True) | ~Q(decision=""),
                violation_error_message=_("Eine Entscheidung braucht ihren Wortlaut."),
            ),
            models.CheckConstraint(
                name="case_told_once_decided",
                condition=Q(told_at__isnull=True) | (Q(decided_at__isnull=False) & ~Q(told_how="")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.pk}"


class Correction(Row):
    """A change made by the Spielleitung, or proposed to a second person."""

    proved = ("number", "spielliste", "kind", "status", "game", "before", "after", "version")
    unproved = {
        "tournament": OWNER_KEY,
        "reason": FREE_TEXT,
        **dict.fromkeys(
            ("paragraph", "created_at", "created_by", "decided_at", "decided_by"), SEALED_IN_ENTRY
        ),
        "effects": "computed from before and after",
        "case": "why it was asked for, which changes no result",
    }

    class Kind(models.TextChoices):
        LINE = "line", _("Zeile")
        SEATS = "seats", _("Plätze")
        BONUS_SIZE = "bonus_size", _("Tischgröße für den Bonus")
        INVALID = "invalid", _("für ungültig erklärt")
        VALID = "valid", _("wieder gültig")
        ENDED = "ended", _("vorzeitig beendet")
        GOES_ON = "goes_on", _("Ende zurückgenommen")
        PENALTY = "penalty", _("Strafpunkte")
        PENALTY_WITHDRAWN = "unpenalty", _("Strafpunkte zurückgenommen")
        EXCLUSION = "exclusion", _("Ausschluss")
        EXCLUSION_WITHDRAWN = "unexclude", _("Ausschluss zurückgenommen")

    OF_PENALTIES = (Kind.PENALTY, Kind.PENALTY_WITHDRAWN)

    class Status(models.TextChoices):
        PROPOSED = "proposed", _("wartet auf die zweite Person")
        CARRIED_OUT = "done", _("ausgeführt")
        REJECTED = "rejected", _("abgelehnt")

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="corrections")
    number = models.PositiveIntegerField(_("Nummer"))
    spielliste = models.ForeignKey(
        Spielliste, null=True, blank=True, on_delete=models.PROTECT, related_name="corrections"
    )
    kind = models.CharField(max_length=10, choices=Kind)
    status = models.CharField(max_length=10, choices=Status, default=Status.CARRIED_OUT)
    game = models.PositiveSmallIntegerField(_("Spiel"), null=True, blank=True)
    before = models.JSONField(default=dict, blank=True)
    after = models.JSONField(default=dict, blank=True)
    reason = models.CharField(_("Grund"), max_length=500)
    paragraph = models.CharField(_("Paragraph"), max_length=20, blank=True)
    # Points and ranks of the players concerned, before and after, with the consequences.
    effects = models.JSONField(default=dict, blank=True)
    version = models.PositiveIntegerField(null=True, blank=True)  # of the list afterwards
    case = models.ForeignKey(
        Case, null=True, blank=True, on_delete=models.PROTECT, related_name="corrections"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    created_by = by_account()
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = by_account()

    class Meta:
        verbose_name = _("Berichtigung")
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="correction_number_once"),
            models.CheckConstraint(
                name="correction_has_reason",
                condition=~Q(reason=""),
                violation_error_message=_("Eine Berichtigung braucht einen Grund."),
            ),
        ]

    def __str__(self) -> str:
        return str(_("Berichtigung {number}")).format(number=self.number)

    @classmethod
    def touching(cls, spielliste: Spielliste) -> models.QuerySet[Correction]:
        """Return the corrections and proposals of a list, by number.

        Players moved between two tables change both lists; the correction belongs to one of
        them and names the versions of all.
        """
        own = cls.objects.filter(tournament__serien__tables__spielliste=spielliste)
        return own.filter(
            Q(spielliste=spielliste) | models.Q(before__versions__has_key=str(spielliste.pk))
        ).order_by("number")

    def touched_lists(self) -> set[int]:
        """Return the keys of the lists that this changes; none for an exclusion."""
        keys = {int(key) for key in self.before.get("versions", {})}
        return keys if self.spielliste_id is None else {*keys, self.spielliste_id}


class Notice(Row):
    """A player to be told of a correction (§ 2.2.5), and the player's answer."""

    journalled = ("response", "case")
    within = ("correction",)
    along = ("correction__spielliste", "registration", "case")

    Way = WayOfTelling

    class Response(models.TextChoices):
        NONE = "", _("noch keine Antwort")
        ACKNOWLEDGED = "ok", _("zur Kenntnis genommen")
        OBJECTED = "objected", _("Einspruch erhoben")

    correction = models.ForeignKey(Correction, on_delete=models.PROTECT, related_name="notices")
    registration = models.ForeignKey(Registration, on_delete=models.PROTECT, related_name="notices")
    told_at = models.DateTimeField(null=True, blank=True)
    told_how = models.CharField(max_length=10, choices=WayOfTelling, blank=True)
    told_by = by_account()
    mailed_at = models.DateTimeField(null=True, blank=True)
    response = models.CharField(max_length=10, choices=Response, blank=True)
    response_at = models.DateTimeField(null=True, blank=True)
    case = models.ForeignKey(
        Case, null=True, blank=True, on_delete=models.PROTECT, related_name="notices"
    )

    class Meta:
        verbose_name = _("Mitteilung")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["correction", "registration"], name="notice_once"),
            models.CheckConstraint(
                name="notice_told_says_how",
                condition=Q(told_at__isnull=True) | ~Q(told_how=""),
            ),
            models.CheckConstraint(
                name="notice_response_has_time",
                condition=Q(response="") | Q(response_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.correction}, {self.registration}"


class Circular(Row):
    """A message to all registered persons, or to some: on own pages, by mail, on paper.

    It belongs to those who were registered when it was sent, even if they withdraw later.
    """

    LONGEST = 2_000

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="circulars")
    audience = models.CharField(max_length=12)  # of notices/queries/circulars.py
    text = models.TextField(_("Nachricht"))
    registrations = models.ManyToManyField(Registration, related_name="circulars")
    lines = models.ManyToManyField(EntryLine, related_name="circulars")  # not registered yet
    is_mailed = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    created_by = by_account()

    class Meta:
        verbose_name = _("Nachricht an alle")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                name="circular_has_text",
                condition=~models.Q(text=""),
                violation_error_message=_("Bitte die Nachricht schreiben."),
            ),
        ]

    def __str__(self) -> str:
        return f"{timezone.localtime(self.created_at):%d.%m.%Y, %H:%M}"
