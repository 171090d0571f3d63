"""The Spielliste of a table: its lines, signatures and earlier versions.

Points are computed, never stored. A line is kept in the interchange format
(``docs/formats.md`` 1), readings of unclear entries included; only services write one,
after ``scoring.checks`` has checked it.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.ambiguity import AmbiguousLine
from scoring.reading.interchange import line_from_json
from tournaments.models.accounts import by_account
from tournaments.models.registration import Registration
from tournaments.models.rows import FREE_TEXT, SEALED_IN_ENTRY, Row
from tournaments.models.seating import Table
from tournaments.models.tournament import Tournament


class Spielliste(Row):
    """The list of one table in one Serie; signed, it is a document (§ 2.2.4)."""

    journalled = ("status",)
    proved = (
        *("table", "status", "version", "bonus_size", "bought_cards", "extra_minutes"),
        *("signed_at", "protest_until", "list_received", "cards_received", "handed_in_at"),
        *("verified_at", "verified_by", "paper_sums", "status_before_invalid", "ended_games"),
        *("ended_counts", "ended_left", "is_late"),
    )
    unproved = {
        "listenfuehrer": "who writes changes no result",
        "on_paper": "how it is written changes no result",
        **dict.fromkeys(("last_entry_at", "handed_in_by"), SEALED_IN_ENTRY),
        **dict.fromkeys(("invalid_reason", "ended_reason"), FREE_TEXT),
    }
    within = ("table", "serie")

    class Status(models.TextChoices):
        OPEN = "open", _("offen")
        COMPLETE = "complete", _("vollständig")
        SIGNED = "signed", _("unterschrieben")
        HANDED_IN = "handed_in", _("abgegeben")
        VERIFIED = "verified", _("geprüft")
        INVALID = "invalid", _("ungültig")

    # Until it is signed the table writes it, with the consent of the players concerned (§ 2.2.3).
    AT_THE_TABLE = (Status.OPEN, Status.COMPLETE)
    # No longer open: a Serie need not wait for it.
    SETTLED = (Status.VERIFIED, Status.INVALID)

    table = models.OneToOneField(Table, on_delete=models.PROTECT, related_name="spielliste")
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    # Raised by every change of the list; devices send the version they saw.
    version = models.PositiveIntegerField(default=0)
    listenfuehrer = models.PositiveSmallIntegerField(
        _("Listenführer"), default=1, validators=[MinValueValidator(1), MaxValueValidator(8)]
    )
    # Kept on paper: lines come from the Spielleitung, not from a device.
    on_paper = models.BooleanField(_("auf Papier"), default=False)
    # The size that counts for the bonus (§ 3.2.1), where it is not the number of seats.
    bonus_size = models.PositiveSmallIntegerField(
        _("Tischgröße für den Bonus"), null=True, blank=True
    )
    # Where the rules let cards be bought: how many each seat bought in all, seat 1 first.
    bought_cards = models.JSONField(_("gekaufte Karten"), default=list, blank=True)
    extra_minutes = models.PositiveSmallIntegerField(_("Zeitzugabe in Minuten"), default=0)
    last_entry_at = models.DateTimeField(null=True, blank=True)
    signed_at = models.DateTimeField(null=True, blank=True)
    protest_until = models.DateTimeField(_("Einspruch bis"), null=True, blank=True)
    # Handing in (§ 2.3.3): list and Startkarten; the Bußgeld has rows of its own.
    list_received = models.BooleanField(_("Liste liegt vor"), default=False)
    cards_received = models.BooleanField(_("Startkarten liegen vor"), default=False)
    handed_in_at = models.DateTimeField(null=True, blank=True)
    handed_in_by = by_account()
    verified_at = models.DateTimeField(null=True, blank=True)
    verified_by = by_account()
    # The Spielleitung found that it was handed in late; the tariff says what that costs.
    is_late = models.BooleanField(_("zu spät abgegeben"), default=False)
    # The sums on the paper, seat 1 first, as typed for comparison.
    paper_sums = models.JSONField(default=list, blank=True)
    invalid_reason = models.CharField(_("Grund der Ungültigkeit"), max_length=300, blank=True)
    status_before_invalid = models.CharField(max_length=10, choices=Status, blank=True)
    # The Spielleitung ended it early: after which game, what it counts, why, and the seats
    # of players who had left, who have no result here.
    ended_games = models.PositiveSmallIntegerField(_("beendet nach Spiel"), null=True, blank=True)
    ended_counts = models.CharField(
        _("zählt"), max_length=12, choices=Tournament.EndedLists, blank=True
    )
    ended_reason = models.CharField(_("Grund des Endes"), max_length=300, blank=True)
    ended_left = models.JSONField(_("gegangen"), default=list, blank=True)

    class Meta:
        verbose_name = _("Spielliste")
        ordering = ["table"]
        constraints = [
            models.CheckConstraint(
                name="spielliste_status_known",
                condition=Q(
                    status__in=["open", "complete", "signed", "handed_in", "verified", "invalid"]
                ),
            ),
            models.CheckConstraint(
                name="spielliste_handed_in_has_time",
                condition=~Q(status__in=["handed_in", "verified"]) | Q(handed_in_at__isnull=False),
            ),
            models.CheckConstraint(
                name="spielliste_verified_has_time",
                condition=~Q(status="verified") | Q(verified_at__isnull=False),
                violation_error_message=_("Eine geprüfte Liste braucht die Zeit der Prüfung."),
            ),
            models.CheckConstraint(
                name="spielliste_invalid_has_reason",
                condition=~Q(status="invalid")
                | (~Q(invalid_reason="") & ~Q(status_before_invalid="")),
                violation_error_message=_("Eine ungültige Liste braucht einen Grund."),
            ),
            models.CheckConstraint(
                name="spielliste_ended_says_all",
                condition=Q(ended_games__isnull=True, ended_counts="", ended_reason="")
                | (
                    Q(
                        ended_games__isnull=False,  # else NULL would pass
                        ended_games__gte=1,
                        ended_counts__in=["extrapolated", "as_played", "none"],
                    )
                    & ~Q(ended_reason="")
                ),
                violation_error_message=_("Eine vorzeitig beendete Liste braucht einen Grund."),
            ),
            models.CheckConstraint(
                name="spielliste_ended_without_result_is_invalid",
                condition=~Q(ended_counts="none") | Q(status="invalid"),
            ),
            models.CheckConstraint(
                name="spielliste_bonus_size_sensible",
                condition=Q(bonus_size__isnull=True) | Q(bonus_size__gte=2, bonus_size__lte=8),
            ),
        ]

    def __str__(self) -> str:
        return str(_("Spielliste {table}")).format(table=self.table)

    @property
    def is_at_the_table(self) -> bool:
        """Whether the table may still write it; later only the Spielleitung may."""
        return self.status in self.AT_THE_TABLE

    def signed_version(self, versions: Iterable[int]) -> int:
        """Return the version whose signatures count; *versions* are those with signatures.

        It is the current one; once the list is signed, the signed one: a correction keeps them.
        """
        return self.version if self.is_at_the_table else max(versions, default=self.version)

    @property
    def counts(self) -> bool:
        """Whether it has results; an invalid list has none."""
        return self.status != self.Status.INVALID

    @property
    def is_ended(self) -> bool:
        """Whether the Spielleitung ended it before its last game."""
        return self.ended_games is not None

    def games_wanted(self, of_rule_set: int) -> int:
        """Return the number of games when complete: all *of_rule_set*, or those until it ended."""
        return self.ended_games or of_rule_set

    def lines(self) -> list[AmbiguousLine]:
        """Return the lines for the scoring, game 1 first. Expects ``games`` to be prefetched."""
        return [game.to_scoring() for game in self.games.all()]

    def may_protest(self, now: datetime) -> bool:
        """Whether the table may still ask for a correction."""
        return self.protest_until is not None and now <= self.protest_until


class Game(Row):
    """One line of a list, as entered."""

    proved = ("spielliste", "number", "line", "overridden")
    unproved = {"entered_at": SEALED_IN_ENTRY}
    within = ("spielliste", "table", "serie")

    spielliste = models.ForeignKey(Spielliste, on_delete=models.PROTECT, related_name="games")
    number = models.PositiveSmallIntegerField(_("Spiel"), validators=[MinValueValidator(1)])
    line = models.JSONField(_("Zeile"))  # {"finisher": 1, "handromme": false, "minus": [0, 23, …]}
    entered_at = models.DateTimeField()
    # Accepted by the Spielleitung although the plausibility checks refuse it.
    overridden = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("Spiel")
        ordering = ["spielliste", "number"]
        constraints = [
            models.UniqueConstraint(fields=["spielliste", "number"], name="game_number_once"),
            models.CheckConstraint(
                name="game_number_sensible", condition=Q(number__gte=1, number__lte=99)
            ),
        ]

    def __str__(self) -> str:
        return str(_("Spiel {number}")).format(number=self.number)

    def to_scoring(self) -> AmbiguousLine:
        """Return the line with its readings."""
        return line_from_json(self.line)


class SeatSpan(Row):
    """Games up to *last_game* at a seat that belong to a player who has left the seat.

    Written where players were moved in the middle of a list together with their games;
    without a span, all games of a seat belong to the player who sits there.
    """

    proved = ("spielliste", "seat", "last_game", "registration")
    within = ("spielliste", "table", "serie")

    spielliste = models.ForeignKey(Spielliste, on_delete=models.PROTECT, related_name="spans")
    seat = models.PositiveSmallIntegerField(_("Platz"), validators=[MinValueValidator(1)])
    last_game = models.PositiveSmallIntegerField(_("bis Spiel"))
    registration = models.ForeignKey(Registration, on_delete=models.PROTECT, related_name="spans")

    class Meta:
        verbose_name = _("Umsetzung im Spiel")
        ordering = ["spielliste", "seat", "last_game"]
        constraints = [
            models.UniqueConstraint(fields=["spielliste", "seat", "last_game"], name="span_once"),
            models.CheckConstraint(
                name="span_has_games", condition=Q(seat__gte=1, last_game__gte=1)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.spielliste}, {self.seat}, –{self.last_game}"


class ListVersion(Row):
    """The whole content of a list at one version since its signing, for comparison."""

    proved = ("spielliste", "version", "content_hash")
    unproved = {
        "content": "content_hash is of it",
        "created_at": SEALED_IN_ENTRY,
    }
    within = ("spielliste", "table", "serie")

    spielliste = models.ForeignKey(Spielliste, on_delete=models.PROTECT, related_name="versions")
    version = models.PositiveIntegerField()
    content = models.JSONField()  # see services.list_versions
    content_hash = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("Stand einer Liste")
        ordering = ["spielliste", "version"]
        constraints = [
            models.UniqueConstraint(fields=["spielliste", "version"], name="list_version_once"),
        ]

    def __str__(self) -> str:
        return f"{self.spielliste}, {self.version}"


class Signature(Row):
    """A player's signature of a checked version of the list (§ 2.2.4)."""

    proved = ("spielliste", "registration", "version", "method", "signed_at", "confirmed_by")
    unproved = {"drawing": "a picture of a name; deleted when the person is forgotten"}
    within = ("spielliste", "table", "serie")

    class Method(models.TextChoices):
        DEVICE = "device", _("auf dem Gerät")
        PAPER = "paper", _("auf Papier")

    REMOVED = "M0 0"  # no stroke: the drawing is deleted, the fact of signing is kept

    spielliste = models.ForeignKey(Spielliste, on_delete=models.PROTECT, related_name="signatures")
    registration = models.ForeignKey(Registration, on_delete=models.PROTECT, related_name="+")
    version = models.PositiveIntegerField()
    method = models.CharField(max_length=10, choices=Method)
    drawing = models.TextField(blank=True, max_length=20_000)  # path data of an SVG of 600 × 200
    signed_at = models.DateTimeField()
    confirmed_by = by_account()

    class Meta:
        verbose_name = _("Unterschrift")
        ordering = ["spielliste", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["spielliste", "registration", "version"],
                name="signature_once_per_version",
                violation_error_message=_("Dieser Stand der Liste ist schon unterschrieben."),
            ),
            models.CheckConstraint(
                name="signature_on_device_is_drawn",
                condition=~Q(method="device") | ~Q(drawing=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.registration}, {self.get_method_display()}"
