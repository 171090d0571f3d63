"""The short way for what the scripts of tables send and ask: hundreds of them in the same second.

Session, log-in, messages and the rest that pages need is out of their way. What is around every
request stays: its id, the watch over failures, the headers that protect, the refusal of what no
person can send. No form token is asked for: the address is a secret, the device proves itself by
a cookie that other sites cannot send along, and no form can send JSON.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import cast

from csp.constants import HEADER
from csp.utils import build_policy
from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import resolve
from django.utils import translation

from romme_site.watching import remember_problem
from romme_site.whole_requests import WholeRequests

ADDRESSES = re.compile("/tisch/[^/]+/(?:stand|senden)/")


class Lane:
    """Middleware: answers these addresses itself, so that what comes after it is for pages only."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._pages = get_response
        answer = convert_exception_to_response(WholeRequests(_view))
        self._answer = cast(Callable[[HttpRequest], HttpResponse], answer)
        self._policy = build_policy() or ""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, or hand on what is no address of the lane."""
        if not ADDRESSES.fullmatch(request.path_info):
            return self._pages(request)
        answer = self._answer(request)
        answer.headers[HEADER] = self._policy
        answer.headers["Cache-Control"] = "no-store"
        answer.headers["Content-Length"] = str(len(answer.content))
        return answer


_resolved = lru_cache(maxsize=4096)(resolve)  # a table asks by the same addresses all day


def _view(request: HttpRequest) -> HttpResponse:
    request.get_host()  # refuses a name that is not ours
    translation.activate(translation.get_language_from_request(request))
    match = request.resolver_match = _resolved(request.path_info)
    try:
        response: HttpResponse = match.func(request, *match.args, **match.kwargs)
    except Exception as problem:
        remember_problem(request, problem)
        raise
    return response
