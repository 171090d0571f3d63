"""Addresses of the sample pages; exist in tests only."""

from __future__ import annotations

import datetime as dt
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.core.paginator import Paginator
from django.shortcuts import render
from django.urls import include, path
from django.utils import timezone

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

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
    consent = forms.BooleanField(label="Name darf öffentlich erscheinen", help_text="Sonst Initialen.")
    file = forms.FileField(label="Liste einlesen", required=False)
    note = forms.CharField(label="Bemerkung", required=False, widget=forms.Textarea(attrs={"rows": 3}))
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


def forbidden(request: HttpRequest) -> HttpResponse:
    """Refuse with a sentence."""
    raise PermissionDenied("Dafür ist die Rolle Kasse nötig.")


def bad(request: HttpRequest) -> HttpResponse:
    """Be asked nonsense."""
    raise SuspiciousOperation


def broken(request: HttpRequest) -> HttpResponse:
    """Fail as a bug would."""
    raise RuntimeError


urlpatterns = [
    path("muster/", sample),
    path("muster/<slug:name>/", sample),
    path("verboten/", forbidden),
    path("unsinn/", bad),
    path("kaputt/", broken),
    path("konto/", include(([path("abmelden/", sample, name="logout")], "account"))),
]
