"""Checks of the sender of a request before it is read or queued; they run in threads."""

from __future__ import annotations

from enum import Enum, auto
from typing import Any

from axes.handlers.proxy import AxesProxyHandler
from django.contrib.auth import get_user
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.exceptions import BadRequest, SuspiciousOperation
from django.core.handlers.wsgi import WSGIRequest
from django.db import DatabaseError, close_old_connections
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError

from romme_site.text_validation import TextValidationMiddleware
from tournaments.accounts.forms import attempted_username
from tournaments.accounts.throttling import has_logged_in_from
from tournaments.machine.addresses import throttled_address

Environ = dict[str, Any]

RECEIVED = "romme.received"  # in an environ: the monotonic seconds at which it waits for a thread


def _request_of(environ: Environ) -> WSGIRequest:
    # A copy, because Django rewrites the path in the dictionary, which is used again.
    return WSGIRequest(dict(environ))


class LoginStanding(Enum):
    """The treatment of a log-in."""

    REFUSED = auto()  # no password is checked
    KNOWN = auto()  # the account has logged in from the address before
    STRANGER = auto()


def address_of(environ: Environ) -> str:
    """Return the network address; a person or household has one."""
    return throttled_address(_request_of(environ))


def has_account(environ: Environ) -> bool:
    """Whether the request comes with the session of an account; reads no body."""
    close_old_connections()  # as Django does when a request begins
    request = _request_of(environ)
    SessionMiddleware(_nothing).process_request(request)
    return get_user(request).is_authenticated


def login_standing(environ: Environ) -> tuple[LoginStanding, str]:
    """Return the treatment of a log-in, and its sender: the address, or the account at it."""
    request = _request_of(environ)
    address = throttled_address(request)
    try:
        TextValidationMiddleware(_nothing)(request)
        name = attempted_username(request, None)
        is_refused = not AxesProxyHandler.is_allowed(request)
        is_known = not is_refused and has_logged_in_from(address, name)
    except (BadRequest, SuspiciousOperation, MultiPartParserError, DatabaseError):
        # Django will fail in the same way and answer with a page, or reconnect in the meantime.
        return LoginStanding.REFUSED, address
    finally:
        environ["wsgi.input"].seek(0)
    if is_known:
        return LoginStanding.KNOWN, f"{address} {name}"
    return LoginStanding.REFUSED if is_refused else LoginStanding.STRANGER, address


def _nothing(_request: HttpRequest) -> HttpResponse:
    return HttpResponse()
