"""A file of persons between its upload and its import."""

from __future__ import annotations

from datetime import timedelta

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.accounts import User


class PersonImport(models.Model):
    """The rows of a file, and the decisions of its owner so far; deleted within a day.

    Kept here and not in the page, so that a list of names is neither sent back and forth
    nor lost when the browser is closed. Only the account that uploaded it may see it.
    """

    KEPT_FOR = timedelta(hours=24)

    created_by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    file_name = models.CharField(_("Datei"), max_length=120)
    rows = models.JSONField()  # [[number of the row in the file, [cell, …]], …]
    choices = models.JSONField(default=dict, blank=True)

    class Meta:
        verbose_name = _("Einlesevorgang")
        verbose_name_plural = _("Einlesevorgänge")
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.file_name
