"""Middleware that refuses requests after another laptop has taken over from this one."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.urls import reverse
from django.utils import translation

from romme_site.errors import failure_response
from tournaments.backup import generations


class TakeoverGuard:
    """The first middleware, so that its refusals are not logged as failures."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass the request on, or refuse it with the address of the new server."""
        if not generations.is_replaced() or request.path.startswith(_open_pages()):
            return self.get_response(request)
        with translation.override(translation.get_language_from_request(request)):
            return failure_response(request, generations.refusal(), "replaced.html")


@cache
def _open_pages() -> tuple[str, ...]:
    """Return the addresses that lead to the list of entries that only this laptop has."""
    return ("/healthz", settings.STATIC_URL, reverse("account:login"), reverse("backup:page"))
