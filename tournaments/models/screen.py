"""What the beamer in the hall shows; nobody touches it, control sets it."""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.tournament import Serie, Tournament


class Screen(models.Model):
    """The one screen of a tournament; open calls and the time left stand on it always."""

    class Shows(models.TextChoices):
        WELCOME = "welcome", _("Begrüßung")
        TABLES = "tables", _("Sitzplan nach Tischen")
        NAMES = "names", _("Sitzplan nach Namen")
        RANKING = "ranking", _("Rangliste")
        COUNTDOWN = "countdown", _("Uhr der Serie")
        MESSAGE = "message", _("Mitteilung")

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="screen")
    shows = models.CharField(_("zeigt"), max_length=10, choices=Shows, default=Shows.WELCOME)
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
        verbose_name_plural = _("Leinwände")
        constraints = [
            models.CheckConstraint(
                name="screen_message_has_text",
                condition=~Q(shows="message") | ~Q(message=""),
                violation_error_message=_("Bitte eingeben, was auf der Leinwand stehen soll."),
            ),
            models.CheckConstraint(
                name="screen_seconds_sensible",
                condition=Q(seconds__gte=3, seconds__lte=120),
            ),
        ]

    def __str__(self) -> str:
        return str(self.get_shows_display())
