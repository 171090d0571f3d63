"""Messages of the Spielleitung to those who are registered."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.accounts import by_account
from tournaments.models.entry import EntryLine
from tournaments.models.registration import Registration
from tournaments.models.rows import Row
from tournaments.models.tournament import Tournament


class Circular(Row):
    """A message to all registered persons, or to some: on own pages, by mail, on paper.

    It belongs to those who were registered when it was sent, whatever becomes of them.
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
