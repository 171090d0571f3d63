"""Middleware that refuses requests with characters that cannot be stored."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponseBase

_UTF_8 = {"utf-8", "utf8"}
# PostgreSQL stores no NUL; lone surrogates can be neither stored nor shown.
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def without_charset(content_type: str) -> str:
    """Return the type of a body without its charset, which must be UTF-8.

    Django also decodes the address by the charset, while it builds the request, where an
    exception gets no answer.

    Raises:
        BadRequest: if the body has another encoding.
    """
    kind, *named = content_type.split(";")
    parts = [kind]
    for parameter in named:
        name, _equals, value = parameter.partition("=")
        if name.strip().rstrip("*").lower() != "charset":
            parts.append(parameter)
        elif value.strip(' "').lower() not in _UTF_8:
            raise BadRequest("another encoding than UTF-8")
    return ";".join(parts)


class TextValidationMiddleware:
    """Passes on requests whose texts can be stored; Django answers others with 400."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Check the texts of the request, and pass it on.

        Raises:
            BadRequest: if a text has a character that cannot be stored.
        """
        # Other encodings could contain them, for instance Python's "unicode_escape".
        if (request.content_params or {}).get("charset", "utf-8").lower() not in _UTF_8:
            raise BadRequest("another encoding than UTF-8")
        if any(_UNSTORABLE.search(text) for text in _texts(request)):
            raise BadRequest("a character that is in no text")
        return self.get_response(request)


def _texts(request: HttpRequest) -> Iterator[str]:
    yield request.path
    for name, value in request.COOKIES.items():
        yield from (name, value)
    for sent in (request.GET, request.POST):
        for name, values in sent.lists():
            yield name
            yield from map(str, values)
