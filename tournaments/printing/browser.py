"""Documents as pages for the browser to print, on machines that cannot make PDFs.

HTML and styles are those of the PDF. Browsers do not support its styles for the foot of each
page and the numbers of sheets, so these are replaced here.
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
    """Return the page of a document for display and print by a browser.

    Args:
        html: from :func:`one_page`.
        head: further HTML for the head of the page.
        bar: HTML above the paper, which is not printed.
    """
    words = {name: _in_css(unescape(word)) for name, word in _WORD.findall(html[:4000])}
    number = _NUMBER.format(page=words["page"], of=words["of"])
    foot = _FOOT.format(tournament=words["tournament"], made=words["made"], number=number)
    # Before the styles of the document itself, because some have no foot.
    html = html.replace(_FIRST_SHEET, f"{_FIRST_SHEET}\n{foot}", 1)
    for named in (_LINK, _PICTURE):
        html = named.sub(lambda match: static(match[1]), html)
    html = html.replace("</head>", f"{head}</head>", 1)
    # A page wider than the screen can be scrolled, also by keyboard.
    start = f'{bar}<main class="paper" tabindex="0">'
    html = re.sub("<body[^>]*>", lambda match: match[0] + start, html, count=1)
    return html.replace("</body>", "</main></body>")


def _in_css(text: str) -> str:
    """Return *text* escaped for a quoted string in CSS."""
    return re.sub(r"[^\w .,:-]", lambda match: f"\\{ord(match[0]):x} ", text)
