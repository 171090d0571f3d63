"""The template backend, which keeps „§“ and its number on one line."""

from __future__ import annotations

import re
from typing import Any

from django.http import HttpRequest
from django.template.backends.django import DjangoTemplates
from django.utils.safestring import SafeString, mark_safe

_SIGN = re.compile("§ ")
# Typed text is shown as it was typed, and scripts compare texts.
_UNCHANGED_ELEMENTS = ("textarea", "script")


def keep_paragraphs_whole(html: str) -> SafeString:
    """Return *html* with a no-break space between each „§“ and its number.

    Attributes, text fields and scripts are left as they are.

    >>> keep_paragraphs_whole('<p title="§ 1">§ 2.2 und §§ 3, 4</p>').replace(chr(160), "~")
    '<p title="§ 1">§~2.2 und §§~3, 4</p>'
    """

    def kept(sign: re.Match[str]) -> str:
        return "§\N{NO-BREAK SPACE}" if _is_text(html, sign.start()) else sign[0]

    return mark_safe(_SIGN.sub(kept, html) if "§ " in html else html)  # noqa: S308 - adds a space only


def _is_text(html: str, place: int) -> bool:
    """Whether a place is text, neither in a tag nor in an element that stays unchanged."""

    def is_within(begin: str, end: str) -> bool:
        return html.rfind(begin, 0, place) > html.rfind(end, 0, place)

    if is_within("<", ">"):
        return False
    return not any(is_within(f"<{name}", f"</{name}") for name in _UNCHANGED_ELEMENTS)


class _Template:
    """A template of Django for pages, parts of pages, paper and mails."""

    def __init__(self, template: Any) -> None:
        self._template = template

    def __getattr__(self, name: str) -> Any:
        return getattr(self._template, name)

    def render(
        self, context: dict[str, Any] | None = None, request: HttpRequest | None = None
    ) -> SafeString:
        return keep_paragraphs_whole(self._template.render(context, request))


class Templates(DjangoTemplates):
    """Django's backend, whose templates keep paragraphs whole."""

    def from_string(self, template_code: str) -> Any:
        """Return a template made of *template_code*."""
        return _Template(super().from_string(template_code))

    def get_template(self, template_name: str) -> Any:
        """Return the template, or the part of one, of that name."""
        return _Template(super().get_template(template_name))
