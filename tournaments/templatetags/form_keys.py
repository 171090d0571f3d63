"""The tag ``{% csrf_token %}``, which also adds the idempotency key of a form.

The key makes the submission idempotent, see ``common/submissions.py``.
"""

from __future__ import annotations

from django import template
from django.template.context import Context
from django.utils.html import format_html

from tournaments.web.idempotency import key_field

register = template.Library()


@register.simple_tag(takes_context=True)
def csrf_token(context: Context) -> str:
    """Return the hidden fields at the beginning of every form; nothing outside a request.

    It replaces Django's tag; ``settings.TEMPLATES`` makes it a builtin.
    """
    token = context.get("csrf_token")
    if not token:
        return ""
    field = '<input type="hidden" name="csrfmiddlewaretoken" value="{}">{}'
    return format_html(field, token, key_field())
