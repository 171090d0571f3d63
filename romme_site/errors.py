"""What somebody sees when a request cannot be answered: 400, 403, 404, 500, expired forms.

Django finds the templates ``400.html`` to ``500.html`` by name and hands 403 and 404 the
message of the exception; only a missing or outdated CSRF token needs a view of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

FORBIDDEN = 403


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    """Say that the form was open too long, and how to go on.

    Django calls it with *reason*, in English for developers, and has logged it before.
    """
    context = {"back_url": request.path if request.method == "POST" else "/"}
    return render(request, "csrf.html", context, status=FORBIDDEN)
