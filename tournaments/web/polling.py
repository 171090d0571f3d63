"""Polling of open pages with ``?since=``: an up-to-date page is answered with an empty 204.

Hundreds of pages poll every few seconds, mostly without a change. So a view marked by
:func:`polled` has a check of one query whether the page is up to date. The empty answer reveals
only that the sent number is current. Pages of accounts need a log-in for it: after logging out
the next poll leads to the log-in page.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from http import HTTPStatus
from typing import Any, TypeVar

from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import Resolver404, resolve

from tournaments.common.raw_sql import REVISION, rows
from tournaments.models import Tournament

VIEW_ATTRIBUTE = "is_up_to_date"

_View = TypeVar("_View", bound=Callable[..., HttpResponseBase])


def polled(is_up_to_date: Callable[..., bool]) -> Callable[[_View], _View]:
    """Mark a view whose open pages poll.

    Args:
        is_up_to_date: gets the request and the arguments of the address, and returns whether
            the page of ``?since=`` is up to date; called before the view.
    """

    def declare(view: _View) -> _View:
        setattr(view, VIEW_ATTRIBUTE, is_up_to_date)
        return view

    return declare


class PollingMiddleware:
    """Middleware: answers polls of marked views; middleware only for pages comes after it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer an open page that is up to date, or pass the request on."""
        is_asked = request.method == "GET" and "since" in request.GET
        if is_asked and _is_up_to_date(request):
            request.get_host()  # refuses an unknown host name
            nothing = HTTPStatus.NO_CONTENT
            return HttpResponse(status=nothing, headers={"Cache-Control": "no-store"})
        return self.get_response(request)


def _is_up_to_date(request: HttpRequest) -> bool:
    try:
        view, args, named = resolved(request.path_info)
    except Resolver404:
        return False
    is_up_to_date = getattr(view, VIEW_ATTRIBUTE, None)
    return bool(is_up_to_date and is_up_to_date(request, *args, **named))


# Pages poll the same addresses all day: those of 250 tables and 1,000 players.
resolved = lru_cache(maxsize=1_500)(resolve)


def revision_of(request: HttpRequest, slug: str, *, is_public: bool) -> int | None:
    """Return the revision of a tournament; one query, and one for the session of an account.

    None if the view must answer: there is no such tournament, or it is visible only to accounts
    and the request has none.
    """
    for revision, status, is_replaced in rows(REVISION, slug):
        is_hidden = status not in Tournament.PUBLIC or is_replaced
        if (is_public and not is_hidden) or SESSION_KEY in request.session:
            return int(revision)
    return None


def _has_revision(request: HttpRequest, slug: str, *, is_public: bool) -> bool:
    return request.GET.get("since") == str(revision_of(request, slug, is_public=is_public))


def is_public_page_current(request: HttpRequest, slug: str, **_named: Any) -> bool:
    """Whether a public page of a tournament shows its newest revision."""
    return _has_revision(request, slug, is_public=True)


def is_staff_page_current(request: HttpRequest, slug: str, **_named: Any) -> bool:
    """Whether a page of the staff shows the newest revision of its tournament."""
    return _has_revision(request, slug, is_public=False)
