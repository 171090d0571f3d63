"""The server as it is started: whoever sends slowly, or too much, keeps nobody waiting."""

from __future__ import annotations

import asyncio
import errno
import http.client
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
from typing import Any, cast

import pytest
from django.core.handlers.wsgi import WSGIRequest
from django.db import connection

from romme_site import bodies, rsgi
from romme_site.senders import Standing
from tests.ready import make_ready
from tests.server import HOST, Client, Server

PATIENCE = 5  # seconds; long enough to open some hundred connections and one page
LONGEST_WAIT = 120
TOKEN = Client.TOKEN
NAME, PASSWORD = "karla", "Herz-ist-heute-Trumpf"
MAKE_ACCOUNT = """
import sys
from romme_site import wsgi
from tournaments.models import User
if not User.objects.filter(username=sys.argv[1]):
    User.objects.create_user(*sys.argv[1:], name="Karla Otto")
"""
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
def account(server: Server) -> str:
    """Return the cookie of an account that has logged in before."""
    subprocess.run(
        [*server.program[:1], "-c", MAKE_ACCOUNT, NAME, PASSWORD],
        env=server.environment,
        check=True,
    )
    line = http.client.HTTPConnection(HOST, server.port, timeout=LONGEST_WAIT)
    headers = {
        "Cookie": f"csrftoken={TOKEN}",
        "X-CSRFToken": TOKEN,
        "Content-Type": "application/x-www-form-urlencoded",
    }
    with closing(line):
        line.request("POST", "/konto/anmelden/", f"username={NAME}&password={PASSWORD}", headers)
        cookies = line.getresponse().headers.get_all("Set-Cookie", [])
    return next(each.partition(";")[0] for each in cookies if each.startswith("sessionid="))


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


UPLOAD = (
    f"POST /archiv-einlesen/ HTTP/1.1\r\nHost: {HOST}\r\n"
    "Content-Type: application/x-www-form-urlencoded\r\n"
)


@pytest.mark.parametrize(
    ("head", "length", "answered"),
    [
        pytest.param(LOG_IN, bodies.SMALL + 1, "Mehr als 64 KB nimmt", id="no page for files"),
        pytest.param(UPLOAD, bodies.MOST_BYTES + 1, "Mehr als 80 MB nimmt", id="too large"),
        pytest.param(UPLOAD, bodies.SMALL + 1, "Bitte zuerst anmelden", id="nobody's"),
    ],
)
def test_what_is_unwanted_is_refused_before_and_after_it_was_sent(
    line: Line, head: str, length: int, answered: str
):
    head = f"{head}Content-Length: {length}\r\n"
    before = line.open(f"{head}Expect: 100-continue\r\n\r\n")
    after = line.open(f"{head}\r\n")
    after.sendall(bytes(length))

    for answer in (everything(before), everything(after)):
        assert answer.startswith(("HTTP/1.1 413 ", "HTTP/1.1 403 "))
        assert answered in answer


def test_an_account_may_send_a_large_file(line: Line, account: str):
    length = bodies.SMALL + 1
    device = line.open(f"{UPLOAD}Cookie: {account}\r\nContent-Length: {length}\r\n\r\n")
    device.sendall(b"x" * length)

    answer = one(device, "</html>")

    assert "Das Formular" in answer  # Django has read it, and found no form token
    assert answer.startswith("HTTP/1.1 403 ")


