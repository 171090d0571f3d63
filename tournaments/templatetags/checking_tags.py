"""Filters for the effects of a correction: before, an arrow, after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from tournaments.common.formats import points

register = template.Library()
T = TypeVar("T")


@register.filter
def of(mapping: Mapping[int, T], key: int) -> T | str:
    """Return the value of a key, or ""."""
    return mapping.get(key, "")


@register.simple_tag
def before_after(values: Sequence[int | None], *, rank: bool = False) -> SafeString:
    """Return two values with an arrow between them, or only one if they are equal.

    >>> str(before_after((3, 2), rank=True)).count("3.")
    1
    """
    old, new = (_shown(value, is_rank=rank) for value in values)
    if old == new:
        return format_html("{}", new)
    return format_html(
        '<span class="turn"><span class="was">{}</span> <span aria-hidden="true">→</span>'
        '<span class="visually-hidden"> {} </span> <strong>{}</strong></span>',
        old,
        _("wird"),
        new,
    )


def _shown(value: int | None, *, is_rank: bool) -> str:
    if value is None:
        return "–"
    return f"{value}." if is_rank else points(value)
