"""The pages of the beamers in the hall; set by ``control``."""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.rows import Row
from tournaments.models.seating import Serie
from tournaments.models.tournament import Tournament


class Screen(Row):
    """One beamer of a tournament; it always shows signs, open calls and the time left."""

    class Shows(models.TextChoices):
        WELCOME = "welcome", _("Begrüßung")
        TABLES = "tables", _("Sitzplan nach Tischen")
        NAMES = "names", _("Sitzplan nach Namen")
        RANKING = "ranking", _("Rangliste")
        SCHEDULE = "schedule", _("Zeitplan")
        COUNTDOWN = "countdown", _("Uhr der Serie")
        MESSAGE = "message", _("Mitteilung")
        CHOOSING = "choosing", _("Wer einen Sachpreis wählt")
        LOTTERY = "lottery", _("Verlosung")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="screens")
    number = models.PositiveSmallIntegerField(default=1, validators=[MinValueValidator(1)])
    name = models.CharField(_("Name"), max_length=40, blank=True)
    # Values of Shows with commas between, which take turns.
    shows = models.CharField(_("zeigt"), max_length=80, default=Shows.WELCOME)
    # None: the Serie whose seats were made known last.
    serie = models.ForeignKey(
        Serie,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="+",
        verbose_name=_("Serie"),
    )
    seconds = models.PositiveSmallIntegerField(
        _("Sekunden je Seite"),
        default=12,
        validators=[MinValueValidator(3), MaxValueValidator(120)],
    )
    message = models.CharField(_("Mitteilung"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("Leinwand")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="screen_number_once"),
            models.CheckConstraint(
                name="screen_message_has_text",
                condition=~Q(shows__contains="message") | ~Q(message=""),
                violation_error_message=_("Bitte eingeben, was auf der Leinwand stehen soll."),
            ),
            models.CheckConstraint(
                name="screen_seconds_sensible",
                condition=Q(seconds__gte=3, seconds__lte=120),
            ),
        ]

    def __str__(self) -> str:
        return self.name or str(_("Leinwand {number}")).format(number=self.number)

    @property
    def pages(self) -> list[str]:
        """The pages that it shows in turn, as values of ``Shows``."""
        return self.shows.split(",")

    @property
    def labels(self) -> str:
        """The labels of its pages."""
        return ", ".join(str(self.Shows(page).label) for page in self.pages)
