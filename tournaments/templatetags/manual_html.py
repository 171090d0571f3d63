"""Links to the manual: to its contents and the chapter of a page, and „?“ with a word's meaning."""

from __future__ import annotations

from django import template
from django.template.context import Context
from django.urls import reverse

from tournaments.common.texts import Paragraph
from tournaments.manual.contents import slug_about, words

register = template.Library()


@register.simple_tag(takes_context=True)
def manual_url(context: Context) -> str:
    """Return the address of the contents, with the chapter about the current page on top."""
    match = getattr(context.get("request"), "resolver_match", None)
    slug = slug_about(match.view_name) if match else None
    return reverse("manual:contents") + (f"?zu={slug}" if slug else "")


@register.inclusion_tag("components/help.html", name="help")
def help_(word: str) -> dict[str, Paragraph | None]:
    """Show the folded explanation of a word in the manual's ``words.md``; nothing for others.

    ``{% help "startkarte" %}``
    """
    return {"word": words().get(word)}
