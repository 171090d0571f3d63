"""The job "print": from data to a stored PDF, in processes of its own.

The job's process collects the data and writes the HTML; a pool of processes renders it, some
dozen sheets at a time; then the pieces are merged into one file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import dataclass, replace
from datetime import datetime
from math import ceil
from multiprocessing import get_context
from typing import Any

from django.conf import settings
from django.template.loader import get_template
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from tournaments.announcement.queries.ausschreibung_text import moment
from tournaments.common.errors import TournamentError
from tournaments.machine import jobs
from tournaments.models import Job, PrintedDocument, Tournament
from tournaments.printing import browser, rendering, store
from tournaments.printing.base import Document, Printable, PrintRequest
from tournaments.printing.documents import DOCUMENTS

# Large enough to keep both cores busy, small enough for the memory of a process.
SHEETS_PER_PIECE = 25
# Fewer sheets are not worth a second process.
FEWEST_IN_TWO_PIECES = 8
ROWS_PER_PIECE = 1000
MOST_PROCESSES = 2
SECONDS_TO_WAIT = 0.4
# Placeholder of the time of printing until it is known whether the content has changed.
PRINTED_AT_PLACEHOLDER = "{made}"


RenderTemplate = Callable[[dict[str, Any]], str]
RenderPdf = Callable[[Sequence[str], str], list[bytes]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """HTML that is rendered on its own."""

    html: str
    weight: int = 1  # sheets or rows in it, for the progress
    bookmark: str = ""  # of its first page


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedDocument:
    """A document before it is rendered."""

    title: str
    pieces: tuple[Piece, ...]
    variant: str
    key: str


@jobs.register_work("print")
def print_document(job: Job, report: jobs.Progress) -> Mapping[str, Any]:
    """Print the document of a job, or return the stored PDF if it is current."""
    params = job.params
    from tournaments.printing import merging  # noqa: PLC0415 - no server reads or writes PDFs

    with translation.override(params.get("language") or settings.LANGUAGE_CODE):
        document = DOCUMENTS[params["document"]]
        about = job.tournament or placeholder_tournament()
        request = PrintRequest(
            tournament=about, base_url=params["base_url"], **params.get("asked", {})
        )
        prepared = prepare(document, request)
        asked = store.params_text(params.get("asked", {}) if job.tournament else _language())
        printed = store.find(job.tournament, document.name, asked, prepared.key)
        if printed is None:
            now = timezone.now()
            new = _new(job, prepared, asked, now)
            try:
                pdf = make(prepared, now, report)
            except rendering.NoPangoError:
                printed = _store_page(new, document, prepared)
            else:
                new.pages = merging.pages_of(pdf)
                printed = store.save(new, pdf)
    return {"printed": printed.pk}


def placeholder_tournament() -> Tournament:
    """Return a placeholder tournament for documents that are independent of tournaments."""
    return Tournament(name=_("Rommé-Turnier"))


def current_print(document: Document, base_url: str) -> PrintedDocument | None:
    """Return the print of a document that is independent of tournaments, if still current."""
    prepared = prepare(
        document, PrintRequest(tournament=placeholder_tournament(), base_url=base_url)
    )
    pdf_or_page = (prepared.key, _key_of_page(prepared))
    printed = (
        store.find(None, document.name, store.params_text(_language()), key) for key in pdf_or_page
    )
    return next(filter(None, printed), None)


def _language() -> dict[str, object]:
    return {"language": translation.get_language()}


def _key_of_page(prepared: PreparedDocument) -> str:
    return store.content_key([prepared.key], "")  # not the key of a PDF


def _new(job: Job, prepared: PreparedDocument, asked: str, now: datetime) -> PrintedDocument:
    return PrintedDocument(
        tournament=job.tournament,
        name=job.params["document"],
        asked=asked,
        title=prepared.title,
        key=prepared.key,
        pages=0,
        created_at=now,
        created_by=job.created_by,
    )


def _store_page(
    new: PrintedDocument, document: Document, prepared: PreparedDocument
) -> PrintedDocument:
    """Store or find the HTML for the browser to print, if the machine cannot make PDFs."""
    if document.bundle:
        raise TournamentError(
            _(
                "„{label}“ gibt es nur als PDF, und das kann dieser Rechner nicht machen. Bitte "
                "einzeln drucken: {names}."
            ).format(
                label=document.label,
                names=", ".join(str(DOCUMENTS[name].label) for name in document.bundle),
            )
        )
    new.key = _key_of_page(prepared)
    printed = store.find(new.tournament, new.name, new.asked, new.key)
    html = browser.one_page([piece.html for piece in prepared.pieces])
    html = html.replace(PRINTED_AT_PLACEHOLDER, _made(new.created_at))
    return printed or store.save(new, html.encode())


def prepare(document: Document, request: PrintRequest) -> PreparedDocument:
    """Return the HTML of a document and the key of its stored PDF.

    Raises:
        TournamentError: if a requested part does not exist, or there is nothing to print.
    """
    if document.bundle:
        title, pieces = _bundle(document, request)
    else:
        printable = document.context(request)
        title, pieces = printable.title, list(_pieces(document, printable, request.tournament))
    return PreparedDocument(
        title=title,
        pieces=tuple(pieces),
        variant=document.variant,
        key=store.content_key((piece.html for piece in pieces), document.variant),
    )


def _bundle(document: Document, request: PrintRequest) -> tuple[str, list[Piece]]:
    """Return the title and the pieces of a bundle of documents."""
    title = document.context(request).title
    pieces: list[Piece] = []
    for name in document.bundle:
        part = DOCUMENTS[name]
        printable = part.context(request)
        first, *more = _pieces(part, printable, request.tournament)
        pieces += [replace(first, bookmark=printable.title), *more]
    return title, pieces


def _pieces(document: Document, printable: Printable, tournament: Tournament) -> Iterator[Piece]:
    template = get_template(printable.template or document.template)
    context = {
        "tournament": tournament,
        "title": printable.title,
        "language": translation.get_language(),
        "made": PRINTED_AT_PLACEHOLDER,
        **printable.context,
    }
    if printable.rows is not None:
        yield from _pieces_of_rows(template.render, context, printable.rows)
    elif printable.sheets is None:
        yield Piece(html=template.render(context))
    else:
        yield from _pieces_of_sheets(template.render, context, printable)


def _pieces_of_sheets(
    render: RenderTemplate, context: Mapping[str, Any], printable: Printable
) -> Iterator[Piece]:
    if not printable.sheets:
        raise TournamentError(_("Hier gibt es noch nichts zu drucken."))
    total = len(printable.sheets)
    sheets = [
        (_("Blatt {number} von {total}").format(number=number, total=total), sheet)
        for number, sheet in enumerate(printable.sheets, start=1)
    ] * printable.copies
    size = SHEETS_PER_PIECE
    if len(sheets) >= FEWEST_IN_TWO_PIECES:
        size = min(size, ceil(len(sheets) / MOST_PROCESSES))
    for chunk in _chunks(sheets, size):
        yield Piece(html=render({**context, "sheets": chunk}), weight=len(chunk))


def _pieces_of_rows(
    render: RenderTemplate, context: Mapping[str, Any], rows: Sequence[Any]
) -> Iterator[Piece]:
    chunks = list(_chunks(rows, ROWS_PER_PIECE))
    for part, chunk in enumerate(chunks, start=1):
        html = render({**context, "rows": chunk, "part": part, "parts": len(chunks)})
        yield Piece(html=html, weight=len(chunk))


def _chunks(all_of: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    for start in range(0, len(all_of), size):
        yield all_of[start : start + size]


def make(prepared: PreparedDocument, now: datetime, report: jobs.Progress) -> bytes:
    """Return the PDF; *report* gets the number of finished sheets, and may cancel."""
    weights = [piece.weight for piece in prepared.pieces]

    def render(htmls: Sequence[str], variant: str) -> list[bytes]:
        return _rendered(htmls, weights, variant, report)

    return assemble(prepared, _made(now), render)


def _made(now: datetime) -> str:
    return _("erstellt am {moment}").format(moment=moment(now))


def assemble(prepared: PreparedDocument, made: str, render: RenderPdf) -> bytes:
    """Render the pieces of a document, and merge them into one PDF.

    Args:
        made: the time of printing, in words.
        render: makes a PDF from HTML and the kind of PDF.
    """
    from tournaments.printing import merging  # noqa: PLC0415 - no server reads or writes PDFs

    parts = render(
        [piece.html.replace(PRINTED_AT_PLACEHOLDER, made) for piece in prepared.pieces],
        prepared.variant,
    )
    return merging.merged(parts, prepared.title, [piece.bookmark for piece in prepared.pieces])


def _rendered(
    htmls: Sequence[str], weights: Sequence[int], variant: str, report: jobs.Progress
) -> list[bytes]:
    with ProcessPoolExecutor(
        min(MOST_PROCESSES, len(htmls), os.cpu_count() or 1),
        # Spawned on every system, because a fork would share the database connection.
        mp_context=get_context("spawn"),
        initializer=rendering.init_worker,
    ) as pool:
        static = str(settings.BASE_DIR / "static")
        futures = [pool.submit(rendering.render, html, static, variant) for html in htmls]
        weight = dict(zip(futures, weights, strict=True))
        waiting = set(futures)
        try:
            while waiting:
                done, waiting = wait(waiting, SECONDS_TO_WAIT, FIRST_COMPLETED)
                for future in done:
                    future.result()
                report(sum(weights) - sum(weight[future] for future in waiting), sum(weights))
        finally:
            pool.shutdown(cancel_futures=True)
    return [future.result() for future in futures]
