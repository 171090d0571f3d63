"""The results of a tournament at its closing, kept for comparison after a reopening."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.accounts import by_account
from tournaments.models.rows import Row
from tournaments.models.tournament import Tournament


class Closing(Row):
    """One closing with its rankings and prizes; a reopening ends it, with its reason.

    The content names start numbers and teams by their keys, never persons.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="closings")
    number = models.PositiveSmallIntegerField(_("Nummer"))
    closed_at = models.DateTimeField()
    closed_by = by_account()
    content = models.JSONField()  # see queries.closing
    content_hash = models.CharField(max_length=64)  # stands in the journal too
    reopened_at = models.DateTimeField(null=True, blank=True)
    reopened_by = by_account()
    reopened_reason = models.CharField(_("Grund der Öffnung"), max_length=500, blank=True)

    class Meta:
        verbose_name = _("Abschluss")
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="closing_number_once"),
            models.UniqueConstraint(
                fields=["tournament"],
                condition=Q(reopened_at__isnull=True),
                name="closing_one_in_force",
            ),
            models.CheckConstraint(
                name="closing_reopened_has_reason",
                condition=Q(reopened_at__isnull=True)
                | (Q(reopened_at__gte=F("closed_at")) & ~Q(reopened_reason="")),
                violation_error_message=_("Wieder geöffnet wird mit einem Grund."),
            ),
        ]

    def __str__(self) -> str:
        return str(_("Abschluss {number}")).format(number=self.number)
