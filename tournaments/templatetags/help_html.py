"""The „?“ beside a word that a newcomer does not know."""

from __future__ import annotations

from django import template

from tournaments.common.texts import Paragraph
from tournaments.manual.contents import words

register = template.Library()


@register.inclusion_tag("components/help.html", name="help")
def help_(word: str) -> dict[str, Paragraph | None]:
    """Show what a word of the manual's ``words.md`` means, folded up; nothing for any other.

    ``{% help "startkarte" %}``
    """
    return {"word": words().get(word)}
