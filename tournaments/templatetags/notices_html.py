"""Notices in words, for every page that shows one."""

from __future__ import annotations

from django import template

from tournaments.models import Notice
from tournaments.notices.queries.notice_texts import NoticeText, texts

register = template.Library()


@register.simple_tag
def notice_text(notice: Notice) -> NoticeText:
    """Return a notice in words; expects its correction to be prefetched."""
    return texts([notice])[0]
