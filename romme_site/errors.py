"""The pages for requests that cannot be answered: 400, 403, 404, 500, expired forms.

Django finds the templates ``403.html`` and ``404.html`` by name and passes them the message of
the exception; the other pages have views.
"""

from __future__ import annotations

import sys
from http import HTTPStatus
from typing import TYPE_CHECKING

from django.http import HttpResponse, HttpResponseBadRequest, JsonResponse, UnreadablePostError
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.defaults import page_not_found

from tournaments.common.errors import Failure, failure_of
from tournaments.feed.answers import refusal

if TYPE_CHECKING:
    from django.http import HttpRequest

FORBIDDEN = 403
API = "/api/"
AGAIN_AFTER = "30"  # seconds


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    """Return the page for an expired form, with the next steps.

    Django passes *reason*, in English for developers, and has logged it before.
    """
    context = {"back_url": request.path if request.method == "POST" else "/"}
    return render(request, "csrf.html", context, status=FORBIDDEN)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return Django's page for an address that does not exist; for the API, its refusal."""
    if request.path.startswith(API):
        sentence = _("Das gibt es nicht, oder es ist nicht öffentlich.")
        return refusal(sentence, HTTPStatus.NOT_FOUND)
    return page_not_found(request, exception)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    """Return the page for a malformed request; for the API, its refusal.

    Django's own view looks for the CSRF token of a form in the body, which may be unreadable.
    """
    if request.path.startswith(API):
        sentence = _("Die Anfrage lässt sich nicht lesen.")
        return refusal(sentence, HTTPStatus.BAD_REQUEST)
    return HttpResponseBadRequest(render_to_string("400.html", request=request))


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the failure and its remedy: as a page, or in JSON for scripts.

    Django calls it while the exception is being handled, from a view or from a middleware. The
    page reads neither the session nor the database, because they may have failed.
    """
    problem = sys.exception()
    if isinstance(problem, UnreadablePostError):
        return bad_request(request, problem)
    return failure_response(request, failure_of(problem))


def failure_response(
    request: HttpRequest, failure: Failure | None, template: str = "500.html"
) -> HttpResponse:
    """Return a failure as a page, or in JSON for scripts; None is a bug of the program."""
    status = failure.status if failure else HTTPStatus.INTERNAL_SERVER_ERROR
    sentence = str(failure) if failure else _("Da ist im Programm etwas schiefgegangen.")
    if request.path.startswith(API):
        answer: HttpResponse = refusal(sentence, status)
    elif _is_script(request):
        answer = JsonResponse({"ok": False, "refused": sentence}, status=status)
    else:
        page = render_to_string(template, {"failure": failure})
        answer = HttpResponse(page, status=status)
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        answer["Retry-After"] = AGAIN_AFTER
    return answer


def _is_script(request: HttpRequest) -> bool:
    return (
        "HX-Request" in request.headers
        or request.content_type == "application/json"
        or request.get_preferred_type(["text/html", "application/json"]) == "application/json"
    )
