"""Files in the database, where the hosts of a server share one."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class StoredFile(models.Model):
    """A finished PDF, an archive or an upload; kept for a limited time."""

    name = models.CharField(max_length=200, unique=True)  # „print/….pdf“
    content = models.BinaryField()
    created_at = models.DateTimeField(default=timezone.now, editable=False, db_index=True)

    class Meta:
        verbose_name = _("Datei")

    def __str__(self) -> str:
        return self.name
