"""Files of persons or of a bank between upload and import, and the targets of their columns."""

from __future__ import annotations

from datetime import timedelta

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.accounts import Organiser, User
from tournaments.models.rows import CleanTextModel
from tournaments.models.tournament import Tournament


class PersonImport(CleanTextModel):
    """The rows of a file, and the decisions of its owner so far; deleted within a day.

    Kept here and not in the page, so that a list of names is neither sent back and forth
    nor lost when the browser is closed. Only the account that uploaded it may see it. With a
    *tournament* it is a statement of its bank, which every cashier there may see, or a file of
    registrations.
    """

    KEPT_FOR = timedelta(hours=24)

    tournament = models.ForeignKey(
        Tournament, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    owner = models.ForeignKey(Organiser, on_delete=models.PROTECT, related_name="+")
    holds_registrations = models.BooleanField(default=False)
    created_by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    file_name = models.CharField(_("Datei"), max_length=120)
    rows = models.JSONField()  # [[number of the row in the file, [cell, …]], …]
    choices = models.JSONField(default=dict, blank=True)

    class Meta:
        verbose_name = _("Einlesevorgang")
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.file_name


class KnownColumns(models.Model):
    """The chosen targets of the columns of a bank's table."""

    headings = models.CharField(max_length=64, unique=True)  # their hash
    columns = models.JSONField()  # the target of each, "" for none

    class Meta:
        verbose_name = _("Spalten einer Bank")

    def __str__(self) -> str:
        return ", ".join(filter(None, self.columns))
