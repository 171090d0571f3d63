"""A table's device as a script would drive it."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from html.parser import HTMLParser
from types import MappingProxyType
from typing import Any

from scoring.reading.ruleset_json import ruleset_to_dict
from scoring.rulesets import ruleset
from tests.clients import Client
from tests.factories import make_players, make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie
from tournaments.common.access_keys import table_path, table_token
from tournaments.models import Spielliste, TableAccess
from tournaments.table.services.devices import find_access, open_device
from tournaments.table.views.table_access import COOKIE

_keys = itertools.count(1)
FIRST: Mapping[str, Any] = MappingProxyType(dict(FOUR[0]))  # finisher 1, hands 0, 23, 45, 12


def game(
    number: int = 1, version: int = 0, line: Mapping[str, Any] = FIRST, **more: Any
) -> dict[str, Any]:
    """Return the parameters of a sent game."""
    return {"number": number, "version": version, "line": dict(line), **more}


def list_by(rule_set: str = "rommeordnung", *, players: int = 4) -> Spielliste:
    """The empty list of a table that plays by a rule set."""
    tournament = make_tournament(rule_set=ruleset_to_dict(ruleset(rule_set)))
    return list_of(make_seated_serie(tournament, [make_players(tournament, players)]))


class Device:
    """A phone at a table, with a cookie of its own."""

    def __init__(self, spielliste: Spielliste) -> None:
        self.access = TableAccess.objects.get(table=spielliste.table_id)
        self.path = table_path(self.access)
        self.device, secret = open_device(find_access(table_token(self.access)))
        self.client = Client()
        self.client.cookies[COOKIE] = secret

    def state(self, since: object = "") -> Any:
        """Ask for the state of the list."""
        return self.client.get(f"{self.path}stand/", {"since": str(since)})

    def send(self, kind: str, key: str = "", **body: Any) -> Any:
        """Send something, under a new key unless one is given."""
        key = key or f"schluessel-{next(_keys)}"
        return self.post(json.dumps({"key": key, "kind": kind, **body}))

    def post(self, body: str | bytes) -> Any:
        """Send a raw body."""
        return self.client.post(f"{self.path}senden/", body, content_type="application/json")


def keeper_of(spielliste: Spielliste) -> Device:
    """The device that keeps the list."""
    device = Device(spielliste)
    assert device.send("take_over").status_code == 200
    return device


class _Form(HTMLParser):
    """Collects the values that a browser would send for the form of one act."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind
        self.found: dict[str, list[str]] = {}
        self._fields: dict[str, list[str]] = {}
        self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        name, value = given.get("name") or "", given.get("value") or ""
        if tag == "form":
            self._fields = {}
        elif tag == "select":
            self._select = name
        elif tag == "option" and "selected" in given:
            self._fields[self._select] = [value]
        elif tag == "input" and (
            given.get("type") not in {"checkbox", "radio"} or "checked" in given
        ):
            self._fields.setdefault(name, []).append(value)

    def handle_data(self, data: str) -> None:
        if self._select and self._fields.get(self._select) == [""]:
            self._fields[self._select] = [data]

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self._select = ""
        elif tag == "form" and self._fields.get("kind") == [self.kind]:
            self.found = self._fields


def form_on(page: str, kind: str) -> dict[str, list[str]]:
    """Return the fields of the form of an act as a browser without scripts would send them."""
    reader = _Form(kind)
    reader.feed(page)
    return reader.found
