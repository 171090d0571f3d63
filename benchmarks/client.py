"""The HTTP client of all benchmarks: kept connections, cookies, forms and polling."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import defaultdict
from collections.abc import Mapping
from html.parser import HTMLParser
from http import HTTPStatus
from io import BytesIO
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlencode

from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from tests.server import FORM, HOST
from tournaments.common.submissions import new_form_key

JSON = "application/json"
FORM_TOKEN = "t" * 32  # the same in the cookie and in the header, as the page would send it
TIMEOUT = 600  # seconds
MOST_ATTEMPTS = 100  # to send a form that is answered with another one
ATTEMPT_SECONDS = 0.1
ASKED_AGAIN = {HTTPStatus.OK, HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY}
POLL_SECONDS = 4  # as static/js/table/outbox.js has it


class HasPort(Protocol):
    """A server to connect to; the port may change when another laptop takes over."""

    @property
    def port(self) -> int: ...


class Answer(NamedTuple):
    """An answer of the program, and the milliseconds it took."""

    status: int
    head: str
    body: bytes
    milliseconds: float

    def header(self, name: str) -> str:
        """Return the value of a header, whose *name* is in small letters; empty without it."""
        at = self.head.lower().find(f"\r\n{name}:") + 2
        return self.head[at + len(name) + 1 :].partition("\r\n")[0].strip() if at > 1 else ""

    @property
    def text(self) -> str:
        """Return the body as text."""
        return self.body.decode()


class Client:
    """A browser with one kept connection."""

    def __init__(
        self, server: HasPort, cookies: Mapping[str, str] | None = None, *, address: str = HOST
    ) -> None:
        """*address* is the one of this machine that it connects from."""
        self.server, self.address = server, address
        self.cookies = {"csrftoken": FORM_TOKEN, **(cookies or {})}
        self.headers: dict[str, str] = {}
        self._port = 0
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def open(self) -> None:
        """Connect."""
        self.close()
        self._port = self.server.port
        self._streams = await asyncio.open_connection(
            HOST, self._port, local_addr=(self.address, 0)
        )

    def close(self) -> None:
        """Disconnect."""
        if self._streams is not None:
            self._streams[1].close()
        self._streams = None

    async def send(self, path: str, body: str | bytes = "", kind: str = "") -> Answer:
        """Send a request, a POST if it has a *kind* of content, and return the answer.

        A GET is repeated once if the server closed the connection as idle.
        """
        async with asyncio.timeout(TIMEOUT):
            try:
                return await self._send(path, body, kind)
            except (OSError, asyncio.IncompleteReadError):
                self.close()
                if kind:
                    raise
            return await self._send(path, body, kind)

    async def _send(self, path: str, body: str | bytes, kind: str) -> Answer:
        if self._streams is None or self._port != self.server.port:
            await self.open()
        assert self._streams is not None  # noqa: S101 - it is connected
        reader, writer = self._streams
        content = body.encode() if isinstance(body, str) else body
        headers = {
            "Host": f"{HOST}:{self._port}",
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "X-CSRFToken": FORM_TOKEN,
            "Accept-Language": "de",
            "Content-Type": kind or JSON,
            "Content-Length": str(len(content)),
            **self.headers,
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        method = "POST" if kind else "GET"
        begun = time.perf_counter()
        writer.write(f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode() + content)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        answer = Answer(int(head.split(" ", 2)[1]), head, b"", 0)
        received = await reader.readexactly(int(answer.header("content-length") or 0))
        milliseconds = 1000 * (time.perf_counter() - begun)
        if answer.header("connection").lower() == "close":
            self.close()
        if answer.header("set-cookie"):
            self.cookies |= dict(re.findall(r"(?im)^set-cookie: *([^=]+)=([^;\r]*)", head))
        return answer._replace(body=received, milliseconds=milliseconds)

    async def get(self, path: str, expected: int = HTTPStatus.OK) -> Answer:
        """Return a page, which must have the *expected* status."""
        answer = await self.send(path)
        demand_status(answer, path, expected)
        return answer

    async def submit(self, path: str, **fields: Any) -> Answer:
        """Send a form, which must be accepted; a redirect is the answer to it."""
        answer = await self.send(path, urlencode({"form_key": new_form_key(), **fields}), FORM)
        demand_status(answer, path, HTTPStatus.FOUND)
        return answer

    async def fill(self, page: str, action: str = "", **typed: Any) -> Answer:
        """Open a page, fill in its form for *action*, and send it until it is accepted.

        Without *action* it is the form of the page's own address. It is sent again where it
        shows its effects first, or other effects because of an act of another account.
        """
        path = action or page
        answer = await self.send(page)
        milliseconds = answer.milliseconds
        for _attempt in range(MOST_ATTEMPTS):
            forms = Forms(answer.text).fields
            fields = forms[action] or forms[""]  # that of a page which asks before it acts
            answer = await self.send(path, *_encoded({**fields, **typed}))
            milliseconds += answer.milliseconds
            if answer.status not in ASKED_AGAIN:
                break
            await asyncio.sleep(ATTEMPT_SECONDS)
        demand_status(answer, path, HTTPStatus.FOUND)
        return answer._replace(milliseconds=milliseconds)


class PatientClient(Client):
    """A client that sends a request again until it is answered, as people do."""

    RETRY_SECONDS = 0.5

    def __init__(self, server: HasPort, cookies: Mapping[str, str] | None = None) -> None:
        super().__init__(server, cookies)
        self.faults: list[str] = []  # answers that were a fault of the program
        self.sent: dict[str, str] = {}  # content type, by path

    async def send(self, path: str, body: str | bytes = "", kind: str = "") -> Answer:
        """Send a request until there is an answer, and count all the time that it takes."""
        begun = time.perf_counter()
        self.sent[path] = kind
        while time.perf_counter() < begun + TIMEOUT:
            try:
                answer = await super().send(path, body, kind)
            except (OSError, asyncio.IncompleteReadError):
                self.close()
            else:
                if answer.status < HTTPStatus.INTERNAL_SERVER_ERROR:
                    return answer._replace(milliseconds=1000 * (time.perf_counter() - begun))
                self.faults.append(f"{path}: {answer.status}")
            await asyncio.sleep(self.RETRY_SECONDS)
        raise RuntimeError(f"{path} is not answered")


class Page:
    """An open page that polls for changes."""

    def __init__(self, client: Client, path: str) -> None:
        self.client, self.path, self.since, self.status = client, path, "", 0
        client.headers["HX-Request"] = "true"

    async def poll(self) -> float:
        """Ask for changes, and return the milliseconds."""
        mark = "&" if "?" in self.path else "?"
        answer = await self.client.send(f"{self.path}{mark}since={self.since}")
        self.status = answer.status
        if answer.status == HTTPStatus.OK and answer.body.startswith(b"{"):
            self.since = str(json.loads(answer.body)["since"])
        elif answer.status == HTTPStatus.OK:
            since = answer.text.partition("since=")[2]
            self.since = since.partition('"')[0].partition("&")[0]
        elif answer.status != HTTPStatus.NO_CONTENT:
            demand_status(answer, self.path, HTTPStatus.OK)
        return answer.milliseconds

    async def stay_open(self, delay: float) -> None:
        """Poll as the page does, until cancelled."""
        await asyncio.sleep(delay)
        while True:
            await self.poll()
            await asyncio.sleep(POLL_SECONDS)


class Forms(HTMLParser):
    """The fields of the forms of a page by action; "" is the page's own address."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.fields: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self._action = self._select = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the action of a form, or the value of a field."""
        attributes = {name: value or "" for name, value in attrs}
        name, fields = attributes.get("name", ""), self.fields[self._action]
        is_box = attributes.get("type") in {"radio", "checkbox"}
        if tag == "form":
            is_post = attributes.get("method") == "post"
            self._action = attributes.get("action", "") if is_post else "?"
        elif tag == "select":
            self._select = name
        elif tag == "option" and "selected" in attributes:
            fields[self._select].append(attributes["value"])
        elif tag == "input" and (not is_box or "checked" in attributes):
            fields[name].append(attributes.get("value", ""))


def demand_status(answer: Answer, path: str, expected: int) -> None:
    """Raise unless an answer has the *expected* status."""
    if answer.status != expected:
        raise RuntimeError(f"{path}: {answer.status}, {answer.text[:500]}")


def _encoded(form: Mapping[str, Any]) -> tuple[str | bytes, str]:
    """Return a form as it is sent, and its content type."""
    files = [value for value in form.values() if isinstance(value, BytesIO)]
    for file in files:
        file.seek(0)  # it may be sent again
    if files:
        return encode_multipart(BOUNDARY, dict(form)), MULTIPART_CONTENT
    return urlencode(form, doseq=True), FORM
