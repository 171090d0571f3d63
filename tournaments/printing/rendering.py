"""HTML to PDF by WeasyPrint. Runs in processes of its own and knows nothing of Django.

Importing WeasyPrint takes much time and memory, so the server never does.
"""

from __future__ import annotations

import gc
import hashlib
from functools import partial
from pathlib import Path
from typing import Any

from tournaments.machine import operating_system

# A long print must not slow down the pages of the server; with the lowest priority it still
# gets all processor time that is free.
NICER = 19


class NoPangoError(Exception):
    """This machine lacks the library for text layout, which PDFs need."""


def init_worker() -> None:
    """Lower the priority, and end with the job's process; called in each process of the pool."""
    operating_system.lower_priority(NICER)
    operating_system.end_with_parent()


def render(html: str, static: str, variant: str) -> bytes:
    """Return a PDF with title, language, tags and embedded fonts.

    It has no ID yet: :func:`merging.merged` gives the finished document one.

    Args:
        html: a whole page; styles and images are named relative to *static*.
        static: folder of the static files; nothing is loaded from elsewhere.
        variant: the kind of PDF by WeasyPrint's name, as "pdf/ua-1".

    Raises:
        NoPangoError: if the system lacks the library that WeasyPrint needs.
    """
    operating_system.find_pango()
    try:
        from weasyprint import HTML  # noqa: PLC0415 - only where it is used, see above
        from weasyprint.urls import URLFetcher  # noqa: PLC0415 - as above
    except (ImportError, OSError) as problem:
        raise NoPangoError(str(problem)) from None

    fetcher = URLFetcher(allowed_protocols={"file", "data"}, fail_on_errors=True)
    # No object of a page can be freed before it is drawn, so garbage collection is a waste of time.
    gc.disable()
    try:
        page = HTML(string=html, base_url=f"{Path(static).as_uri()}/", url_fetcher=fetcher)
        pdf: bytes = page.write_pdf(
            pdf_variant=variant,
            pdf_identifier=False,
            finisher=partial(_name_headings, hashlib.sha256(html.encode()).hexdigest()[:12]),
        )
    finally:
        del page
        gc.enable()
        gc.collect()  # deleting the objects removes the unpacked fonts in the temporary folder
    return pdf


def _name_headings(name: str, _document: object, pdf: Any) -> None:
    """Make the ids of table headings, to which cells refer, unique among all pieces."""
    for pdf_object in pdf.objects:
        if isinstance(pdf_object, dict) and "ID" in pdf_object:
            pdf_object["ID"].string = f"{name}-{pdf_object['ID'].string}"
