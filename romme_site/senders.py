"""Questions about the sender of a request, before its body is read."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.handlers.wsgi import WSGIRequest
from django.db import close_old_connections
from django.http import HttpRequest, HttpResponse

from tournaments.machine.addresses import throttled_address

Environ = dict[str, Any]


def address_of(environ: Environ) -> str:
    """Return the network address, of which one person or household has one."""
    return throttled_address(WSGIRequest(environ))


def has_account(environ: Environ) -> bool:
    """Whether the request comes with the session of an account; reads no body."""
    close_old_connections()  # as Django does when a request begins
    request = WSGIRequest(environ)
    SessionMiddleware(_nothing).process_request(request)
    return get_user(request).is_authenticated


def _nothing(_request: HttpRequest) -> HttpResponse:
    return HttpResponse()
