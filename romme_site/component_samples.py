"""The page of all components of the design, for developers: with DEBUG only, at /bausteine/.

Its texts are made up and not translated; ``docs/look.md`` describes the components.
"""

from __future__ import annotations

import datetime as dt
from types import SimpleNamespace
from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from scoring.ambiguity import AmbiguousLine
from scoring.list_rows import played_rows
from scoring.rulesets import ruleset
from tournaments.models import Club, Person
from tournaments.results.queries.charts import CourseGame, CourseSerie, course
from tournaments.web.access import public
from tournaments.web.fields import NumberField, TextField

MODES = ("light", "dark")
NAMES = ("Anna", "Bernd", "Clara", "Dieter")
PERSONS = [
    Person(pk=1, first_name="Anna", last_name="Kühn", birth_year=1950, club=Club(name="SC Gera")),
    Person(pk=2, first_name="Clara", last_name="Sommer-Wettengel"),
]
GAMES = [
    AmbiguousLine(finisher=(1,), minus=((0,), (23,), (45,), (12,))),
    AmbiguousLine(finisher=(2, 3), minus=((17, 71), (20,), (0,), (60,))),
]
COURSE = [
    CourseSerie(
        label="Serie 1",
        games=(
            CourseGame(number=1, running=23),
            CourseGame(number=2, running=23, finished=True),
            CourseGame(number=3, running=71),
        ),
        total=51,
    )
]
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


class SampleAccount:
    """A logged-in account of the samples."""

    is_authenticated = True
    is_admin = False

    def __str__(self) -> str:
        return "M. Brandt"


class SampleForm(forms.Form):
    """One field of each kind."""

    name = TextField(label="Name", help_text="Nachname, Vorname")
    number = NumberField(label="Minuten", min_value=1, initial=10)
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
    note = TextField(label="Bemerkung", required=False, widget=forms.Textarea(attrs={"rows": 3}))
    key = TextField(widget=forms.HiddenInput, initial="abc")


def context(request: HttpRequest) -> dict[str, Any]:
    now = timezone.now()
    return {
        "tournament": SimpleNamespace(name="Herbstturnier 2026"),
        "user": SampleAccount(),
        "role_label": "Spielleitung",
        "home_url": "",
        "header_links": [
            {"label": "Drucken", "url": "", "current": False},
            {"label": "Protokoll", "url": "", "current": False},
        ],
        "own_links": [{"label": "Rollen", "url": "", "current": False}],
        "steps": [
            {"label": label, "state": state, "url": "#main" if state != "open" else ""}
            for label, state in STEPS
        ],
        "crumbs": [("Turniere", ""), ("Serie 2", "")],
        "tables": [{"games": games, "tone": tone, "state": state} for games, tone, state in TABLES],
        "names": NAMES,
        "form": SampleForm(),
        "persons": PERSONS,
        "sign": {"title": "Noch zehn Minuten", "text": "Danach kein neues Spiel mehr."},
        "seats": [{"name": name} for name in NAMES],
        "games": played_rows(GAMES, ruleset("rommeordnung"), len(NAMES)),
        "now": now,
        "two_minutes_ago": now - dt.timedelta(minutes=2, seconds=5),
        "ends_at": now + dt.timedelta(hours=1, minutes=4, seconds=12),
        "soon": now + dt.timedelta(minutes=9, seconds=30),
        "page_obj": Paginator(range(100), 10).get_page(request.GET.get("page")),
    }


@public
def page(request: HttpRequest) -> HttpResponse:
    """Show every component in both modes."""
    wrong = {"number": "0", "method": "Muschel", "key": "x"}
    modes = [
        (
            mode,
            SampleForm(auto_id=f"{mode}-%s"),
            SampleForm(wrong, auto_id=f"{mode}-wrong-%s"),
            course(COURSE, title="Verlauf", ident=f"course-{mode}"),
        )
        for mode in MODES
    ]
    return render(request, "bausteine.html", {**context(request), "modes": modes})
