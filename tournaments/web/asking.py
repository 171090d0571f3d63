"""Open pages that ask ``?since=``: one that shows the newest is answered with an empty 204.

Hundreds of pages ask every few seconds, and mostly nothing has happened. So a view says with
:func:`asks` how to find out by one query whether the page shows the newest. The empty answer tells
that a number the page named is still the one, and nothing else. For pages of accounts even that
needs a log-in: after logging out the next question leads to the log-in page, as any page does.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from tournaments.models import Tournament

VIEW_ATTRIBUTE = "shows_the_newest"

_View = Callable[..., HttpResponseBase]


def asks(shows_the_newest: Callable[..., bool]) -> Callable[[_View], _View]:
    """Mark a view whose open pages ask again.

    Args:
        shows_the_newest: gets the request and what the address names, and says whether the page
            of ``?since=`` has nothing to learn; asked before the view looks at anything.
    """

    def declare(view: _View) -> _View:
        @wraps(view)
        def answering(request: HttpRequest, *args: Any, **named: Any) -> HttpResponseBase:
            is_open = request.method == "GET" and "since" in request.GET
            if is_open and shows_the_newest(request, *args, **named):
                return HttpResponse(
                    status=HTTPStatus.NO_CONTENT, headers={"Cache-Control": "no-store"}
                )
            return view(request, *args, **named)

        setattr(answering, VIEW_ATTRIBUTE, shows_the_newest)
        return answering

    return declare


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
