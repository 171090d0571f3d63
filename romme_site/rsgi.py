"""Entry point of the server: a thread is used for a request only when it is complete.

Threads are few, because a database is written by one at a time. A slow sender or reader must
not block one. So a request is read here, beside the threads, with limits of time and size,
and its answer is handed over as a whole. Requests that are too slow or too large are refused
with a page that says so. Checking passwords is slow by intention and has a thread of its own,
so that guessing delays no page. So have the pages of tables, hundreds of which may wait for
the database at once.

Environment: ``THREADS``, the number of threads that answer pages, and ``PATIENCE``, the seconds
that a device may take to send a request.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING, Any

from django.db import connection
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from romme_site.wsgi import application as pages  # sets Django up, which the others need

# isort: split
from tournaments.common.errors import failure_of
from tournaments.machine import systems as machine

if TYPE_CHECKING:
    from collections.abc import Callable

    from granian.rsgi import HTTPProtocol, Scope  # type: ignore[attr-defined]

PATIENCE = float(os.environ.get("PATIENCE") or 20)
MOST_BYTES = 80 * 2**20  # archives have 64 MB at most, and a page that says so
SLOWEST = 50_000  # bytes in a second; slower large files have no more than PATIENCE
IN_MEMORY = 64 * 1024  # of a body; what is larger waits in a file
MOST_HELD = 512 * 2**20  # of all bodies together that are on their way
MOST_PASSWORDS = 8  # at a time: one is checked, the others wait a few seconds

Headers = list[tuple[str, str]]
Answer = tuple[int, Headers, bytes]


class RefusedError(Exception):
    """A request that is refused; the message is shown."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class HungUpError(Exception):
    """The device disconnected before its request was complete; no answer is sent."""


class Bodies:
    """Reads the bodies of requests, with a limit for all of them together."""

    def __init__(self) -> None:
        self.held = 0  # bytes

    async def read(self, scope: Scope, sent: HTTPProtocol, into: IO[bytes]) -> None:
        """Read the body of a request to its end.

        Raises:
            RefusedError: if it is too large, too slow, or of unknown length.
            HungUpError: if it ends before the announced length.
        """
        announced = _length(scope)
        if not announced:
            return
        if announced > MOST_BYTES:
            if "expect" not in scope.headers:  # with Expect, nothing is sent yet
                await _read_past(sent)
            raise RefusedError(
                413,
                _("Das ist zu groß: Mehr als {most} MB nimmt das Programm nicht an.").format(
                    most=MOST_BYTES // 2**20
                ),
            )
        length = 0
        try:
            async with asyncio.timeout(PATIENCE + announced / SLOWEST):
                async for piece in sent:
                    length += len(piece)
                    self.held += len(piece)
                    if self.held > MOST_HELD:
                        raise RefusedError(
                            503,
                            _(
                                "Gerade wird von vielen auf einmal zu viel gesendet. Bitte in "
                                "einer Minute noch einmal versuchen."
                            ),
                        )
                    into.write(piece)
        except TimeoutError:
            raise RefusedError(
                408,
                _(
                    "Die Anfrage kam nicht vollständig an, vielleicht ist das Netz zu langsam. "
                    "Es wurde nichts gespeichert; bitte noch einmal versuchen."
                ),
            ) from None
        except OSError as problem:  # as when a large body finds no room
            if (failure := failure_of(problem)) is None:
                raise
            raise RefusedError(failure.status, str(failure)) from None
        finally:
            self.held -= length
        if length != announced:
            raise HungUpError
        into.seek(0)


def _length(scope: Scope) -> int:
    given = scope.headers.get("content-length", "0")
    if "transfer-encoding" in scope.headers or not (given.isascii() and given.isdigit()):
        raise RefusedError(411, _("Der Anfrage fehlt die Angabe, wie lang sie ist."))
    return int(given)


async def _read_past(sent: HTTPProtocol) -> None:
    """Read and discard the rest of a body, because browsers read the answer only after sending."""
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            async for _piece in sent:
                pass


