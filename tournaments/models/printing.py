"""Documents that were printed: finished PDFs, kept until their data change."""

from __future__ import annotations

from django.core.files.storage import storages
from django.db import models
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from tournaments.models.accounts import User
from tournaments.models.tournament import Tournament


class PrintedDocument(models.Model):
    """The newest PDF of one document with one choice of what to print.

    A copy of what stands elsewhere: it may be thrown away at any time and made again.
    """

    tournament = models.ForeignKey(
        Tournament, on_delete=models.PROTECT, related_name="printed_documents"
    )
    name = models.CharField(max_length=40)  # of printing.documents
    asked = models.CharField(max_length=200, blank=True)  # „serie=2&table=7“
    title = models.CharField(_("Titel"), max_length=300)
    key = models.CharField(max_length=64)  # hash of all that stands in it
    pages = models.PositiveIntegerField(_("Seiten"))
    created_at = models.DateTimeField(_("erstellt"))
    created_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        verbose_name = _("gedrucktes Dokument")
        verbose_name_plural = _("gedruckte Dokumente")
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "name", "asked"], name="printed_document_once"
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def file_name(self) -> str:
        """What the file is called when it is kept: „sitzplan-serie-1-nach-namen.pdf“."""
        return f"{slugify(self.title)}.pdf"

    @property
    def stored_name(self) -> str:
        """Under which the PDF is stored; says nothing to somebody who looks there."""
        return f"{self.key}.pdf"

    def pdf(self) -> bytes | None:
        """Return the PDF; None if it was thrown away."""
        try:
            with storages["print"].open(self.stored_name) as file:
                return bytes(file.read())
        except FileNotFoundError:
            return None
