"""Sums of the cash book, on pages and on paper."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.http import urlencode

from scoring.money import euro

register = template.Library()


@register.simple_tag
def book_sum(cents: int, book_url: str, **selected: str | int) -> str:
    """Return a sum, as a link to its receipts in the cash book if there is a *book_url*."""
    if not book_url:
        return euro(cents)
    return format_html('<a href="{}?{}">{}</a>', book_url, urlencode(selected), euro(cents))
