"""How long a hall waits when the laptop dies, and what of the confirmed games is lost.

    make bench ONLY=standby

Two programs run as on two laptops, on two ports and with two folders: the first as ``make run``
starts it, the second as ``make standby``, which has SQLite whatever the first has. All tables enter
games, each one with a pause, a till books receipts, and somebody has everything saved. Then the
first is killed with all its processes, in the middle, and ``make takeover`` typed on the second.
The tables do what their pages do: they ask until somebody answers, send again what the list there
lacks, and go on with the game that had no answer. Nobody sends receipts again.

Measured are how old the receipts and games were that were confirmed and not there, which may be
as old as is said at pairing, and the seconds from the kill until the second answers and until
every table has stored another game. Whatever game is missing at the end is an error.
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
from urllib.parse import urlencode

from benchmarks.processes import peak_megabytes
from benchmarks.results import Place, Row

ROOT = Path(__file__).resolve().parent.parent

PADDING = (
    "CREATE TABLE padding AS WITH RECURSIVE rows(number) AS"
    " (SELECT 1 UNION ALL SELECT number + 1 FROM rows WHERE number < 1000 * {megabytes})"
    " SELECT number, hex(randomblob(480)) AS text FROM rows"
)
MOST_MEMORY = 150.0  # MB
SAVES = 5.0  # seconds before the end
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


@dataclass
class Till:
    """A till: when which receipt was confirmed, by its words."""

    path: str
    session: str
    confirmed: dict[str, float] = field(default_factory=dict)

    def book(self, port: int, pause: float, is_over: Event) -> None:
        """Book receipts, one after the other, until the laptop is gone."""
        from tests.server import Client
        from tournaments.common.submissions import new_form_key

        client = Client(port, {"sessionid": self.session})
        while not is_over.is_set():
            text = f"Kaffee {len(self.confirmed) + 1}"
            form = {"kind": "other", "amount_cents": "2", "text": text, "method_": "cash"}
            form |= {"form_key": new_form_key(), "csrfmiddlewaretoken": Client.TOKEN}
            try:
                status, answer = client.submit(self.path, urlencode(form))
            except (OSError, http.client.HTTPException):
                return
            if status != http.HTTPStatus.FOUND:
                raise RuntimeError(f"A receipt was answered with {status}: {answer[:300]!r}")
            self.confirmed[text] = time.monotonic()
            time.sleep(random.uniform(0.5, 1.5) * pause)


def make_till() -> Till:
    """Store somebody who may book receipts, and is logged in."""
    from django.test import Client
    from django.urls import reverse

    from tests.factories import make_member
    from tournaments.models import Role, Tournament

    tournament = Tournament.objects.get()
    browser = Client()
    browser.force_login(make_member(tournament, Role.SPIELLEITUNG))
    path = reverse("cash:book_free", args=[tournament.slug])
    return Till(path, browser.cookies["sessionid"].value)


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


def pad(megabytes: int) -> None:
    """Let the database have so much in it that it is as large as after years."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(PADDING.format(megabytes=megabytes))


def rows(  # noqa: PLR0915 - what happens in a hall, one thing after the other
    place: Place, megabytes: int = 0
) -> Iterator[Row]:
    """Let the first of two laptops die, and say what came of it; *megabytes* it has besides."""
    first, second = place.folder / "first", place.folder / "second"
    first.mkdir()
    second.mkdir()
    is_file = place.database_url.startswith("sqlite")
    url = f"sqlite:///{first}/romme.sqlite3" if is_file else place.database_url
    Place(folder=first, database_url=url).set_up()
    tables, seconds, pause = (10, 6.0, 1.0) if place.is_quick else (50, 15.0, 1.5)
    from django.db import connections

    from benchmarks.entries import make
    from tests.server import Server, free_port
    from tournaments.backup import saving, standby

    devices = [Device(table.path, table.cookie) for table in make(tables)]
    till = make_till()
    if megabytes:
        pad(megabytes)
        seconds, pause = 3 * seconds, 3 * pause
    promised = standby.seconds_behind()
    connections.close_all()
    port = free_port()
    with Server(first, database=os.environ["DATABASE_URL"]) as server:
        url = f"http://127.0.0.1:{server.port}"
        following = command(second, port, "standby", url, standby.new_code())
        wait_for(following, "neuesten Stand")
        with ThreadPoolExecutor(tables + 1) as pool:
            is_over = Event()
            entering = [pool.submit(one.enter, server.port, pause, is_over) for one in devices]
            entering.append(pool.submit(till.book, server.port, pause, is_over))
            time.sleep(seconds - SAVES)
            saving.request_backup()
            time.sleep(SAVES)
            assert server.process is not None  # noqa: S101 - it runs
            peaks = [peak_megabytes(each.pid) for each in (server.process, following)]
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
    booked = check(second, devices)
    name = f"second laptop, {tables} tables"
    name += f", {megabytes} MB: " if megabytes else ": "
    receipts = [died - at for text, at in till.confirmed.items() if text not in booked]
    yield from lost(
        name, "receipts confirmed and not there", receipts, len(till.confirmed), promised
    )
    games = [died - at for one in devices for at in one.lost]
    what = "games confirmed and not there, all sent again"
    yield from lost(name, what, games, confirmed, promised)
    waits = sorted(one.went_on - died for one in devices)
    yield Row(name=f"{name}the first goes on after", value=waits[0], unit="s")
    yield Row(name=f"{name}all go on after", value=waits[-1], unit="s")
    for where, peak in zip(("first", "second"), peaks, strict=True):
        what = f"{name}most memory of a process of the {where}"
        yield Row(name=what, value=peak, unit="MB", wanted=MOST_MEMORY, wanted_of="value")


def lost(name: str, what: str, ages: list[float], confirmed: int, promised: float) -> Iterator[Row]:
    """Give the rows of what was confirmed, the *ages* of seconds before, and lost."""
    yield Row(
        name=f"{name}{what}",
        value=len(ages),
        unit="",
        ratio=len(ages) / confirmed,
        beside="all that were confirmed",
    )
    yield Row(
        name=f"{name}the oldest of these {what.partition(' ')[0]} was confirmed before",
        value=max(ages, default=0.0),
        unit="s",
        wanted=promised,
        wanted_of="value",
    )


def check(second: Path, devices: list[Device]) -> set[str]:
    """See in the database of the second laptop that every game is there, and the journal whole.

    Returns the words of the receipts that are there.
    """
    script = (
        "import json; from tournaments.models import Game, Receipt;"
        "from tournaments.journal import services;"
        "texts = list(Receipt.objects.values_list('text', flat=True));"
        "breaks = len(list(services.first_breaks()));"
        "print(json.dumps([Game.objects.count(), breaks, texts]))"
    )
    environment = {name: value for name, value in os.environ.items() if name != "SECRET_KEY"}
    environment |= {"DATA_DIR": str(second), "DATABASE_URL": f"sqlite:///{second}/romme.sqlite3"}
    asked = [sys.executable, "manage.py", "shell", "-v", "0", "-c", script]
    said = subprocess.run(  # noqa: S603 - our own command
        asked, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    expected = sum(len(one.confirmed) for one in devices)
    games, breaks, texts = json.loads(said.stdout or "[0, 0, []]")
    if (games, breaks) != (expected, 0):
        sys.exit(f"{expected} games were confirmed; the second laptop says: {said}")
    return set(texts)
