"""People of a day with their devices, who ask the program until there is an answer."""

# Models can be imported only after the database was chosen and Django set up.
# ruff: noqa: PLC0415

from __future__ import annotations

import http.client
import json
import random
import time
from collections.abc import Mapping
from http import HTTPStatus
from http.cookies import SimpleCookie
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

if TYPE_CHECKING:
    from benchmarks.day import Day

HOST = "127.0.0.1"
GAMES = 12
TOKEN = "t" * 32
FORM, JSON = "application/x-www-form-urlencoded", "application/json"
LONGEST = 600  # seconds that anybody waits
SIGNATURE = "M40 120Q120 20 180 180Q260 80 320 120"


class Person:
    """Somebody with a device, who asks until there is an answer."""

    def __init__(self, day: Day, session: str = "", address: str = HOST) -> None:
        self.day, self.address = day, address
        self.cookies = {"csrftoken": TOKEN, "sessionid": session}
        self.line: http.client.HTTPConnection | None = None

    def ask(
        self, path: str, sent: str = "", *, kind: str = "", step: str = ""
    ) -> tuple[int, str, bytes]:
        """Return status, where it leads to, and body; note how long a *step* took."""
        begun = time.monotonic()
        while True:
            try:
                answer = self._ask_once(path, sent, kind)
            except (OSError, http.client.HTTPException):
                self.line = None
            else:
                if answer[0] < HTTPStatus.INTERNAL_SERVER_ERROR:
                    break
                self.day.faults.append(f"{path}: {answer[0]}")
            self.day.be_patient(path, begun)
        if step:
            self.day.waits[step].append(time.monotonic() - begun)
        return answer

    def _ask_once(self, path: str, sent: str, kind: str) -> tuple[int, str, bytes]:
        port = self.day.laptops.now.port
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

        path = self.day.path(name, *args)
        sent = urlencode({"form_key": new_form_key(), **form})
        status, leads_to, body = self.ask(path, sent, kind=FORM, step=step)
        if status != HTTPStatus.FOUND:
            raise RuntimeError(f"{path} was answered with {status}: {body.decode()}")
        return leads_to


class Table(Person):
    """The device of a table: its list, and how much of it had to be sent again."""

    path = ""
    lost = 0
    state: Mapping[str, Any] = {}

    def play(self, path: str, pause: float) -> None:
        """Enter all games, and sign."""
        from tests.factories_lists import FOUR

        self.path, self.state = path, {}
        self._begin()
        while (number := len(self.state["games"]) + 1) <= GAMES:
            time.sleep(random.uniform(0.5, 1.5) * pause)
            game = {"number": number, "line": FOUR[number - 1], "confirmed": True}
            self._send(f"{number}", "game", step="a game is entered", **game)
        while (seat := len(self.state["signatures"]) + 1) <= len(self.state["players"]):
            self._send(f"{seat}", "sign", seat=seat, drawing=SIGNATURE)

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
