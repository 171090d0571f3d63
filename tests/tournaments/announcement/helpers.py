"""Plain functions that the tests of setting up share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any

from scoring.reading.ruleset_json import ruleset_to_dict
from scoring.rulesets import ruleset
from tests.clients import Client, at
from tests.factories import make_tournament
from tournaments.announcement.services.sections import fingerprint
from tournaments.models import Tournament
from tournaments.models.tournament import Section

BEFORE = datetime(2026, 9, 1, 8, 0, tzinfo=UTC)  # a month before the tournaments of the factory
COMPLETE: dict[str, Any] = {
    "venue": "Bürgerhaus",
    "organiser": "SC Altenburg",
    "contact_email": "turnier@verein.example",
}


def make_complete(**fields: Any) -> Tournament:
    """Make a complete draft."""
    values = {"status": Tournament.Status.DRAFT, **COMPLETE, **fields}
    rules = values.pop("rules", "rommeordnung")
    return make_tournament(rule_set=ruleset_to_dict(ruleset(rules)), **values)


def seen(tournament: Tournament, section: Section) -> str:
    """The fingerprint of a section, as its page would show it now."""
    return fingerprint(Tournament.objects.get(pk=tournament.pk), section)


class _FormReader(HTMLParser):
    """Collects the values that a browser would send for a form."""

    def __init__(self, form_id: str) -> None:
        super().__init__()
        self.form_id = form_id
        self.data: dict[str, str] = {}
        self._inside = False
        self._select = self._textarea = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._inside = given.get("id") == self.form_id
        if not self._inside or "disabled" in given:
            return
        if tag == "select":
            self._select = given["name"]
        elif tag == "option" and self._select:
            # A browser shows the first option unless another is selected.
            if "selected" in given or self._select not in self.data:
                self.data[self._select] = given["value"]
        elif tag == "textarea":
            self._textarea = given["name"]
            self.data[self._textarea] = ""
        elif tag == "input" and self._is_sent(given):
            preset = "on" if given.get("type") == "checkbox" else ""
            self.data[given["name"]] = given.get("value", preset)

    @staticmethod
    def _is_sent(given: dict[str, str]) -> bool:
        if not given.get("name") or given.get("type") == "submit":
            return False
        return given.get("type") not in {"checkbox", "radio"} or "checked" in given

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._inside = False
        elif tag == "select":
            self._select = ""
        elif tag == "textarea":
            self._textarea = ""

    def handle_data(self, data: str) -> None:
        if self._textarea:
            self.data[self._textarea] += data


def as_sent(page: Any, form_id: str = "section-form") -> dict[str, str]:
    """Return the values that a browser would send without changes."""
    reader = _FormReader(form_id)
    reader.feed(page.content.decode())
    return {name: value.removeprefix("\n") for name, value in reader.data.items()}


@dataclass
class Desk:
    """The Spielleitung in front of one section."""

    client: Client
    tournament: Tournament

    def url(self, section: Section) -> str:
        return at("setup:section", self.tournament, section.value)

    def form(self, section: Section, query: str = "") -> dict[str, str]:
        """Return the values that the page would send without changes."""
        page = self.client.get(self.url(section) + query)
        assert page.status_code == 200
        return as_sent(page)

    def send(self, section: Section, change: Mapping[str, str | None], query: str = "") -> Any:
        """Send the page's form with some fields changed, or left out where None."""
        data = {**self.form(section, query), **change}
        return self.client.post(
            self.url(section), {name: value for name, value in data.items() if value is not None}
        )

    def now(self) -> Tournament:
        return Tournament.objects.get(pk=self.tournament.pk)
