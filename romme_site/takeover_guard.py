"""Middleware of a laptop from which another one has taken over: it takes nothing any more."""

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
    """The first, because what is refused so is no failure of the program to be noted."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass the request on, or say where it goes on."""
        if not generations.is_replaced() or request.path.startswith(_open_pages()):
            return self.get_response(request)
        with translation.override(translation.get_language_from_request(request)):
            return failure_response(request, generations.refusal(), "replaced.html")


@cache
def _open_pages() -> tuple[str, ...]:
    """Return the addresses that lead to the list of what this laptop alone has taken."""
    return ("/healthz", settings.STATIC_URL, reverse("account:login"), reverse("backup:page"))
