"""Addresses of the sample pages; exist in tests only."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template import engines
from django.urls import include, path
from django.utils.html import format_html, format_html_join

from romme_site import component_samples

if TYPE_CHECKING:
    from django.http import HttpRequest


def sample(request: HttpRequest, name: str) -> HttpResponse:
    """Show one of the sample pages of table and beamer."""
    return render(request, f"components/{name}.html", component_samples.context(request))


PEOPLE = ("Kühn, Anna", "Kühne, Altmut", "Kuehnel, Dirk")
STATUSES = (409, 422, 500)
sent: list[str] = []  # requests of the script page, for its tests


def scripts(request: HttpRequest) -> HttpResponse:
    """Show the page on which the scripts are tested."""
    text = Path(__file__).with_name("look_scripts.html").read_text(encoding="utf-8")
    context = {"statuses": STATUSES, "chosen": request.GET.get("wahl", "")}
    return HttpResponse(engines["django"].from_string(text).render(context, request))


def found(request: HttpRequest) -> HttpResponse:
    """Return the people whose name starts with the query."""
    begin = request.GET.get("q", "").lower()
    rows = format_html_join(
        "",
        '<li class="result"><a class="result-name" href="/skripte/?wahl={}">{}</a></li>',
        ((name, name) for name in PEOPLE if name.lower().startswith(begin)),
    )
    return HttpResponse(format_html('<ul id="found" class="results" role="list">{}</ul>', rows))


def counted(request: HttpRequest) -> HttpResponse:
    """Note that a form arrived; slow enough for a second click."""
    sent.append(request.path)
    time.sleep(0.3)
    return redirect("/skripte/")


def answered(request: HttpRequest, status: int) -> HttpResponse:
    """Refuse with the form and a sentence, as views here do."""
    text = format_html(
        '<form id="answer-{0}" class="form"><p role="alert">Abgelehnt mit {0}.</p>'
        '<label>Feld {0} <input name="amount"></label></form>',
        status,
    )
    return HttpResponse(text, status=status)


def forbidden(request: HttpRequest) -> HttpResponse:
    """Refuse with a sentence."""
    raise PermissionDenied("Dafür ist die Rolle Kasse nötig.")


def bad(request: HttpRequest) -> HttpResponse:
    """Answer a request with an error."""
    raise SuspiciousOperation


def broken(request: HttpRequest) -> HttpResponse:
    """Fail as a bug would."""
    raise RuntimeError


ACCOUNT = [
    path("", component_samples.page, name="profile"),
    path("abmelden/", component_samples.page, name="logout"),
    path("sprache/<slug:code>/", component_samples.page, name="language"),
]
urlpatterns = [
    path("skripte/", scripts),
    path("gefunden/", found),
    path("gezaehlt/", counted),
    path("antwort/<int:status>/", answered),
    path("bausteine/", component_samples.page),
    path(
        "personen/", include(([path("<int:pk>/", component_samples.page, name="person")], "people"))
    ),
    path("muster/<slug:name>/", sample),
    path("verboten/", forbidden),
    path("unsinn/", bad),
    path("kaputt/", broken),
    path("konto/", include((ACCOUNT, "account"))),
    path("handbuch/", include("tournaments.manual.urls")),
    path("", include("tournaments.operator.urls")),  # that the footer names
]
