"""Compression of public pages as they are opened."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

from tournaments.web.access import VIEW_ATTRIBUTE

_SECRETS = {"token", "key"}  # names in addresses that open more than public pages
_TEXTS = ("text/", "application/json", "application/atom+xml")


class Light(GZipMiddleware):
    """Compresses public pages that have nothing of one browser.

    The length of a compressed page tells something about its content to whoever can add words
    to the address (BREACH). So a page is left as it is if it was asked with a session, by an
    address with a secret, or with a form: then it sets the cookie of its token. What open pages
    ask for is compressed where it is cached (`web.shared.published_once`).
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Compress the answer if everybody gets the same."""
        if not _is_for_everybody(request) or response.cookies or response.streaming:
            return response
        if not response.headers.get("Content-Type", "").startswith(_TEXTS):
            return response
        return super().process_response(request, response)


def _is_for_everybody(request: HttpRequest) -> bool:
    found = request.resolver_match
    if found is None or settings.SESSION_COOKIE_NAME in request.COOKIES:
        return False
    access = getattr(found.func, VIEW_ATTRIBUTE, None)
    return access is not None and access.kind == "public" and not _SECRETS & found.kwargs.keys()
