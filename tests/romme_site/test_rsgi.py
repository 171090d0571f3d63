"""The running server: slow or oversized requests do not delay others."""

from __future__ import annotations

import http.client
import json
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from select import select

import pytest
from django.db import connection

from romme_site import request_bodies
from tests.first_start import make_ready
from tests.server import HOST, Client, Server
from tournaments.common.submissions import new_form_key

PATIENCE = 5  # seconds; long enough to open some hundred connections and one page
LONGEST_WAIT = 120
TOKEN = Client.TOKEN
SESSION = {"sessionid": "s" * 32}
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
    """Return the data received until the server closes the connection."""
    pieces = []
    while piece := device.recv(65536):
        pieces.append(piece)
    return b"".join(pieces).decode()


def one(device: socket.socket, until: str) -> str:
    """Return the data received up to and including *until*."""
    got = ""
    while until not in got:
        piece = device.recv(65536)
        assert piece, f"closed after {got!r}"
        got += piece.decode()
    return got


def test_an_unfinished_request_blocks_no_other_and_is_dropped(line: Line):
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


def test_a_client_that_does_not_read_blocks_no_other(line: Line):
    request = f"GET /static/django_htmx/htmx-2.js HTTP/1.1\r\nHost: {HOST}\r\n\r\n"
    for _ in range(100):
        line.open(request * 20)

    assert line.page() == 200


@pytest.mark.parametrize(
    ("path", "form", "sender_and_reader"),
    [
        pytest.param("/tisch/", "table=1&code=K7M2PX", ({}, {}), id="tables and their pages"),
        pytest.param("/", "", ({}, SESSION), id="what strangers send, and an account"),
        pytest.param("/", "", ({}, {}), id="what strangers send, and their pages"),
        pytest.param("/", "", (SESSION, SESSION), id="acts of an account, and its pages"),
    ],
)
def test_a_page_waiting_for_the_database_blocks_no_other(
    server: Server,
    line: Line,
    path: str,
    form: str,
    sender_and_reader: tuple[dict[str, str], dict[str, str]],
):
    sender, cookies = sender_and_reader
    jar = "; ".join(f"{name}={value}" for name, value in {"csrftoken": TOKEN, **sender}.items())
    form = f"form_key={new_form_key()}&{form}"
    sent = (
        f"POST {path} HTTP/1.1\r\nHost: {HOST}\r\nCookie: {jar}\r\n"
        f"X-CSRFToken: {TOKEN}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {len(form)}\r\n\r\n{form}"
    )
    file = server.environment["DATABASE_URL"].removeprefix("sqlite:///")
    with closing(sqlite3.connect(file, isolation_level=None)) as another:
        another.execute("BEGIN IMMEDIATE")
        forms = [line.open(sent) for _table in range(16)]
        pages = [Client(server.port, cookies).get(path)[0] for _page in range(16)]
        pages += [Client(server.port, cookies).get(probe)[0] for probe in ("/healthz", "/readyz")]
        answered, _, _ = select(forms, [], [], 0)
        another.execute("ROLLBACK")

    assert pages == [200] * 18
    assert answered == []  # the pages did not wait for them
    assert all(one(device, "\r\n\r\n").startswith("HTTP/1.1 ") for device in forms)


def test_a_connection_is_kept_and_a_head_has_no_body(line: Line):
    device = line.open(f"HEAD / HTTP/1.1\r\nHost: {HOST}\r\n\r\n")
    first = one(device, "\r\n\r\n")
    device.sendall(f"GET /gibt-es-nicht/ HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())

    assert first.startswith("HTTP/1.1 200 ")
    assert first.endswith("\r\n\r\n")
    assert one(device, "</html>").startswith("HTTP/1.1 404 ")


def test_expect_100_continue_is_answered(line: Line):
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
        pytest.param(
            LOG_IN, request_bodies.SMALL + 1, "Mehr als 64 KB nimmt", id="no page for files"
        ),
        pytest.param(UPLOAD, request_bodies.MOST_BYTES + 1, "Mehr als 80 MB nimmt", id="too large"),
        pytest.param(UPLOAD, request_bodies.SMALL + 1, "Bitte zuerst anmelden", id="nobody's"),
    ],
)
def test_refused_bodies_are_refused_before_and_after_sending(
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
    length = request_bodies.SMALL + 1
    device = line.open(f"{UPLOAD}Cookie: {account}\r\nContent-Length: {length}\r\n\r\n")
    device.sendall(b"x" * length)

    answer = one(device, "</html>")

    assert "Das Formular" in answer  # Django has read it, and found no form token
    assert answer.startswith("HTTP/1.1 403 ")


def test_a_body_without_a_length_is_refused(line: Line):
    answer = everything(
        line.open(f"{LOG_IN}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
    )

    assert answer.startswith("HTTP/1.1 411 ")
    assert "wie lang sie ist" in answer


def log_in(line: Line, name: str, password: str) -> socket.socket:
    form = f"username={name}&password={password}"
    return line.open(f"{LOG_IN}Connection: close\r\nContent-Length: {len(form)}\r\n\r\n{form}")


def test_a_known_device_logs_in_during_a_password_attack(line: Line, account: str):
    tries = [log_in(line, f"name-{number}", "falsch") for number in range(5)]

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
    assert ends <= {"HTTP/1.1 200", "HTTP/1.1 429"}


def test_workers_end_when_the_program_is_killed(server: Server):
    """The last one, because it ends the server of this module."""
    assert server.process is not None

    server.process.kill()

    server.wait_until_silent()


LOADED = """
import json, sys
from romme_site import rsgi
print(json.dumps(sorted(sys.modules)))
"""


def test_a_worker_does_not_import_rarely_used_modules():
    said = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, check=True)
    modules = json.loads(said.stdout.splitlines()[-1])

    assert {"openpyxl", "icalendar", "pikepdf", "weasyprint"} & set(modules) == set()
