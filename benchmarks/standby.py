"""How long a hall waits when the laptop dies, and what of the confirmed games is lost.

    make bench ONLY=standby

Two programs run as on two laptops, on two ports and with two folders: the first as ``make run``
starts it, the second as ``make standby``. All tables enter games, each one with a pause. Then the
first is killed with all its processes, in the middle, and ``make takeover`` typed on the second.
The tables do what their pages do: they ask until somebody answers, send again what the list there
lacks, and go on with the game that had no answer.

Measured are the seconds from the kill until the second answers and until every table has stored
another game, and how old the games were that were confirmed and not there. An error is one that
was confirmed more than ``PROMISED`` seconds before, and whatever is missing at the end.
"""

# Models can be imported only after the database was chosen and Django set up.
# ruff: noqa: PLC0415

from __future__ import annotations

import http.client
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

from benchmarks.frame import Place, Row

ROOT = Path(__file__).resolve().parent.parent

PROMISED = 5.0  # seconds, as docs/operating.md says
ASKS_AGAIN = 1.0  # seconds; the pages ask every four to fifteen
GAMES = 12


@dataclass
class Device:
    """The device of a table: what it knows as stored, and when it heard so."""

    path: str
    cookie: str
    confirmed: dict[int, float] = field(default_factory=dict)  # by the number of the game
    lost: list[float] = field(default_factory=list)  # when they were confirmed
    went_on: float = 0.0

    def enter(self, port: int, pause: float, is_over: Event) -> None:
        """Enter games, one after the other, until the laptop is gone."""
        client = self._client(port)
        version = 0
        while len(self.confirmed) < GAMES - 2 and not is_over.is_set():
            time.sleep(random.uniform(0.5, 1.5) * pause)
            try:
                version = self._send(client, len(self.confirmed) + 1, version)["version"]
            except (OSError, http.client.HTTPException):
                return

    def go_on(self, port: int) -> None:
        """Ask until the other laptop answers, send what it lacks, and then another game."""
        while True:
            client = self._client(port)
            try:
                _status, answer = client.get(f"{self.path}stand/")
                break
            except (OSError, http.client.HTTPException):
                time.sleep(ASKS_AGAIN)
        state = json.loads(answer)
        there = len(state["games"])
        self.lost = [at for number, at in self.confirmed.items() if number > there]
        last = len(self.confirmed) + 1
        for number in range(there + 1, last + 1):
            state = self._send(client, number, state["version"])
        self.went_on = time.monotonic()

    def _client(self, port: int) -> Any:
        from tests.server import Client

        name, _equals, secret = self.cookie.partition("=")
        return Client(port, {name: secret})

    def _send(self, client: Any, number: int, version: int) -> dict[str, Any]:
        from tests.factories_lists import FOUR

        body = {"key": f"{self.path}{number}"[-40:], "kind": "game", "version": version}
        body |= {"number": number, "line": dict(FOUR[number - 1]), "confirmed": True}
        status, answer = client.post(f"{self.path}senden/", json.dumps(body))
        if status != http.HTTPStatus.OK:
            raise RuntimeError(f"A game was answered with {status}: {answer[:300]!r}")
        self.confirmed[number] = time.monotonic()
        return dict(json.loads(answer)["state"])


def command(folder: Path, port: int, *given: str) -> subprocess.Popen[str]:
    """Start what make would on the second laptop, which has settings of its own."""
    environment = {name: value for name, value in os.environ.items() if name != "SECRET_KEY"}
    environment |= {"DATA_DIR": str(folder), "HOST": "127.0.0.1", "PORT": str(port), "DEMO": "0"}
    environment["DATABASE_URL"] = f"sqlite:///{folder}/romme.sqlite3"
    return subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "-m", "romme_site", *given],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_for(process: subprocess.Popen[str], words: str) -> None:
    """Read what a command says until it says *words*."""
    assert process.stdout is not None  # noqa: S101 - a pipe was asked for
    for line in process.stdout:
        if words in line:
            return
    sys.exit(f"The second laptop ended without saying „{words}“.")


def rows(place: Place) -> Iterator[Row]:
    """Let the first of two laptops die, and say what came of it."""
    first, second = place.folder / "first", place.folder / "second"
    first.mkdir()
    second.mkdir()
    Place(folder=first, database_url=f"sqlite:///{first}/romme.sqlite3").set_up()
    tables, seconds, pause = (10, 6.0, 1.0) if place.is_quick else (50, 15.0, 3.0)
    from django.db import connections

    from benchmarks.table_entries import make
    from tests.server import Server, free_port
    from tournaments.backup import standby

    devices = [Device(table.path, table.cookie) for table in make(tables)]
    connections.close_all()
    port = free_port()
    with Server(first, database=os.environ["DATABASE_URL"]) as server:
        url = f"http://127.0.0.1:{server.port}"
        following = command(second, port, "standby", url, standby.new_code())
        wait_for(following, "neuesten Stand")
        with ThreadPoolExecutor(tables) as pool:
            is_over = Event()
            entering = [pool.submit(one.enter, server.port, pause, is_over) for one in devices]
            time.sleep(seconds)
            died = time.monotonic()
            server.kill()
            taking = command(second, port, "takeover")
            is_over.set()
            for one in entering:
                one.result()
            confirmed = sum(len(one.confirmed) for one in devices)
            going = [pool.submit(one.go_on, port) for one in devices]
            for one in going:
                one.result()
    for process in (taking, following):
        os.killpg(process.pid, 9)
        process.wait()
    check(second, devices)
    yield from told(devices, died, confirmed)


def told(devices: list[Device], died: float, confirmed: int) -> Iterator[Row]:
    """Give the rows."""
    lost = sorted(died - at for one in devices for at in one.lost)
    waits = sorted(one.went_on - died for one in devices)
    after = f"second laptop, {len(devices)} tables: "
    yield Row(name=f"{after}the first goes on after", value=waits[0], unit="s")
    yield Row(name=f"{after}all go on after", value=waits[-1], unit="s")
    yield Row(
        name=f"{after}games confirmed and not there, all sent again",
        value=len(lost),
        unit="",
        ratio=len(lost) / confirmed,
        beside="all that were confirmed",
    )
    yield Row(
        name=f"{after}the oldest of these was confirmed before",
        value=max(lost, default=0.0),
        unit="s",
        wanted=PROMISED,
        wanted_of="value",
    )


def check(second: Path, devices: list[Device]) -> None:
    """See in the database of the second laptop that every game is there, and the journal whole."""
    script = (
        "from tournaments.models import Game; from tournaments.journal import services;"
        "print(Game.objects.count(), len(list(services.first_breaks())))"
    )
    environment = {name: value for name, value in os.environ.items() if name != "SECRET_KEY"}
    environment |= {"DATA_DIR": str(second), "DATABASE_URL": f"sqlite:///{second}/romme.sqlite3"}
    asked = [sys.executable, "manage.py", "shell", "-v", "0", "-c", script]
    said = subprocess.run(  # noqa: S603 - our own command
        asked, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    expected = sum(len(one.confirmed) for one in devices)
    if said.stdout.split() != [str(expected), "0"]:
        sys.exit(f"{expected} games were confirmed; the second laptop says: {said}")
