"""The server as it is started: whoever sends slowly, or too much, keeps nobody waiting."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, closing
from io import BytesIO
from select import select
from threading import Event, current_thread
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIRequest
from django.db import connection

from romme_site import rsgi
from tests.ready import make_ready
from tests.server import HOST, Client, Server

PATIENCE = 5  # seconds; long enough to open some hundred connections and one page
LONGEST_WAIT = 120
TOKEN = Client.TOKEN
LOG_IN = (
    f"POST /konto/anmelden/ HTTP/1.1\r\nHost: {HOST}\r\nCookie: csrftoken={TOKEN}\r\n"
    f"X-CSRFToken: {TOKEN}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
)


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory,
    django_db_setup: None,
) -> Iterator[Server]:
    """Return the running program, with an empty database of its own."""
    folder = tmp_path_factory.mktemp("server")
    file = folder / "server.sqlite3"
    with (
        closing(sqlite3.connect(connection.settings_dict["NAME"])) as empty,
        closing(sqlite3.connect(file)) as copy,
    ):
        empty.backup(copy)
    # Two workers, so that one could be overlooked.
    with Server(
        make_ready(folder), database=f"sqlite:///{file}", PATIENCE=str(PATIENCE), WORKERS="2"
    ) as running:
        yield running


@pytest.fixture
def line(server: Server) -> Iterator[Line]:
    with ExitStack() as stack:
        yield Line(server, stack)


class Line:
    """Opens connections, and closes them all at the end of a test."""

    def __init__(self, server: Server, stack: ExitStack) -> None:
        self.server, self.stack = server, stack

    def open(self, sent: str | bytes) -> socket.socket:
        """Return a connection on which something was sent."""
        device = socket.create_connection((HOST, self.server.port), timeout=LONGEST_WAIT)
        self.stack.enter_context(device)
        device.sendall(sent if isinstance(sent, bytes) else sent.encode())
        return device

    def page(self) -> int:
        """Return the status of a page that reads the database."""
        return Client(self.server.port, {}).get("/")[0]


def everything(device: socket.socket) -> str:
    """Return what comes until the server closes the connection."""
    pieces = []
    while piece := device.recv(65536):
        pieces.append(piece)
    return b"".join(pieces).decode()


def one(device: socket.socket, until: str) -> str:
    """Return what comes up to and with *until*."""
    got = ""
    while until not in got:
        piece = device.recv(65536)
        assert piece, f"closed after {got!r}"
        got += piece.decode()
    return got


def test_who_does_not_finish_a_request_keeps_nobody_waiting_and_is_let_go(line: Line):
    forms = [line.open(f"{LOG_IN}Content-Length: 5000\r\n\r\n{'x' * 22}") for _ in range(50)]
    heads = [line.open("GET / HTTP/1.1\r\nHost: ha") for _ in range(300)]
    idle = [line.open(f"GET /favicon.ico HTTP/1.1\r\nHost: {HOST}\r\n\r\n") for _ in range(20)]
    for device in idle:
        one(device, "\r\n\r\n")

    status = line.page()
    ended, _, _ = select([*forms, *heads], [], [], 0)
    answers = [everything(device) for device in forms]

    assert status == 200
    assert not ended  # the page did not wait for them to be given up
    assert all(answer.startswith("HTTP/1.1 408 ") for answer in answers)
    assert all("kam nicht vollständig an" in answer for answer in answers)
    assert [everything(device) for device in heads] == [""] * 300
    for device in idle:
        everything(device)


def test_who_does_not_read_keeps_nobody_waiting(line: Line):
    request = f"GET /static/django_htmx/htmx-2.js HTTP/1.1\r\nHost: {HOST}\r\n\r\n"
    for _ in range(100):
        line.open(request * 20)

    assert line.page() == 200


def test_a_connection_is_kept_and_a_head_has_no_body(line: Line):
    device = line.open(f"HEAD / HTTP/1.1\r\nHost: {HOST}\r\n\r\n")
    first = one(device, "\r\n\r\n")
    device.sendall(f"GET /gibt-es-nicht/ HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())

    assert first.startswith("HTTP/1.1 200 ")
    assert first.endswith("\r\n\r\n")
    assert one(device, "</html>").startswith("HTTP/1.1 404 ")


def test_who_asks_first_whether_to_send_is_told_to(line: Line):
    form = "username=niemand&password=falsch"
    device = line.open(f"{LOG_IN}Expect: 100-continue\r\nContent-Length: {len(form)}\r\n\r\n")
    told = one(device, "\r\n\r\n")
    device.sendall(form.encode())

    assert told.startswith("HTTP/1.1 100 ")
    assert "passen nicht zusammen" in one(device, "</html>")


def test_what_is_too_large_is_refused_before_and_after_it_was_sent(line: Line):
    head = f"{LOG_IN}Content-Length: {rsgi.MOST_BYTES + 1}\r\n"
    before = line.open(f"{head}Expect: 100-continue\r\n\r\n")
    after = line.open(f"{head}\r\n")
    after.sendall(bytes(rsgi.MOST_BYTES + 1))

    for answer in (everything(before), everything(after)):
        assert answer.startswith("HTTP/1.1 413 ")
        assert "Mehr als 80 MB nimmt das Programm nicht an." in answer


def test_what_does_not_say_how_long_it_is_is_refused(line: Line):
    answer = everything(
        line.open(f"{LOG_IN}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
    )

    assert answer.startswith("HTTP/1.1 411 ")
    assert "wie lang sie ist" in answer


def test_who_tries_passwords_takes_no_thread_of_the_pages(line: Line):
    forms = [f"username=name-{number}&password=falsch" for number in range(40)]
    tries = [
        line.open(f"{LOG_IN}Connection: close\r\nContent-Length: {len(form)}\r\n\r\n{form}")
        for form in forms
    ]
    status = line.page()
    too_many = [everything(device) for device in tries[-5:]]

    assert status == 200
    for answer in too_many:
        assert answer.startswith("HTTP/1.1 503 ")
        assert "Gerade melden sich zu viele auf einmal an" in answer


class Headers(list[tuple[str, str]]):
    """Header lines as the server hands them over: those that come twice stand there twice."""

    def items(self) -> list[tuple[str, str]]:
        return list(self)

    def get(self, name: str, otherwise: str) -> str:
        return dict(self).get(name, otherwise)

    def __contains__(self, name: object) -> bool:
        return name in dict(self)


def request(*headers: tuple[str, str]) -> Any:
    return SimpleNamespace(
        method="GET",
        path="/übersicht/",
        query_string="seite=2",
        server="[::1]:8000",
        client="[2001:db8::7]:50123",
        http_version="1.1",
        scheme="http",
        headers=Headers(headers),
    )


def test_a_request_reaches_django_as_it_was_sent():
    headers = [("x-forwarded-for", "192.0.2.1"), ("x-forwarded-for", "192.0.2.2")]
    headers += [("x_forwarded_for", "made up"), ("cookie", "a=1"), ("cookie", "b=2")]
    headers += [("content-length", "0")]

    environ = rsgi._environ(request(*headers), BytesIO())
    arrived = WSGIRequest(environ)

    assert arrived.path == "/übersicht/"
    assert arrived.GET["seite"] == "2"
    assert arrived.META["REMOTE_ADDR"] == "2001:db8::7"
    assert arrived.META["HTTP_X_FORWARDED_FOR"] == "192.0.2.1,192.0.2.2"
    assert arrived.META["CONTENT_LENGTH"] == "0"
    assert arrived.COOKIES == {"a": "1", "b": "2"}


async def pieces(*each: bytes) -> AsyncIterator[bytes]:
    for piece in each:
        yield piece


def test_what_many_send_at_once_has_a_limit_in_all_and_counts_no_longer_than_it_comes(monkeypatch):
    monkeypatch.setattr(rsgi, "MOST_HELD", 10)
    bodies, form = rsgi.Bodies(), request(("content-length", "8"))
    bodies.held = 3  # somebody else's

    with pytest.raises(rsgi.RefusedError, match="zu viel gesendet") as refusal:
        asyncio.run(bodies.read(form, pieces(b"1234", b"5678"), BytesIO()))
    bodies.held -= 3
    asyncio.run(bodies.read(form, pieces(b"1234", b"5678"), into := BytesIO()))

    assert refusal.value.status == 503
    assert into.read() == b"12345678"
    assert bodies.held == 0


def test_nobody_is_answered_who_went_away_in_the_middle():
    with pytest.raises(rsgi.HungUpError):
        asyncio.run(
            rsgi.Bodies().read(request(("content-length", "8")), pieces(b"1234"), BytesIO())
        )


def test_tables_that_wait_keep_no_page_waiting(monkeypatch: pytest.MonkeyPatch):
    answered_by = []
    page_is_there = Event()

    def answer(environ: dict[str, Any]) -> rsgi.Answer:
        if environ["PATH_INFO"] == "/tisch/k7x/senden/":
            assert page_is_there.wait(LONGEST_WAIT)
        else:
            page_is_there.set()
        answered_by.append(current_thread().name.rpartition("_")[0])
        return 200, [], b""

    async def games_and_then_a_page() -> None:
        asked = [request() for _one in range(6)]
        for one in asked[:-1]:
            one.path = "/tisch/k7x/senden/"
        await asyncio.gather(*(program._in_a_thread(one, BytesIO()) for one in asked))

    monkeypatch.setattr(rsgi, "_answer", answer)
    program = rsgi.Application()

    asyncio.run(games_and_then_a_page())

    assert answered_by == ["page", *["table"] * 5]


def test_a_full_disk_is_said_where_a_large_body_is_kept():
    class Full(BytesIO):
        def write(self, _piece: Any) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(rsgi.RefusedError, match="Der Datenträger ist voll") as refusal:
        asyncio.run(rsgi.Bodies().read(request(("content-length", "4")), pieces(b"1234"), Full()))

    assert refusal.value.status == 507


def test_no_worker_serves_on_when_the_program_was_killed(server: Server):
    """The last one, because it ends the server of this module."""
    assert server.process is not None

    os.kill(server.process.pid, signal.SIGKILL)

    server.wait_until_silent()


LOADED = """
import json, sys
from romme_site import rsgi
print(json.dumps(sorted(sys.modules)))
"""


def test_a_worker_loads_nothing_that_few_ask_for():
    said = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, check=True)
    modules = json.loads(said.stdout.splitlines()[-1])

    assert {"openpyxl", "icalendar", "pikepdf", "weasyprint"} & set(modules) == set()
