"""Open pages that ask ``?since=``: one that shows the newest is answered with an empty 204.

Hundreds of pages ask every few seconds, and mostly nothing has happened. So a view says with
:func:`asks` how to find out by one query whether the page shows the newest. The empty answer tells
that a number the page named is still the one, and nothing else. For pages of accounts even that
needs a log-in: after logging out the next question leads to the log-in page, as any page does.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from http import HTTPStatus
from typing import Any, TypeVar

from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import Resolver404, resolve

from tournaments.models import Tournament

VIEW_ATTRIBUTE = "shows_the_newest"

_View = TypeVar("_View", bound=Callable[..., HttpResponseBase])


def asks(shows_the_newest: Callable[..., bool]) -> Callable[[_View], _View]:
    """Mark a view whose open pages ask again.

    Args:
        shows_the_newest: gets the request and what the address names, and says whether the page
            of ``?since=`` has nothing to learn; asked before the view looks at anything.
    """

    def declare(view: _View) -> _View:
        setattr(view, VIEW_ATTRIBUTE, shows_the_newest)
        return view

    return declare


class NothingNew:
    """Middleware: answers for a marked view; what only pages need comes after it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer an open page that shows the newest, or hand the request on."""
        is_asked = request.method == "GET" and "since" in request.GET
        if is_asked and _shows_the_newest(request):
            request.get_host()  # refuses a name that is not ours
            nothing = HTTPStatus.NO_CONTENT
            return HttpResponse(status=nothing, headers={"Cache-Control": "no-store"})
        return self.get_response(request)


def _shows_the_newest(request: HttpRequest) -> bool:
    try:
        view, args, named = _resolved(request.path_info)
    except Resolver404:
        return False
    shows_the_newest = getattr(view, VIEW_ATTRIBUTE, None)
    return bool(shows_the_newest and shows_the_newest(request, *args, **named))


# Pages ask by the same addresses all day: those of 250 tables and 1,000 players.
_resolved = lru_cache(maxsize=1_500)(resolve)


def revision_of(request: HttpRequest, slug: str, *, is_public: bool) -> int | None:
    """Return the revision of a tournament; one query, and one for the session of an account.

    None if the view has to say what there is: there is no such tournament, or only accounts may
    know of it and nobody is logged in.
    """
    found = Tournament.objects.filter(slug=slug).order_by()
    for revision, status, replaced_at in found.values_list("revision", "status", "replaced_at"):
        is_hidden = status == Tournament.Status.DRAFT or replaced_at is not None
        if (is_public and not is_hidden) or SESSION_KEY in request.session:
            return revision
    return None


def _has_revision(request: HttpRequest, slug: str, *, is_public: bool) -> bool:
    return request.GET.get("since") == str(revision_of(request, slug, is_public=is_public))


def of_everybody(request: HttpRequest, slug: str, **_named: Any) -> bool:
    """Whether a public page of a tournament shows its newest revision."""
    return _has_revision(request, slug, is_public=True)


def of_staff(request: HttpRequest, slug: str, **_named: Any) -> bool:
    """Whether a page of the staff shows the newest revision of its tournament."""
    return _has_revision(request, slug, is_public=False)
