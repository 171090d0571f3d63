"""Parts of pages that were drawn for somebody else, but for the hidden fields of their forms.

Whoever shows them again has made sure that they say what is there now: keys of forms mean that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.utils.html import format_html

from tournaments.common.views.counting import FIELD, key_field

NOBODYS = {"csrf_token": "-"}  # for the context that such a part is drawn with
_OTHER = '<input type="hidden" name="csrfmiddlewaretoken" value="{}">'
_FIELDS = re.compile(
    f'{_OTHER.format("-")}<input type="hidden" name="{FIELD}" value="[^"]*" autocomplete="off">'
)


def without_keys(drawn: str) -> tuple[str, ...]:
    """Return a part in pieces, between which the hidden fields of its forms stood."""
    return tuple(_FIELDS.split(drawn))


def with_keys(pieces: Sequence[str], request: HttpRequest) -> str:
    """Return the part with the fields of whoever asks."""
    if len(pieces) == 1:
        return pieces[0]
    token = format_html(_OTHER, get_token(request))
    return pieces[0] + "".join(f"{token}{key_field()}{piece}" for piece in pieces[1:])
