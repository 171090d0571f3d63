"""The „?“ with the explanation of a technical term."""

from __future__ import annotations

from django import template

from tournaments.common.texts import Paragraph
from tournaments.manual.contents import words

register = template.Library()


@register.inclusion_tag("components/help.html", name="help")
def help_(word: str) -> dict[str, Paragraph | None]:
    """Show the meaning of a word of the manual's ``words.md``, folded; nothing for other words.

    ``{% help "startkarte" %}``
    """
    return {"word": words().get(word)}
