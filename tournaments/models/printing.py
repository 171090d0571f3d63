"""Printed documents: finished PDFs, kept until their data change, and files in the database.

Where no PDF can be made, there is a page instead that the browser prints.
"""

from __future__ import annotations

from django.core.files.storage import storages
from django.db import models
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from tournaments.models.accounts import by_account
from tournaments.models.tournament import Tournament


class PrintedDocument(models.Model):
    """The newest PDF, or page for the browser, of one document with one choice of what to print.

    It may be deleted at any time and made again.
    """

    # None: the manual, printable without a role; once in each language.
    tournament = models.ForeignKey(
        Tournament,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="printed_documents",
    )
    name = models.CharField(max_length=40)  # of printing.documents
    asked = models.CharField(max_length=200, blank=True)  # „serie=2&table=7“
    title = models.CharField(_("Titel"), max_length=300)
    key = models.CharField(max_length=64)  # hash of its content
    pages = models.PositiveIntegerField(_("Seiten"))  # 0 for a page: the browser counts its sheets
    created_at = models.DateTimeField(_("erstellt"))
    created_by = by_account()

    class Meta:
        verbose_name = _("gedrucktes Dokument")
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "name", "asked"], name="printed_document_once"
            ),
            models.UniqueConstraint(
                fields=["name", "asked"],
                condition=models.Q(tournament=None),
                name="printed_document_of_nobody_once",
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def is_pdf(self) -> bool:
        """Whether it is a PDF, and no page for the browser to print."""
        return self.pages > 0

    @property
    def file_name(self) -> str:
        """The file name of the PDF for downloads: „sitzplan-serie-1-nach-namen.pdf“."""
        return f"{slugify(self.title)}.pdf"

    @property
    def stored_name(self) -> str:
        """The name under which it is stored; it reveals nothing of the content."""
        return f"{self.key}.{'pdf' if self.is_pdf else 'html'}"

    def pdf(self) -> bytes | None:
        """Return the PDF; None if it was deleted, or there is a page instead."""
        return self._content() if self.is_pdf else None

    def html(self) -> str | None:
        """Return the HTML of the page that the browser prints; None if there is none."""
        content = None if self.is_pdf else self._content()
        return content.decode() if content else None

    def _content(self) -> bytes | None:
        try:
            with storages["print"].open(self.stored_name) as file:
                return bytes(file.read())
        except FileNotFoundError:
            return None


class StoredFile(models.Model):
    """A finished PDF, an archive or an upload; kept for a limited time."""

    name = models.CharField(max_length=200, unique=True)  # „print/….pdf“
    content = models.BinaryField()
    created_at = models.DateTimeField(default=timezone.now, editable=False, db_index=True)

    class Meta:
        verbose_name = _("Datei")

    def __str__(self) -> str:
        return self.name
