"""The frame of a table: a region that scrolls by itself, with its name for screen readers."""

from __future__ import annotations

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


@register.simple_block_tag
def table(content: str, css: str = "", **names: str) -> SafeString:
    """Frame a table; between the tags are the cells of its heading, then ``<tbody>``.

    *names* are ``caption``, with ``caption_id`` if the region is named by it; ``labelledby``, the
    id of a heading; ``label``; and ``card``, further classes of the frame.
    """
    heading, tbody, rows = content.partition("<tbody")
    parts = {"heading": mark_safe(heading), "rows": mark_safe(tbody + rows)}  # noqa: S308 - rendered
    return render_to_string("components/table.html", {"css": css, **names, **parts})
