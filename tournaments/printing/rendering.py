"""HTML to PDF. Runs in processes of its own and knows nothing of Django.

Each of them imports WeasyPrint, which takes half a second and 100 MB: the server never does.
"""

from __future__ import annotations

import atexit
import gc
import hashlib
import re
from collections.abc import Callable
from contextlib import nullcontext
from functools import lru_cache, partial
from types import FunctionType
from typing import Any
from xml.etree.ElementTree import Element, ParseError, fromstring

from tournaments.machine import systems as machine

# A print of 250 lists must not keep those waiting who use the pages meanwhile: the last in
# line still gets all that nobody else wants.
NICER = 19
# Places in a frame: Python makes room for twice as many, which is enough for all that WeasyPrint
# calls in one another.
ROOM = 9000
# What HTML leaves open, and XML does not.
OPEN = re.compile(r"<((?:br|col|img|link|meta)\b[^>]*)>")

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
    """Return WeasyPrint's page as it is quickest for our documents.

    Its sheet for what elements are is our own, read once: the one for all of HTML matches seven
    things to each element, which takes longer than to lay out the text of a cell.
    """
    from weasyprint import CSS, HTML, cssselect2  # noqa: PLC0415 - see above
    from weasyprint.urls import path2url  # noqa: PLC0415 - see above

    elements = [CSS(filename=f"{static}/css/print/elements.css")]
    _lay_out_once()
    _draw_through()

    class Page(HTML):  # type: ignore[misc]
        def __init__(self, html: str, fetcher: Any) -> None:
            base = path2url(f"{static}/")
            try:
                self.etree_element = tree(html)
            except ParseError:  # a name with a letter that XML does not have
                super().__init__(string=html, base_url=base, url_fetcher=fetcher)
                return
            self.base_url, self.url_fetcher, self.media_type = base, fetcher, "print"
            self.wrapper_element = cssselect2.ElementWrapper.from_html_root(self.etree_element)

        def _ua_stylesheets(self, forms: bool = False) -> list[CSS]:  # noqa: ARG002
            return elements

    return Page


def tree(html: str) -> Element:
    """Return the elements of one of our documents, read as XML: it takes a tenth of the time.

    Raises:
        xml.etree.ElementTree.ParseError: if it is none, even with all that HTML leaves open closed.
    """
    html = html.removeprefix("<!doctype html>")
    html = html.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ')
    return fromstring(OPEN.sub(r"<\1/>", html))  # noqa: S314 - our own templates


def _lay_out_once() -> None:
    """Have a text that fits in its line laid out once for all cells of its style, and drawn so.

    WeasyPrint lets go of each layout and makes it again to draw it; the texts of lists are few.
    """
    from weasyprint.layout import inline, preferred  # noqa: PLC0415 - see above
    from weasyprint.text.line_break import Layout, split_first_line  # noqa: PLC0415 - see above

    reactivate = Layout.reactivate

    def again(layout: Any, style: Any) -> None:
        if layout.justification_spacing:
            reactivate(layout, style)

    def once(text: str, style: Any, context: Any, width: Any, spacing: Any, **line: Any) -> Any:
        lines = vars(style).setdefault("lines", {})
        if not spacing and text in lines and (width is None or lines[text][3] <= width):
            return lines[text]
        found = split_first_line(text, style, context, width, spacing, **line)
        _layout, _length, goes_on_at, own_width, *_heights = found
        if not spacing and goes_on_at is None and width is not None and own_width <= width:
            lines[text] = found
        return found

    Layout.deactivate, Layout.reactivate = lambda _layout: None, again
    inline.split_first_line = preferred.split_first_line = once


class _Lines(dict[Any, list[tuple[float, float]]]):
    """Stands for a page while a table draws its borders: from where to where each line goes."""

    stacked = artifact = nullcontext


def _draw_through() -> None:
    """Have the lines of a table drawn from end to end, and not anew at each cell."""
    from weasyprint import draw  # noqa: PLC0415 - see above

    cell_by_cell, draw_line = draw.draw_collapsed_borders, draw.draw_line

    def noted(page: Any, *line: Any) -> None:
        if not isinstance(page, _Lines):
            draw_line(page, *line)
            return
        x, y, to_x, to_y, *looks = line
        is_upright = x == to_x
        key = (*looks, is_upright, x if is_upright else y)
        page.setdefault(key, []).append((y, to_y) if is_upright else (x, to_x))

    def through(page: Any, table: Any) -> None:
        lines = _Lines()
        cell_by_cell(lines, table)
        with page.artifact(), page.stacked():
            for (*looks, is_upright, at), parts in lines.items():
                for start, end in _joined(parts):
                    ends = (at, start, at, end) if is_upright else (start, at, end, at)
                    draw_line(page, *ends, *looks)

    draw.draw_collapsed_borders, draw.draw_line = through, noted


def _joined(parts: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the same line in as few parts as it has.

    >>> _joined([(2, 4), (0, 2), (5, 6)])
    [(0, 4), (5, 6)]
    """
    whole: list[tuple[float, float]] = []
    for start, end in sorted(parts):
        if whole and start <= whole[-1][1]:
            begun, until = whole.pop()
            whole.append((begun, max(until, end)))
        else:
            whole.append((start, end))
    return whole


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
        page = _page_class(static)(html, fetcher)
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
