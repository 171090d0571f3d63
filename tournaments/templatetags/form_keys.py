"""``{% csrf_token %}``, with a key beside it: no form can have the one without the other.

The key makes what the form sends count once, see ``common/submissions.py``.
"""

from __future__ import annotations

from django import template
from django.template.context import Context
from django.utils.html import format_html

from tournaments.web.idempotency import key_field

register = template.Library()


@register.simple_tag(takes_context=True)
def csrf_token(context: Context) -> str:
    """Return the hidden fields that every form begins with; nothing outside a request.

    Takes the place of Django's tag; ``settings.TEMPLATES`` makes it known everywhere.
    """
    token = context.get("csrf_token")
    if not token:
        return ""
    field = '<input type="hidden" name="csrfmiddlewaretoken" value="{}">{}'
    return format_html(field, token, key_field())
