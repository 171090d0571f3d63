"""Open pages that ask ``?since=``: nothing new is said before anything else is looked at.

Hundreds of pages ask every few seconds, and mostly nothing has happened. So a view says with
:func:`asks` how to find out by one statement whether the page shows the newest, and
:class:`NothingNew` asks it before sessions, messages, the form token and the account are looked
at. The empty answer tells whoever gets it that a number they named is still the one, and nothing
else. An answer that is the same for everybody, and was made for the same revision, is given there
too, and so is one that a view can give without what pages need. Of what only accounts may know
even that is for a browser that has a session, so whoever logged out is led to the log-in the next
time the page asks, as from any page.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from http import HTTPStatus
from typing import Any, TypeVar

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import Resolver404, resolve
from django.utils import timezone
from django.utils.translation import get_language_from_request, override

from tournaments.models.prepared import cursor
from tournaments.web.shared import asks_again, keep_whole, kept_whole

VIEW_ATTRIBUTE = "shows_the_newest"
AT_ONCE = "at_once"
ASKED = "romme.asked"  # what was found of the tournament, in a request

_View = TypeVar("_View", bound=Callable[..., HttpResponseBase])

# A draft, and what an archive took the place of, are there for accounts only.
_ASKED = """
SELECT tournament.id, revision, status <> 'draft' AND replaced_at IS NULL, session_data
FROM tournaments_tournament tournament
LEFT JOIN django_session ON session_key = %s AND expire_date > %s
WHERE slug = %s
AND (%s AND status <> 'draft' AND replaced_at IS NULL OR session_key IS NOT NULL)
"""


@dataclass(frozen=True, slots=True)
class Asked:
    """A tournament that an open page asks about, and the session of the browser."""

    tournament_id: int
    revision: int
    is_everybodys: bool  # whether strangers may know of it
    session: str | None  # as it is stored


def asks(
    shows_the_newest: Callable[..., bool],
    *,
    at_once: Callable[..., bytes | None] | None = None,
) -> Callable[[_View], _View]:
    """Mark a view whose open pages ask again; both get the request and what the address names.

    Args:
        shows_the_newest: says whether the page of ``?since=`` has nothing to learn, and is asked
            before anything is known of who asks.
        at_once: returns what the view would answer then, and looks by itself whether whoever asks
            may know; None where the view has to answer.
    """

    def declare(view: _View) -> _View:
        setattr(view, VIEW_ATTRIBUTE, shows_the_newest)
        setattr(view, AT_ONCE, at_once)
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
                view, args, named = _found(request.path_info)
            except Resolver404:
                return self.get_response(request)
            shows_the_newest = getattr(view, VIEW_ATTRIBUTE, None)
            if shows_the_newest and shows_the_newest(request, *args, **named):
                request.get_host()  # refuses a name that is not ours
                return HttpResponse(
                    status=HTTPStatus.NO_CONTENT, headers={"Cache-Control": "no-store"}
                )
            at_once = getattr(view, AT_ONCE, None)
            if at_once and asks_again(request):
                return self._at_once(request, at_once, named)
            asked: Asked | None = request.META.get(ASKED)
            if asked is not None and asked.is_everybodys:
                return self._of_everybody(request, asked.revision)
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

    def _at_once(
        self, request: HttpRequest, answer: Callable[..., bytes | None], named: dict[str, Any]
    ) -> HttpResponseBase:
        """Answer with the headers that the first who asked so was answered with."""
        request.get_host()
        language = get_language_from_request(request)
        with override(language):
            content = answer(request, **named)
        headers = self._headers.get((answer, language))
        if content is not None and headers is not None:
            return HttpResponse(content, headers={**headers, "Content-Length": str(len(content))})
        response = self.get_response(request)
        # The cookie of the form token is the same again, for another year.
        own = response.cookies.keys() - {settings.CSRF_COOKIE_NAME}
        if content is not None and response.status_code == HTTPStatus.OK and not own:
            self._headers[answer, language] = dict(response.headers)
        return response


# To look through hundreds of addresses takes longer than to ask the database, and pages ask by the
# same: those of 250 tables and 1,000 players.
@lru_cache(maxsize=1_500)
def _found(path: str) -> tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]:
    match = resolve(path)
    return match.func, match.args, match.kwargs


def revision_of(request: HttpRequest, slug: str, *, is_public: bool) -> int | None:
    """Return the revision of a tournament; one query.

    None if the long way has to say what there is: there is no such tournament, or only accounts
    may know of it and the browser has no session.
    """
    session = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    with cursor() as asked:
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        asked.execute(_ASKED, [session, now, slug, is_public])
        row = asked.fetchone()
    if row is None:
        return None
    found = request.META[ASKED] = Asked(*row)
    return found.revision


def _has_revision(request: HttpRequest, slug: str, *, is_public: bool) -> bool:
    return request.GET.get("since") == str(revision_of(request, slug, is_public=is_public))


def of_everybody(request: HttpRequest, slug: str, **_named: Any) -> bool:
    """Whether a public page of a tournament shows its newest revision."""
    return _has_revision(request, slug, is_public=True)


def of_staff(request: HttpRequest, slug: str, **_named: Any) -> bool:
    """Whether a page of the staff shows the newest revision of its tournament."""
    return _has_revision(request, slug, is_public=False)
