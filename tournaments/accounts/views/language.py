"""The language of the pages, chosen for each browser."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme

from tournaments.web.access import public

A_YEAR = 365 * 24 * 60 * 60  # seconds


@public
def choose(request: HttpRequest, code: str) -> HttpResponse:
    """Store a language in a cookie, and redirect to the page before.

    A GET, because the server stores nothing, and pages without a session have the link.
    """
    if code not in dict(settings.LANGUAGES):
        raise Http404
    back = request.GET.get("next", "")
    allowed = url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure())
    answer = HttpResponseRedirect(back if allowed else "/")
    answer.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        code,
        max_age=A_YEAR,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
    return answer
