"""Addresses of the sample pages; exist in tests only."""

from __future__ import annotations

import datetime as dt
import time
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template import engines
from django.urls import include, path
from django.utils import timezone
from django.utils.html import format_html, format_html_join

if TYPE_CHECKING:
    from django.http import HttpRequest

STEPS = [
    ("Ausschreibung", "done"),
    ("Meldungen & Kasse", "done"),
    ("Auslosung", "done"),
    ("Spiellisten", "current"),
    ("Prüfung", "open"),
    ("Rangliste & Preise", "open"),
    ("Abschluss", "open"),
]
TABLES = [
    (10, "", "vor 1 min"),
    (8, "", "vor 4 min"),
    (11, "", "vor 2 min"),
    (12, "amber", "auf Papier"),
    (7, "", "vor 3 min"),
    (9, "felt", "vor 5 min"),
    (5, "", "1 Eintrag wartet"),
    (12, "felt", "unterschrieben"),
    (6, "red", "Schiedsrichter"),
    (9, "", "vor 5 min"),
    (0, "", "Papierliste"),
    (10, "", "Dreiertisch"),
]


class Person:
    """Stands for a logged-in account."""

    is_authenticated = True

    def __str__(self) -> str:
        return "M. Brandt"


class SampleForm(forms.Form):
    """One field of each kind."""

    name = forms.CharField(label="Name", help_text="Nachname, Vorname")
    number = forms.IntegerField(label="Minuten", min_value=1, initial=10)
    club = forms.ChoiceField(
        label="Verein", required=False, choices=[("", "ohne Verein"), ("1", "SC Altenburg")]
    )
    day = forms.DateField(
        label="Tag", required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    time = forms.TimeField(
        label="Uhrzeit", required=False, widget=forms.TimeInput(attrs={"type": "time"})
    )
    method = forms.ChoiceField(
        label="Bezahlt",
        choices=[("bar", "bar"), ("konto", "Überweisung"), ("frei", "frei")],
        widget=forms.RadioSelect,
    )
    categories = forms.MultipleChoiceField(
        label="Wertungen",
        required=False,
        choices=[("d", "Damen"), ("j", "Junioren"), ("s", "Senioren")],
        widget=forms.CheckboxSelectMultiple,
        help_text="Mehrere sind möglich.",
    )
    consent = forms.BooleanField(
        label="Name darf öffentlich erscheinen", help_text="Sonst Initialen."
    )
    file = forms.FileField(label="Liste einlesen", required=False)
    note = forms.CharField(
        label="Bemerkung", required=False, widget=forms.Textarea(attrs={"rows": 3})
    )
    key = forms.CharField(widget=forms.HiddenInput, initial="abc")


def _context(request: HttpRequest) -> dict[str, Any]:
    now = timezone.now()
    wrong = SampleForm({"number": "0", "method": "Muschel", "key": "x"})
    return {
        "tournament": SimpleNamespace(name="Herbstturnier 2026"),
        "user": Person(),
        "role_label": "Spielleitung",
        "home_url": "/muster/",
        "header_links": [
            {"label": "Drucken", "url": "/muster/", "current": False},
            {"label": "Protokoll", "url": "/muster/", "current": False},
        ],
        "own_links": [{"label": "Rollen", "url": "/muster/", "current": False}],
        "steps": [
            {"label": label, "state": state, "url": "/muster/" if state != "open" else ""}
            for label, state in STEPS
        ],
        "crumbs": [{"label": "Turniere", "url": "/muster/"}, {"label": "Serie 2", "url": ""}],
        "tables": [{"games": games, "tone": tone, "state": state} for games, tone, state in TABLES],
        "names": ["Anna", "Bernd", "Clara", "Dieter"],
        "form": SampleForm(),
        "wrong_form": wrong,
        "now": now,
        "two_minutes_ago": now - dt.timedelta(minutes=2, seconds=5),
        "ends_at": now + dt.timedelta(hours=1, minutes=4, seconds=12),
        "soon": now + dt.timedelta(minutes=9, seconds=30),
        "page_obj": Paginator(range(100), 10).get_page(request.GET.get("page")),
    }


def sample(request: HttpRequest, name: str = "musterseite") -> HttpResponse:
    """Show one of the sample pages."""
    return render(request, f"components/{name}.html", _context(request))


PEOPLE = ("Kühn, Anna", "Kühne, Altmut", "Kuehnel, Dirk")
STATUSES = (409, 422, 500)
sent: list[str] = []  # what the page of the scripts has sent, for its tests


def scripts(request: HttpRequest) -> HttpResponse:
    """Show the page on which the scripts are tested."""
    text = Path(__file__).with_name("look_scripts.html").read_text(encoding="utf-8")
    context = {"statuses": STATUSES, "chosen": request.GET.get("wahl", "")}
    return HttpResponse(engines["django"].from_string(text).render(context, request))


def found(request: HttpRequest) -> HttpResponse:
    """Answer the search field with those whose name begins so."""
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
    """Be asked nonsense."""
    raise SuspiciousOperation


def broken(request: HttpRequest) -> HttpResponse:
    """Fail as a bug would."""
    raise RuntimeError


ACCOUNT = [path("", sample, name="profile"), path("abmelden/", sample, name="logout")]
urlpatterns = [
    path("skripte/", scripts),
    path("gefunden/", found),
    path("gezaehlt/", counted),
    path("antwort/<int:status>/", answered),
    path("muster/", sample),
    path("muster/<slug:name>/", sample),
    path("verboten/", forbidden),
    path("unsinn/", bad),
    path("kaputt/", broken),
    path("konto/", include((ACCOUNT, "account"))),
    path("", include("tournaments.privacy.urls")),  # that the footer names
]