def test_what_does_not_say_how_long_it_is_is_refused(line: Line):
    answer = everything(
        line.open(f"{LOG_IN}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
    )

    assert answer.startswith("HTTP/1.1 411 ")
    assert "wie lang sie ist" in answer


def log_in(line: Line, name: str, password: str) -> socket.socket:
    form = f"username={name}&password={password}"
    return line.open(f"{LOG_IN}Connection: close\r\nContent-Length: {len(form)}\r\n\r\n{form}")


def test_who_was_here_gets_in_while_others_try_passwords(line: Line, account: str):
    tries = [log_in(line, f"name-{number}", "falsch") for number in range(40)]

    seen, right = line.page(), everything(log_in(line, NAME, PASSWORD))
    form = line.open(
        f"POST /konto/abmelden/ HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n"
        f"Cookie: csrftoken={TOKEN}; {account}\r\nX-CSRFToken: {TOKEN}\r\n"
        "Content-Length: 0\r\n\r\n"
    )
    out = everything(form)
    answered, _, _ = select(tries, [], [], 0)
    ends = {everything(device)[:12] for device in tries}

    assert seen == 200
    assert right.startswith("HTTP/1.1 302 ")
    assert out.startswith("HTTP/1.1 302 ")
    assert len(answered) < len(tries)  # both did not wait for them
    assert ends <= {"HTTP/1.1 200", "HTTP/1.1 429", "HTTP/1.1 503"}


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


class Device:
    """Sends four bytes of whatever it announced, and keeps the status and page of the answer."""

    answered = (0, "")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b"1234"

    def response_bytes(self, status: int, _headers: object, content: bytes) -> None:
        self.answered = status, content.decode()


def answer_of(program: rsgi.Application, asked: Any) -> tuple[int, str]:
    device = Device()
    asyncio.run(program.__rsgi__(asked, cast(Any, device)))
    return device.answered


@pytest.mark.parametrize(
    "charset", ["rot13", "idna", '"utf-16"', "utf-8; charset=utf-7", "x*=y", "utf-8''rot13"]
)
def test_other_encodings_are_refused_before_a_request_is_made(charset: str):
    """Django answers nothing that fails while it makes a request, and decodes by them there."""
    name = "charset*" if "''" in charset else "charset"
    asked = request(("content-type", f"text/plain; {name}={charset}"))

    assert answer_of(rsgi.Application(), asked)[0] == 400


def test_the_charset_of_a_body_does_not_reach_django():
    kind = 'multipart/form-data; Charset="UTF-8"; boundary="a;b"'

    environ = rsgi._environ(request(("content-type", kind)), BytesIO())

    assert environ["CONTENT_TYPE"] == 'multipart/form-data; boundary="a;b"'


def test_a_full_disk_is_said_where_a_large_body_is_kept(monkeypatch: pytest.MonkeyPatch):
    class Full(BytesIO):
        def write(self, _piece: Any) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(rsgi, "SpooledTemporaryFile", lambda _size: Full())

    status, said = answer_of(rsgi.Application(), request(("content-length", "4")))

    assert status == 507
    assert "Der Datenträger ist voll" in said


def test_what_is_small_waits_for_no_upload(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(rsgi, "has_account", lambda _environ: True)
    monkeypatch.setattr(rsgi, "_answer", lambda _environ: (200, [], b"done"))
    small = request(("content-length", "4"))
    large = request(("content-length", str(bodies.MOST_BYTES)))
    for asked in (small, large):
        asked.method, asked.path = "POST", "/archiv-einlesen/"
    program = rsgi.Application()

    with ExitStack() as uploads:
        for number in range(bodies.MOST_UPLOADS):
            uploads.enter_context(program.uploads.one_from(f"192.0.2.{number}"))
        refused, taken = answer_of(program, large), answer_of(program, small)

    assert refused[0] == 503
    assert taken == (200, "done")


@pytest.mark.parametrize(
    ("path", "standing", "thread"),
    [
        pytest.param("anmelden/", Standing.STRANGER, "stranger", id="a log-in"),
        pytest.param("anmelden/", Standing.KNOWN, "known", id="who was here before"),
        pytest.param("anmelden/", Standing.REFUSED, "door", id="who is locked out"),
        pytest.param("kennwort/", Standing.STRANGER, "known", id="the own password"),
        pytest.param("abmelden/", Standing.STRANGER, "page", id="logging out"),
        pytest.param("rollen/mai/", Standing.STRANGER, "page", id="giving roles"),
        pytest.param("gibt-es-nicht/", Standing.STRANGER, "page", id="no view"),
    ],
)
def test_only_who_checks_a_password_waits_in_a_lane(
    monkeypatch: pytest.MonkeyPatch, path: str, standing: Standing, thread: str
):
    asked = request()
    asked.method, asked.path = "POST", f"/konto/{path}"
    monkeypatch.setattr(rsgi, "standing_of", lambda _environ: (standing, "somebody"))
    monkeypatch.setattr(rsgi, "_answer", lambda _environ: current_thread().name)

    answered_by: Any = asyncio.run(
        rsgi.Application()._in_a_thread(asked, rsgi._environ(asked, BytesIO()))
    )

    assert answered_by.rpartition("_")[0] == thread


def test_the_laptop_that_stands_by_waits_behind_no_page(monkeypatch: pytest.MonkeyPatch):
    asked = request()
    asked.method, asked.path = "POST", "/sicherungen/ersatz/stand/"
    monkeypatch.setattr(rsgi, "_answer", lambda _environ: current_thread().name)

    answered_by: Any = asyncio.run(
        rsgi.Application()._in_a_thread(asked, rsgi._environ(asked, BytesIO()))
    )

    assert answered_by == "standby_0"


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
        await asyncio.gather(
            *(program._in_a_thread(one, rsgi._environ(one, BytesIO())) for one in asked)
        )

    monkeypatch.setattr(rsgi, "_answer", answer)
    program = rsgi.Application()

    asyncio.run(games_and_then_a_page())

    assert answered_by == ["page", *["table"] * 5]


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
