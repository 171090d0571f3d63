"""Legal texts of the operator on the pages, and notes of requests for the operator."""

from __future__ import annotations

import re

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.rows import CleanTextModel


class NotedRequest(models.Model):
    """A request that failed or took long, without any data about the person or the address."""

    MOST = 200
    SLOW_SECONDS = 2

    request_id = models.CharField(_("Kennung"), max_length=64)
    at = models.DateTimeField(_("Zeit"))
    method = models.CharField(max_length=10)
    route = models.CharField(_("Adresse"), max_length=200)  # „turniere/<slug:slug>/kasse/“
    status = models.PositiveSmallIntegerField(_("Antwort"))
    milliseconds = models.PositiveIntegerField(_("Dauer"))
    problem = models.CharField(_("Fehler"), max_length=80, blank=True)  # the kind, not its words

    class Meta:
        verbose_name = _("auffällige Anfrage")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.method} {self.route}: {self.status}"


class LegalText(CleanTextModel):
    """A text of the operator in plain paragraphs: a public page, or what receipts say."""

    class Name(models.TextChoices):
        IMPRESSUM = "impressum", _("Impressum")
        DATENSCHUTZ = "datenschutz", _("Datenschutz")
        BELEGE = "belege", _("Angaben auf Belegen")  # address, and a line about tax

    PAGES = (Name.IMPRESSUM, Name.DATENSCHUTZ)

    name = models.CharField(max_length=20, choices=Name, unique=True)
    text = models.TextField(_("Text"), blank=True, max_length=20_000)
    changed_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("Seite des Betreibers")

    def __str__(self) -> str:
        return str(self.get_name_display())

    @property
    def gaps(self) -> list[str]:
        """Return the parts in square brackets, which the default text leaves to be filled in."""
        return re.findall(r"\[[^\]]*\]", self.text)
