"""Parts of pages that were drawn for somebody else, but for the hidden fields of their forms.

Whoever shows them again has made sure that they say what is there now: keys of forms mean that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware, get_token
from django.utils.html import format_html

from tournaments.web.counting import FIELD, key_field

NOBODYS = {"csrf_token": "-"}  # for the context that such a part is drawn with
_OTHER = '<input type="hidden" name="csrfmiddlewaretoken" value="{}">'
_FIELDS = re.compile(
    f'{_OTHER.format("-")}<input type="hidden" name="{FIELD}" value="[^"]*" autocomplete="off">'
)


_TOKENS = CsrfViewMiddleware(lambda _request: HttpResponse())


def has_token(request: HttpRequest) -> bool:
    """Whether a browser has the cookie that goes with form tokens; looked at without middleware."""
    _TOKENS.process_request(request)
    return "CSRF_COOKIE" in request.META and "CSRF_COOKIE_NEEDS_UPDATE" not in request.META


def without_keys(drawn: str) -> tuple[bytes, ...]:
    """Return a part in pieces as they are sent, between which the fields of its forms stood."""
    return tuple(piece.encode() for piece in _FIELDS.split(drawn))


def with_keys(pieces: Sequence[bytes], request: HttpRequest) -> bytes:
    """Return the part with the fields of whoever asks."""
    if len(pieces) == 1:
        return pieces[0]
    token = format_html(_OTHER, get_token(request))
    fields = (f"{token}{key_field()}".encode() for _form in pieces[1:])
    return b"".join([pieces[0], *chain(*zip(fields, pieces[1:], strict=True))])
