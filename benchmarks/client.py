"""People of a day with their devices, who ask the program until there is an answer."""

# Models can be imported only after the database was chosen and Django set up.
# ruff: noqa: PLC0415

from __future__ import annotations

import http.client
import json
import random
import sys
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from http import HTTPStatus
from http.cookies import SimpleCookie
from io import BytesIO
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

if TYPE_CHECKING:
    from benchmarks.hall import Hall

HOST = "127.0.0.1"
GAMES = 12
TOKEN = "t" * 32
FORM, JSON = "application/x-www-form-urlencoded", "application/json"
LONGEST = 600  # seconds that anybody waits
MOST_LOOKS = 100  # at a form until it is taken
SIGNATURE = "M40 120Q120 20 180 180Q260 80 320 120"


class Forms(HTMLParser):
    """What the forms of a page would send as they stand there, by address; "" is the page's."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.sent: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self._at = self._choice = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an address, or what a field holds."""
        its = {name: value or "" for name, value in attrs}
        name = its.get("name", "")
        if tag == "form":
            self._at = its.get("action", "") if its.get("method") == "post" else "?"
        elif tag == "select":
            self._choice = name
        elif tag == "option" and "selected" in its:
            self.sent[self._at][self._choice].append(its["value"])
        elif tag == "input" and (its.get("type") not in {"radio", "checkbox"} or "checked" in its):
            self.sent[self._at][name].append(its.get("value", ""))


class Person:
    """Somebody with a device, who asks until there is an answer."""

    def __init__(self, hall: Hall, session: str = "", address: str = HOST) -> None:
        self.hall, self.address = hall, address
        self.cookies = {"csrftoken": TOKEN, "sessionid": session}
        self.line: http.client.HTTPConnection | None = None

    def ask(
        self, path: str, sent: str | bytes = "", *, kind: str = "", step: str = ""
    ) -> tuple[int, str, bytes]:
        """Return status, where it leads to, and body; note how long a *step* took."""
        begun = time.monotonic()
        if self.cookies["sessionid"]:
            self.hall.note(path, kind)
        while True:
            try:
                answer = self._ask_once(path, sent, kind)
            except (OSError, http.client.HTTPException):
                self.line = None
            else:
                if answer[0] < HTTPStatus.INTERNAL_SERVER_ERROR:
                    break
                self.hall.faults.append(f"{path}: {answer[0]}")
                print(self.hall.faults[-1], file=sys.stderr, flush=True)
            self.hall.be_patient(path, begun)
        if step:
            self.hall.waits[step].append(time.monotonic() - begun)
        return answer

    def _ask_once(self, path: str, sent: str | bytes, kind: str) -> tuple[int, str, bytes]:
        port = self.hall.laptops.now.port
        if self.line is None or self.line.port != port:
            self.line = http.client.HTTPConnection(
                HOST, port, timeout=LONGEST, source_address=(self.address, 0)
            )
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        head = {"Cookie": cookies, "X-CSRFToken": self.cookies["csrftoken"], "Content-Type": kind}
        self.line.request("POST" if kind else "GET", path, sent, head)
        answer = self.line.getresponse()
        body = answer.read()
        for line in answer.headers.get_all("Set-Cookie", []):
            self.cookies |= {name: one.value for name, one in SimpleCookie(line).items()}
        return answer.status, answer.headers.get("Location", ""), body

    def press(self, name: str, *args: object, step: str = "", **form: object) -> str:
        """Send a form that has to be taken, and return where it leads to."""
        from tournaments.common.submissions import new_form_key

        path = self.hall.path(name, *args)
        sent = urlencode({"form_key": new_form_key(), **form})
        return self._taken(path, self.ask(path, sent, kind=FORM, step=step))

    def _taken(self, path: str, answer: tuple[int, str, bytes]) -> str:
        status, leads_to, body = answer
        if status != HTTPStatus.FOUND:
            raise RuntimeError(f"{path} was answered with {status}: {body.decode()}")
        return leads_to

    def fill(self, page: str, at: str = "", *, step: str = "", **typed: Any) -> str:
        """Open a page, fill in its form for an address, and send it; return where that leads to.

        Without *at* it is the form of the page's own address. It is sent again where it shows its
        effects first, or others than before because of what somebody else did.
        """
        begun = time.monotonic()
        answer = self.ask(page)
        for _look in range(MOST_LOOKS):
            sent, kind = _encoded({**Forms(answer[2].decode()).sent[at], **typed})
            answer = self.ask(at or page, sent, kind=kind)
            if answer[0] not in {HTTPStatus.OK, HTTPStatus.CONFLICT}:
                break
        if step:
            self.hall.waits[step].append(time.monotonic() - begun)
        return self._taken(at or page, answer)


def _encoded(form: Mapping[str, Any]) -> tuple[str | bytes, str]:
    """Return what a form sends, and of which kind that is."""
    from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

    if any(isinstance(value, BytesIO) for value in form.values()):
        return encode_multipart(BOUNDARY, dict(form)), MULTIPART_CONTENT
    return urlencode(form, doseq=True), FORM


class Table(Person):
    """The device of a table: its list, and how much of it had to be sent again."""

    path = ""
    lost = 0
    state: Mapping[str, Any] = {}

    def open(self, path: str) -> None:
        """Begin a new list."""
        self.path, self.state = path, {}
        self._begin()

    def enter(self, lines: Sequence[Mapping[str, Any]], pause: float = 0) -> None:
        """Enter the games that are not there yet, each after about *pause* seconds."""
        while (number := len(self.state["games"]) + 1) <= len(lines):
            time.sleep(random.uniform(0.5, 1.5) * pause)
            game = {"number": number, "line": lines[number - 1], "confirmed": True}
            self._send(f"{number}", "game", step="a game is entered", **game)

    def sign(self) -> None:
        """Let everybody at the table sign."""
        while (seat := len(self.state["signatures"]) + 1) <= len(self.state["players"]):
            self._send(f"{seat}", "sign", step="a list is signed", seat=seat, drawing=SIGNATURE)

    def _begin(self) -> None:
        self.ask(self.path)
        self._send(f"{time.monotonic()}", "take_over")

    def _send(self, name: str, kind: str, step: str = "", **act: object) -> None:
        sent = {"key": f"{kind}-{name}-{self.path[-20:]}", "kind": kind, **act}
        sent["version"] = self.state.get("version", 0)
        asked = f"{self.path}senden/", json.dumps(sent)
        status, _to, body = self.ask(*asked, kind=JSON, step=step)
        if status == HTTPStatus.FORBIDDEN:  # it took the list over just before the end
            self._begin()
            return
        said = json.loads(body)
        if "state" not in said:
            raise RuntimeError(f"{sent} was answered with {status}: {said}")
        there = len(said["state"]["games"])
        self.lost += max(0, len(self.state.get("games", ())) - there)
        self.state = said["state"]
