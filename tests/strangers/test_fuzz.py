"""Forms as people send them, and with odd values in them: no answer is a server error.

A visitor opens a page, fills in its forms and sends them. The changes stay for a while, so that
others meet them; then all are undone. ``make strangers`` sends 10,000 on each database, other ones
each time (``FORMS``); ``SEED`` repeats a run.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from html.parser import HTMLParser
from random import Random, randrange
from typing import Any
from urllib.parse import urljoin

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction

from tests.clients import Client, logged_in
from tests.factories import make_member
from tests.strangers.halls import Hall
from tests.tournaments.access_matrix import ADDRESSES, SERVER_ERROR
from tests.tournaments.fuzz_values import FILES, NASTY
from tournaments.machine import jobs
from tournaments.models import Role, Tournament

MORE = int(os.environ.get("FORMS") or 0)
FEW = 300
NOT_TAKEN = 405
STAYS_FOR = 20  # forms, before all is undone
ODDNESS = (0.0, 0.1, 0.1, 0.4, 0.9)  # of one form: how many of its fields have something odd
TIMES: tuple[dict[str, Any], ...] = (
    {"four_eyes": True},
    {"online_registration": True, "self_check_in": True},
    {"status": Tournament.Status.ANNOUNCED, "online_registration": True},
    {"status": Tournament.Status.DRAFT},
)
TEXTS = ("Grund", "Anna", "Berg", "5", "12,50", "2026-10-03", "14:00", "a@b.de")
FITTING = {
    "date": ("2026-10-03", "2000-02-29", "1900-01-01"),
    "datetime-local": ("2026-10-03T14:00", "2026-10-04T09:30"),
    "email": ("neu@example.org", "ü@example.org"),
    "number": ("1", "2", "3", "12"),
    "time": ("14:00", "00:00"),
}


@dataclass
class Field:
    """A field of a form: its kind, the values it has or may have, and its bounds."""

    kind: str
    values: list[str] = field(default_factory=list)
    edges: list[str] = field(default_factory=list)
    is_needed: bool = False

    def filled(self, random: Random) -> list[Any]:
        """Return valid values for a form."""
        match self.kind:
            case "file":
                ending = random.choice(("csv", "xlsx", "json", "xml"))
                return [SimpleUploadedFile(f"a.{ending}", random.choice(FILES))]
            case "checkbox":
                return [value for value in self.values if random.random() < 0.5]
            case "submit" | "hidden" | "radio" | "select":
                return random.sample(self.values, k=min(1, len(self.values)))
        shown = [value for value in self.values if value]
        if (shown and random.random() < 0.7) or not (self.is_needed or random.random() < 0.5):
            return shown[:1] or [""]
        return [random.choice((*self.edges, *FITTING.get(self.kind, TEXTS)))]

    def sent(self, random: Random, oddness: float) -> list[Any]:
        """Return the values to send: often valid, sometimes odd, empty or doubled."""
        if random.random() >= oddness:
            return self.filled(random)
        odd = [*self.edges, *self.values[:5], *NASTY]
        return random.choices(odd, k=random.choice((0, 1, 1, 1, 1, 2)))


class Forms(HTMLParser):
    """The forms of a page, each with its method, its address and its fields."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[tuple[str, str, dict[str, Field]]] = []
        self.fields: dict[str, Field] = {}
        self.choice = Field("select")
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        its = {name: value or "" for name, value in attrs}
        name, kind = its.get("name", ""), "submit" if tag == "button" else its.get("type", "text")
        if tag == "form":
            self.fields = {}
            method = its.get("method", "get").lower()
            self.forms.append((method, its.get("action", ""), self.fields))
        elif tag == "option":
            self.choice.values.append(its.get("value", ""))
        elif tag in {"input", "button", "select", "textarea"} and name:
            here = self.fields.setdefault(name, Field(tag if tag == "select" else kind))
            here.is_needed |= "required" in its
            here.edges += [its[edge] for edge in ("min", "max") if edge in its]
            if tag == "select":
                self.choice = here
            else:
                here.values.append(its.get("value", "on" if kind == "checkbox" else ""))


class Crowd:
    """All visitors that send forms of a tournament."""

    def __init__(self, hall: Hall, seed: int) -> None:
        self.random = Random(seed)  # noqa: S311
        tournament = hall.world.tournament
        self.tournaments = Tournament.objects.filter(pk=tournament.pk)
        roles = [logged_in(make_member(tournament, role)) for role in Role]
        self.clients = [*[hall.client] * 3, *roles, hall.phone.client, Client()]
        self.cookies = [
            {name: cookie.value for name, cookie in client.cookies.items()}
            for client in self.clients
        ]
        self.pages = [hall.url(address) for address in ADDRESSES]
        self.statuses = Counter[int]()
        self.failed: list[str] = []

    def send(self, number: int) -> None:
        """Send so many forms."""
        while self.statuses.total() < number:
            before, stop = transaction.savepoint(), self.statuses.total() + STAYS_FOR
            self.tournaments.update(**self.random.choice(TIMES))
            while self.statuses.total() < min(number, stop):
                self.visit(self.random.choice(self.pages))
            transaction.savepoint_rollback(before)

    def visit(self, url: str) -> None:
        """Open a page as a visitor, and send some of its forms."""
        who = self.random.randrange(len(self.clients))
        client = self.clients[who]
        client.raise_request_exception = False
        client.cookies.load(self.cookies[who])
        page = client.get(url)
        self.look(page, f"get {url}")
        if page.status_code == NOT_TAKEN:
            self.pages.remove(url)
        is_page = page.get("Content-Type", "").startswith("text/html")
        forms = Forms(page.content.decode()).forms if is_page else []
        forms = [form for form in forms if form[0] != "dialog" and form[1] != "/konto/abmelden/"]
        for method, action, fields in self.random.sample(forms, k=min(4, len(forms))):
            oddness = self.random.choice(ODDNESS)
            sent = {name: its.sent(self.random, oddness) for name, its in fields.items()}
            answer = getattr(client, method)(urljoin(url, action), sent)
            self.statuses[answer.status_code] += 1
            self.look(answer, f"{method} {urljoin(url, action)} {sent}")

    def look(self, answer: Any, asked: str) -> None:
        if answer.status_code >= SERVER_ERROR:
            self.failed.append(f"{answer.status_code} {asked}")


@pytest.mark.django_db
def test_random_forms_cause_no_server_error(own_files, settings, tmp_path, monkeypatch):
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(jobs, "spawn", lambda _job_id: None)
    seed = int(os.environ.get("SEED") or (randrange(2**32) if MORE else 0))  # noqa: S311
    crowd = Crowd(Hall(), seed)

    crowd.send(MORE or FEW)

    assert crowd.failed == [], f"SEED={seed}"
    assert crowd.statuses[302] > crowd.statuses.total() / 5, "hardly a form is taken"
