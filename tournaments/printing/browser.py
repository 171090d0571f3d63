"""Documents as pages that the browser prints, where the machine can make no PDF.

The same HTML and the same styles as for the PDF. What browsers cannot take from them is the foot
of each page, which is said here in the words that they know, and the numbers of sheets.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape

from django.templatetags.static import static

_LINK = re.compile(r'(?<=<link rel="stylesheet" href=")(css/print/[a-z_]+\.css)(?=">)')
_PICTURE = re.compile(r'(?<=<img src=")(manual/[a-z]+/[a-z_]+\.webp)(?=")')
_WORD = re.compile(r'data-(tournament|made|page|of)="([^"]*)"')
_FIRST_SHEET = '<link rel="stylesheet" href="css/print/document.css">'
_FOOT = """<style>
  @page {{
    @bottom-left {{ content: "{tournament} \\B7  {made}" }}
    @bottom-right {{ content: {number} }}
  }}
  @page sheet {{ @bottom-right {{ content: {number} }} }}
  @page part {{ @bottom-right {{ content: {number} }} }}
</style>"""
_NUMBER = '"{page} " counter(page) " {of} " counter(pages)'


def one_page(pieces: Sequence[str]) -> str:
    """Return the HTML of all *pieces* of a document in one."""
    first, *others = pieces
    before, end_of_body, end = first.rpartition("</body>")
    return f"{before}{''.join(map(_body, others))}{end_of_body}{end}"


def _body(html: str) -> str:
    return html.partition("<body")[2].partition(">")[2].rpartition("</body>")[0]


def for_browser(html: str, *, head: str, bar: str) -> str:
    """Return the page of a document as a browser shows and prints it.

    Args:
        html: as :func:`one_page` gives it.
        head: what the head of the page has beside it.
        bar: what stands above the paper, and is not printed.
    """
    words = {name: _in_css(unescape(word)) for name, word in _WORD.findall(html[:4000])}
    number = _NUMBER.format(page=words["page"], of=words["of"])
    foot = _FOOT.format(tournament=words["tournament"], made=words["made"], number=number)
    # Before the sheets of the document itself: some have no foot.
    html = html.replace(_FIRST_SHEET, f"{_FIRST_SHEET}\n{foot}", 1)
    for named in (_LINK, _PICTURE):
        html = named.sub(lambda found: static(found[1]), html)
    html = html.replace("</head>", f"{head}</head>", 1)
    # Where it is wider than the screen it can be rolled, by keys too.
    start = f'{bar}<main class="paper" tabindex="0">'
    html = re.sub("<body[^>]*>", lambda found: found[0] + start, html, count=1)
    return html.replace("</body>", "</main></body>")


def _in_css(text: str) -> str:
    """Return *text* as it may stand between quotation marks in a style."""
    return re.sub(r"[^\w .,:-]", lambda found: f"\\{ord(found[0]):x} ", text)
