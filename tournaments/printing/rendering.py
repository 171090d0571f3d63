"""HTML to PDF. Runs in processes of its own and knows nothing of Django.

Each of them imports WeasyPrint, which takes half a second and 100 MB: the server never does.
"""

from __future__ import annotations

import atexit
import gc
import hashlib
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache, partial
from types import FunctionType
from typing import Any

from tournaments.common import machine

# A print of 250 lists must not keep those waiting who use the pages meanwhile: the last in
# line still gets all that nobody else wants.
NICER = 19
# Places in a frame: Python makes room for twice as many, which is enough for all that WeasyPrint
# calls in one another.
ROOM = 9000

Rendering = Callable[[str, str, str], bytes]


class NoPangoError(Exception):
    """This machine has no library that lays out text; without it there is no PDF."""


def be_nice() -> None:
    """Step back behind the server, and end with the job; called in each process of the pool."""
    machine.step_back(NICER)
    machine.end_with_parent()


@lru_cache(maxsize=1)
def fonts() -> Any:
    """Return the fonts of this process: unpacking them takes as long as two pages do."""
    from weasyprint.text.fonts import FontConfiguration  # noqa: PLC0415 - see above

    # The unpacked files go when the fonts do. Left to the end of the process that would be
    # too late: what removes files is gone by then, so they would stay.
    atexit.register(_forget_fonts)
    return FontConfiguration()


def _forget_fonts() -> None:
    fonts.cache_clear()
    gc.collect()  # pages refer to fonts, and to each other


@lru_cache(maxsize=1)
def _page_class(static: str) -> Any:
    """Return WeasyPrint's page with our own sheet for what elements are, read once.

    The one for all of HTML matches seven things to each element, which takes longer than to
    lay out the text of a cell.
    """
    from weasyprint import CSS, HTML  # noqa: PLC0415 - see above

    elements = [CSS(filename=f"{static}/css/print/elements.css")]

    class Page(HTML):  # type: ignore[misc]
        def _ua_stylesheets(self, forms: bool = False) -> list[CSS]:  # noqa: ARG002
            return elements

    return Page


def load(static: str) -> None:
    """Read what every page needs, while its HTML is being written.

    What is missing is said when there is something to render.
    """
    machine.find_pango()
    with suppress(ImportError, OSError):
        fonts()
        _page_class(static)


def _with_room(act: Rendering) -> Rendering:
    """Return *act* with a frame so large that those of all it calls lie beside it.

    Python asks the system for 16 KB when the frames so far are full, and gives them back as soon
    as the call returns. Where WeasyPrint crosses such a border for each cell, a list takes up to
    a fifth longer; whether it does depends on how many calls lead there.
    """
    return FunctionType(act.__code__.replace(co_stacksize=ROOM), globals())


@_with_room
def render(html: str, static: str, variant: str) -> bytes:
    """Return a PDF with title, language and embedded fonts, and with tags if it is to be read.

    It has no ID yet: for one WeasyPrint would write all of it twice.

    Args:
        html: a whole page; styles and images are named relative to *static*.
        static: folder of the static files; nothing is loaded from elsewhere.
        variant: the kind of PDF by WeasyPrint's name, as "pdf/ua-1"; "" for pages without
            tags, to lay over others.

    Raises:
        NoPangoError: if the system lacks what WeasyPrint draws with.
    """
    machine.find_pango()
    try:
        from weasyprint.urls import URLFetcher  # noqa: PLC0415 - only where it is used, see above
    except (ImportError, OSError) as problem:
        raise NoPangoError(str(problem)) from None

    fetcher = URLFetcher(allowed_protocols={"file", "data"}, fail_on_errors=True)
    # Nothing that is made for a page can be let go before it is drawn: to look for it among
    # millions of objects takes a quarter of the time.
    gc.disable()
    try:
        page = _page_class(static)(string=html, base_url=f"{static}/", url_fetcher=fetcher)
        pdf: bytes = page.write_pdf(
            font_config=fonts(),
            pdf_variant=variant or None,
            pdf_tags=bool(variant),
            pdf_identifier=False,
            finisher=partial(_name_heads, hashlib.sha256(html.encode()).hexdigest()[:12]),
        )
    finally:
        gc.enable()
    return pdf


def _name_heads(name: str, _document: object, pdf: Any) -> None:
    """Give the heads of tables names that no other part of a PDF has: cells refer to them."""
    for one in pdf.objects:
        if isinstance(one, dict) and "ID" in one:
            one["ID"].string = f"{name}-{one['ID'].string}"
