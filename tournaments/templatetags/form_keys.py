"""``{% csrf_token %}``, with a key beside it: no form can have the one without the other.

The key makes what the form sends count once, see ``common/submissions.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template
from django.template.defaulttags import CsrfTokenNode

from tournaments.web.counting import key_field

if TYPE_CHECKING:
    from django.template.base import Parser, Token
    from django.template.context import Context

register = template.Library()


class FormKeysNode(CsrfTokenNode):
    """The hidden fields that every form of the program begins with."""

    def render(self, context: Context) -> Any:
        """Return both; nothing where Django has no token, as outside a request."""
        token = super().render(context)
        if not token:
            return token
        return token + key_field()


@register.tag
def csrf_token(_parser: Parser, _token: Token) -> FormKeysNode:
    """Take the place of Django's tag; ``settings.TEMPLATES`` makes it known everywhere."""
    return FormKeysNode()
