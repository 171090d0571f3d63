"""The stored PDFs: reused while their content is unchanged, else replaced.

On machines that cannot make PDFs, pages for the browser are stored instead.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from urllib.parse import urlencode

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.db import transaction
from django.db.models import QuerySet

from tournaments.machine.jobs import when_tidied
from tournaments.models import PrintedDocument, Tournament, User
from tournaments.people.services.anonymise import AnonymisedPerson, when_anonymised

STYLES = "css/print/*.css"


def content_key(pieces: Iterable[str], variant: str) -> str:
    """Return the hash of a PDF's input: its pages, styles and kind."""
    digest = hashlib.sha256(variant.encode())
    for style in sorted(Path(settings.BASE_DIR, "static").glob(STYLES)):
        digest.update(style.read_bytes())
    for piece in pieces:
        digest.update(piece.encode())
    return digest.hexdigest()


def params_text(params: dict[str, object]) -> str:
    """Return the parameters as a text that does not depend on their order."""
    return urlencode(sorted(params.items()))


def find(tournament: Tournament | None, name: str, asked: str, key: str) -> PrintedDocument | None:
    """Return the PDF with this content, if it and its file exist."""
    prints = PrintedDocument.objects.filter(tournament=tournament, name=name, asked=asked, key=key)
    printed = prints.first()
    is_there = printed is not None and storages["print"].exists(printed.stored_name)
    return printed if is_there else None


def save(document: PrintedDocument, content: bytes) -> PrintedDocument:
    """Store a PDF or page, in place of the one with the same parameters."""
    if not storages["print"].exists(document.stored_name):
        storages["print"].save(document.stored_name, ContentFile(content))
    with transaction.atomic():
        # Of two concurrent prints of one document, the second replaces the row of the first.
        stored, _new = PrintedDocument.objects.select_for_update().get_or_create(
            tournament=document.tournament,
            name=document.name,
            asked=document.asked,
            defaults=_values(document),
        )
        before = stored.stored_name
        for fact, value in _values(document).items():
            setattr(stored, fact, value)
        stored.save()
    if before != stored.stored_name:
        _delete_files([before])
    return stored


def _values(document: PrintedDocument) -> dict[str, str | int | datetime | User | None]:
    return {
        "title": document.title,
        "key": document.key,
        "pages": document.pages,
        "created_at": document.created_at,
        "created_by": document.created_by,
    }


def delete_documents(tournaments: Iterable[Tournament]) -> None:
    """Delete all PDFs of *tournaments*, for instance when a person in them is anonymised."""
    _remove(PrintedDocument.objects.filter(tournament__in=list(tournaments)))


@when_tidied
def _tidy(before: datetime) -> None:
    _remove(PrintedDocument.objects.filter(created_at__lt=before))


def _remove(prints: QuerySet[PrintedDocument]) -> None:
    names = [document.stored_name for document in prints]
    prints.delete()
    # A refused transaction keeps its files.
    transaction.on_commit(lambda: _delete_files(names))


@when_anonymised
def _forget_names(forgotten: AnonymisedPerson) -> None:
    delete_documents(forgotten.tournaments)


def _delete_files(names: Iterable[str]) -> None:
    """Delete the stored PDFs that no document uses."""
    for name in names:
        if not PrintedDocument.objects.filter(key=Path(name).stem).exists():
            storages["print"].delete(name)
