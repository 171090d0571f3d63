"""The link from a page to its chapter of the manual."""

from __future__ import annotations

from django import template
from django.template.context import Context
from django.urls import reverse

from tournaments.manual.contents import slug_about

register = template.Library()


@register.simple_tag(takes_context=True)
def manual_url(context: Context) -> str:
    """Return the address of the chapter about the current page; of the contents if none is."""
    match = getattr(context.get("request"), "resolver_match", None)
    slug = slug_about(match.view_name) if match else None
    if slug is None:
        return reverse("manual:contents")
    return reverse("manual:chapter", args=[slug])
