"""What whoever runs the installation says on its pages about itself and about people's data."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class LegalText(models.Model):
    """The text of one of these pages, as plain paragraphs."""

    class Name(models.TextChoices):
        IMPRESSUM = "impressum", _("Impressum")
        DATENSCHUTZ = "datenschutz", _("Datenschutz")

    name = models.CharField(max_length=20, choices=Name, unique=True)
    text = models.TextField(_("Text"), blank=True, max_length=20_000)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("Seite des Betreibers")
        verbose_name_plural = _("Seiten des Betreibers")

    def __str__(self) -> str:
        return str(self.get_name_display())