def _environ(scope: Scope, body: IO[bytes]) -> dict[str, Any]:
    """Return the request as WSGI (PEP 3333) hands it over."""
    name, _colon, port = scope.server.rpartition(":")
    environ = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string,
        "SERVER_NAME": name,
        "SERVER_PORT": port,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": body,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for header, value in scope.headers.items():
        # With an underscore it would pass for one that the proxy in front sets.
        if "_" in header:
            continue
        key = header.upper().replace("-", "_")
        if key not in {"CONTENT_TYPE", "CONTENT_LENGTH"}:
            key = f"HTTP_{key}"
        between = "; " if header == "cookie" else ","
        environ[key] = f"{environ[key]}{between}{value}" if key in environ else value
    return environ


def _answer(environ: dict[str, Any]) -> Answer:
    """Let Django answer; runs in a thread."""
    begun: list[tuple[int, Headers]] = []
    written: list[bytes] = []

    def start(status: str, headers: Headers, _problem: object = None) -> Callable[[bytes], object]:
        begun.append((int(status[:3]), headers))
        return written.append

    response = pages(environ, start)
    try:
        written.extend(response)
    finally:
        response.close()
    return *begun[0], b"".join(written)


@cache
def _page(sentence: str) -> bytes:
    return render_to_string("not_taken.html", {"sentence": sentence}).encode()


class Application:
    """What granian calls for each request."""

    def __init__(self) -> None:
        self.bodies = Bodies()
        self.threads = ThreadPoolExecutor(int(os.environ.get("THREADS") or 2), "page")
        self.table_threads = ThreadPoolExecutor(1 if connection.vendor == "sqlite" else 2, "table")
        self.password_thread = ThreadPoolExecutor(1, "password")
        self.passwords = 0  # requests that wait for this thread or are in it
        self.accounts = reverse("account:profile")  # prefix of all pages that ask for one
        self.tables = reverse("table:code")

    def __rsgi_init__(self, _loop: asyncio.AbstractEventLoop) -> None:
        """Start the worker; called once in each, when the program is loaded."""
        machine.end_with_parent()

    async def __rsgi__(self, scope: Scope, device: HTTPProtocol) -> None:
        """Answer a request."""
        with SpooledTemporaryFile(IN_MEMORY) as body:
            try:
                await self.bodies.read(scope, device, body)
                status, headers, content = await self._in_a_thread(scope, body)
            except HungUpError:
                return
            except RefusedError as refusal:
                status, content = refusal.status, _page(str(refusal))
                headers = [
                    ("Content-Type", "text/html; charset=utf-8"),
                    ("Content-Length", str(len(content))),
                    ("Cache-Control", "no-store"),
                    ("Connection", "close"),
                    ("Retry-After", "5"),
                ]
        device.response_bytes(status, headers, content)

    async def _in_a_thread(self, scope: Scope, body: IO[bytes]) -> Answer:
        loop = asyncio.get_running_loop()
        environ = _environ(scope, body)
        if scope.path.startswith(self.tables):
            return await loop.run_in_executor(self.table_threads, _answer, environ)
        if scope.method != "POST" or not scope.path.startswith(self.accounts):
            return await loop.run_in_executor(self.threads, _answer, environ)
        if self.passwords >= MOST_PASSWORDS:
            raise RefusedError(
                503,
                _(
                    "Gerade melden sich zu viele auf einmal an. Bitte in ein paar Sekunden noch "
                    "einmal versuchen."
                ),
            )
        self.passwords += 1
        try:
            return await loop.run_in_executor(self.password_thread, self._answer_and_rest, environ)
        finally:
            self.passwords -= 1

    def _answer_and_rest(self, environ: dict[str, Any]) -> Answer:
        """Answer, then pause for twice as long, so that pages go first; runs in the thread."""
        begun = time.monotonic()
        try:
            return _answer(environ)
        finally:
            # Queued like another request: this answer need not wait for it.
            self.password_thread.submit(time.sleep, 2 * (time.monotonic() - begun))


application = Application()
