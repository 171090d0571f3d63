"""Open pages that ask ``?since=``: nothing new is said before anything else is looked at.

Hundreds of pages ask every few seconds, and mostly nothing has happened. So a view says with
:func:`asks` how to find out by one statement whether the page shows the newest, and
:class:`NothingNew` asks it before sessions, messages, the form token and the account are looked
at. The empty answer tells whoever gets it that a number they named is still the one, and nothing
else. An answer that is the same for everybody, and was made for the same revision, is given there
too, and so is one that needs no session. Of what only accounts may know even that is for a browser
that has a session, so whoever logged out is led to the log-in the next time the page asks, as from
any page.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, TypeVar

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import Resolver404, resolve
from django.utils import timezone
from django.utils.translation import get_language_from_request, override

from tournaments.common.views.shared import asks_again, keep_whole, kept_whole
from tournaments.models.prepared import cursor

VIEW_ATTRIBUTE = "shows_the_newest"
WITHOUT_SESSION = "without_session"
EVERYBODYS = "romme.revision"  # of a tournament that everybody may know of, in a request

_View = TypeVar("_View", bound=Callable[..., HttpResponseBase])

# A draft, and what an archive took the place of, are there for accounts only.
_REVISION = """
SELECT revision, status <> 'draft' AND replaced_at IS NULL
FROM tournaments_tournament WHERE slug = %s
AND (%s AND status <> 'draft' AND replaced_at IS NULL OR EXISTS
  (SELECT 1 FROM django_session WHERE session_key = %s AND expire_date > %s))
"""


def asks(
    shows_the_newest: Callable[..., bool],
    *,
    without_session: Callable[..., str | None] | None = None,
) -> Callable[[_View], _View]:
    """Mark a view whose open pages ask again; both get the request and what the address names.

    Args:
        shows_the_newest: says whether the page of ``?since=`` has nothing to learn, and is asked
            before anything is known of who asks.
        without_session: returns what the view would answer then, where the address alone opens
            the page; None where a session or a form token is needed.
    """

    def declare(view: _View) -> _View:
        setattr(view, VIEW_ATTRIBUTE, shows_the_newest)
        setattr(view, WITHOUT_SESSION, without_session)
        return view

    return declare


class NothingNew:
    """Middleware: answers an open page at once where its view knows of nothing new."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self._headers: dict[object, dict[str, str]] = {}  # by what answers, and the language

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer with 204, or hand the request on."""
        if request.method == "GET" and "since=" in request.META.get("QUERY_STRING", ""):
            try:
                match = resolve(request.path_info)
            except Resolver404:
                return self.get_response(request)
            shows_the_newest = getattr(match.func, VIEW_ATTRIBUTE, None)
            if shows_the_newest and shows_the_newest(request, *match.args, **match.kwargs):
                request.get_host()  # refuses a name that is not ours
                return HttpResponse(
                    status=HTTPStatus.NO_CONTENT, headers={"Cache-Control": "no-store"}
                )
            if (revision := request.META.get(EVERYBODYS)) is not None:
                return self._of_everybody(request, revision)
            without_session = getattr(match.func, WITHOUT_SESSION, None)
            if without_session and asks_again(request):
                return self._without_session(request, without_session, match.kwargs)
        return self.get_response(request)

    def _of_everybody(self, request: HttpRequest, revision: int) -> HttpResponseBase:
        """Answer as whoever asked before was answered, where that is the same for all."""
        request.get_host()
        kept = kept_whole(request, revision)
        if kept is not None:
            return kept
        response = self.get_response(request)
        keep_whole(request, response)
        return response

    def _without_session(
        self, request: HttpRequest, answer: Callable[..., str | None], named: dict[str, Any]
    ) -> HttpResponseBase:
        """Answer with the headers that the first who asked so was answered with."""
        request.get_host()
        language = get_language_from_request(request)
        with override(language):
            content = answer(request, **named)
        headers = self._headers.get((answer, language))
        if content is not None and headers is not None:
            written = content.encode()
            headers = {**headers, "Content-Length": str(len(written))}
            return HttpResponse(written, headers=headers)
        response = self.get_response(request)
        if content is not None and response.status_code == HTTPStatus.OK and not response.cookies:
            self._headers[answer, language] = dict(response.headers)
        return response


def revision_of(request: HttpRequest, slug: str, *, is_public: bool) -> int | None:
    """Return the revision of a tournament; one query.

    None if the long way has to say what there is: there is no such tournament, or only accounts
    may know of it and the browser has no session.
    """
    session = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    with cursor() as asked:
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        asked.execute(_REVISION, [slug, is_public, session, now])
        row = asked.fetchone()
    if row and row[1]:
        request.META[EVERYBODYS] = row[0]
    return row[0] if row else None


def _has_revision(request: HttpRequest, slug: str, *, is_public: bool) -> bool:
    return request.GET.get("since") == str(revision_of(request, slug, is_public=is_public))


def of_everybody(request: HttpRequest, slug: str, **_named: Any) -> bool:
    """Whether a public page of a tournament shows its newest revision."""
    return _has_revision(request, slug, is_public=True)


def of_staff(request: HttpRequest, slug: str, **_named: Any) -> bool:
    """Whether a page of the staff shows the newest revision of its tournament."""
    return _has_revision(request, slug, is_public=False)
