"""Handling of a request before Django, and its thread; without a server."""

# ruff: noqa: SLF001 - asks what is private in a module of ours

from __future__ import annotations

import asyncio
import errno
from collections.abc import AsyncIterator
from contextlib import ExitStack
from io import BytesIO
from threading import Event, current_thread
from types import SimpleNamespace
from typing import Any, cast

import pytest
from django.core.handlers.wsgi import WSGIRequest

from romme_site import request_bodies, rsgi
from romme_site.client_checks import LoginStanding

LONGEST_WAIT = 120


class Headers(list[tuple[str, str]]):
    """Header lines as the server passes them: repeated lines are repeated."""

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
def test_other_encodings_are_refused_before_django(charset: str):
    """Django answers nothing that fails while it makes a request, and decodes by them there."""
    name = "charset*" if "''" in charset else "charset"
    asked = request(("content-type", f"text/plain; {name}={charset}"))

    assert answer_of(rsgi.Application(), asked)[0] == 400


def test_the_charset_of_a_body_does_not_reach_django():
    kind = 'multipart/form-data; Charset="UTF-8"; boundary="a;b"'

    environ = rsgi._environ(request(("content-type", kind)), BytesIO())

    assert environ["CONTENT_TYPE"] == 'multipart/form-data; boundary="a;b"'


def test_a_full_disk_is_reported_for_a_large_body(monkeypatch: pytest.MonkeyPatch):
    class Full(BytesIO):
        def write(self, _piece: Any) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(rsgi, "SpooledTemporaryFile", lambda _size: Full())

    status, said = answer_of(rsgi.Application(), request(("content-length", "4")))

    assert status == 507
    assert "Der Datenträger ist voll" in said


def test_small_requests_do_not_wait_for_uploads(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(rsgi, "has_account", lambda _environ: True)
    monkeypatch.setattr(rsgi, "_answer", lambda _environ: (200, [], b"done"))
    small = request(("content-length", "4"))
    large = request(("content-length", str(request_bodies.MOST_BYTES)))
    for asked in (small, large):
        asked.method, asked.path = "POST", "/archiv-einlesen/"
    program = rsgi.Application()

    with ExitStack() as uploads:
        for number in range(request_bodies.MOST_UPLOADS):
            uploads.enter_context(program.uploads.place_for(f"192.0.2.{number}"))
        refused, taken = answer_of(program, large), answer_of(program, small)

    assert refused[0] == 503
    assert taken == (200, "done")


@pytest.mark.parametrize(
    ("path", "standing", "thread"),
    [
        pytest.param("/konto/anmelden/", LoginStanding.STRANGER, "stranger", id="a log-in"),
        pytest.param("/konto/anmelden/", LoginStanding.KNOWN, "known", id="who was here before"),
        pytest.param("/konto/anmelden/", LoginStanding.REFUSED, "door", id="who is locked out"),
        pytest.param("/konto/kennwort/", LoginStanding.STRANGER, "known", id="the own password"),
        pytest.param("/konto/abmelden/", LoginStanding.STRANGER, "entry", id="logging out"),
        pytest.param("/konto/rollen/mai/", LoginStanding.STRANGER, "entry", id="giving roles"),
        pytest.param("/konto/gibt-es-nicht/", LoginStanding.STRANGER, "entry", id="no view"),
        pytest.param("/sicherungen/ersatz/stand/", LoginStanding.STRANGER, "standby", id="standby"),
    ],
)
def test_only_password_checks_and_the_standby_have_queues(
    monkeypatch: pytest.MonkeyPatch, path: str, standing: LoginStanding, thread: str
):
    asked = request()
    asked.method, asked.path = "POST", path
    monkeypatch.setattr(rsgi, "login_standing", lambda _environ: (standing, "somebody"))
    monkeypatch.setattr(rsgi, "_answer", lambda _environ: current_thread().name)

    answered_by: Any = asyncio.run(
        rsgi.Application()._in_a_thread(asked, rsgi._environ(asked, BytesIO()))
    )

    assert answered_by.rpartition("_")[0] == thread


TABLE = "/tisch/k7x/"
ACCOUNT, DEVICE = ("cookie", "sessionid=abc"), ("cookie", "tischgeraet=abc")
STANDS_BY = "/sicherungen/ersatz/stand/"


@pytest.mark.parametrize(
    ("method", "path", "cookies", "thread"),
    [
        pytest.param("GET", "/", [], "stranger", id="a public page"),
        pytest.param("POST", "/t/mai/meldung/", [], "entry", id="what a stranger sends"),
        pytest.param("GET", "/turniere/", [ACCOUNT], "page", id="a page of an account"),
        pytest.param("HEAD", "/turniere/", [ACCOUNT], "page", id="its head"),
        pytest.param("POST", "/turniere/mai/kasse/", [ACCOUNT], "act", id="an act"),
        pytest.param("GET", f"{TABLE}stand/", [DEVICE], "table", id="a table"),
        pytest.param("POST", f"{TABLE}senden/", [DEVICE], "game", id="a game"),
        pytest.param("GET", TABLE, [ACCOUNT], "game", id="a device that is stored"),
        pytest.param("GET", "/tisch/", [], "table", id="the page of short codes"),
        pytest.param("POST", STANDS_BY, [], "standby", id="the other laptop"),
        pytest.param("GET", "/healthz", [], "/healthz", id="whether it lives"),
        pytest.param("GET", "/readyz", [ACCOUNT], "/readyz", id="whether it is ready"),
    ],
)
def test_reading_requests_use_no_thread_of_writing_ones(
    monkeypatch: pytest.MonkeyPatch,
    method: str,
    path: str,
    cookies: list[tuple[str, str]],
    thread: str,
):
    asked = request(*cookies)
    asked.method, asked.path = method, path
    monkeypatch.setattr(rsgi, "_answer", lambda _environ: current_thread().name)

    answered_by: Any = asyncio.run(
        rsgi.Application()._in_a_thread(asked, rsgi._environ(asked, BytesIO()))
    )

    assert answered_by.rpartition("_")[0] == thread


def test_waiting_tables_do_not_delay_pages(monkeypatch: pytest.MonkeyPatch):
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
        for environ in asked[:-1]:
            environ.method, environ.path = "POST", "/tisch/k7x/senden/"
        await asyncio.gather(
            *(program._in_a_thread(environ, rsgi._environ(environ, BytesIO())) for environ in asked)
        )

    monkeypatch.setattr(rsgi, "_answer", answer)
    program = rsgi.Application()

    asyncio.run(games_and_then_a_page())

    assert answered_by == ["stranger", *["game"] * 5]  # pages without a session
