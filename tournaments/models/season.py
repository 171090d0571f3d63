"""A season: several tournaments together, with a ranking of its own."""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.accounts import Organiser, User
from tournaments.models.rows import CleanTextModel
from tournaments.models.tournament import Tournament


class Season(CleanTextModel):
    """The tournaments that are ranked together, and the way of counting (``scoring.season``)."""

    class Counting(models.TextChoices):
        POINTS = "points", _("Punkte zusammen, wie in den Turnieren gewertet")
        RANKS = "ranks", _("Punkte für den Platz, die meisten gewinnen")

    owner = models.ForeignKey(Organiser, on_delete=models.PROTECT, related_name="seasons")
    slug = models.SlugField(_("Kurzname in der Adresse"), max_length=60, unique=True)
    name = models.CharField(_("Name"), max_length=120)
    counting = models.CharField(
        _("Gewertet werden"), max_length=10, choices=Counting, default=Counting.POINTS
    )
    best = models.PositiveSmallIntegerField(
        _("So viele Turniere zählen"),
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(60)],
    )
    # Points for the first ranks; empty: the number of persons not ahead.
    table = models.JSONField(_("Punkte für die ersten Plätze"), default=list, blank=True)
    tournaments = models.ManyToManyField(
        Tournament, blank=True, related_name="seasons", verbose_name=_("Turniere")
    )
    # Of other organisers: they may be taken in, as may those of clubs below the owner.
    offered = models.ManyToManyField(Tournament, blank=True, related_name="offered_to")
    # The winner keeps it until another season with the same one is over.
    trophy = models.CharField(_("Wanderpokal"), max_length=80, blank=True)
    is_over = models.BooleanField(_("Die Saison ist zu Ende"), default=False)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="seasons")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    revision = models.PositiveBigIntegerField(default=0, editable=False)

    class Meta:
        verbose_name = _("Saison")
        ordering = ["-created_at", "slug"]
        constraints = [
            models.CheckConstraint(
                name="season_best_sensible", condition=Q(best__gte=1, best__lte=60)
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def adds_points(self) -> bool:
        """Whether points are added, so that it matters how much was played."""
        return self.counting == self.Counting.POINTS
