"""The „?“ beside a word that a newcomer does not know."""

from __future__ import annotations

from django import template

from tournaments.manual.words import WORDS, Word

register = template.Library()


@register.inclusion_tag("components/help.html", name="help")
def help_(word: str) -> dict[str, Word | None]:
    """Show what a word of ``manual/words.py`` means, folded up; nothing for one that needs none.

    ``{% help "startkarte" %}``
    """
    return {"word": WORDS.get(word)}
