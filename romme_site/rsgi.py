"""Entry point of the server: a thread is used for a request only when it is complete.

Worker threads are few, because a database has one writer at a time, so a slow sender or reader must
not block one. A request is read here, outside the threads, within the limits of ``request_bodies``,
and its answer is handed over as a whole. Requests that are too slow or too large are refused with a
page. Requests that check a password wait in a ``password_queue``, so that guessing delays no page.

Pools of threads are separate, so that their requests do not wait for each other: with a session,
without one (hundreds may open public pages at once), and tables. Each has threads for reading and
for writing, because hundreds of writes may wait for the database. The standby laptop, which must
not fall behind, and each of the health checks have threads of their own.

Environment: ``THREADS``, the number of reading threads for requests with a session and for those
without, and of writing threads of each; tables have half as many. ``PATIENCE``, the seconds after
which a stalled request is refused.
"""

from __future__ import annotations

import asyncio
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from tempfile import SpooledTemporaryFile
from time import monotonic
from typing import IO, TYPE_CHECKING

from django.conf import settings
from django.core.exceptions import BadRequest
from django.db import DatabaseError, connection
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve, reverse
from django.utils.translation import gettext as _

from romme_site.wsgi import application as pages  # sets Django up, which the others need

# isort: split
from romme_site.client_checks import (
    RECEIVED,
    Environ,
    LoginStanding,
    address_of,
    has_account,
    login_standing,
)
from romme_site.env import limit
from romme_site.password_queue import Lane
from romme_site.request_bodies import (
    MOST_BYTES,
    SMALL,
    HungUpError,
    RefusedError,
    UnexpectedBodyError,
    Uploads,
    announced_length,
    read,
    read_past,
    too_large,
)
from romme_site.request_coalescing import RequestCoalescing
from romme_site.request_log import PROBES
from romme_site.text_validation import without_charset
from tournaments.common.errors import failure_of
from tournaments.table.views.table_access import COOKIE

if TYPE_CHECKING:
    from collections.abc import Callable

    from granian.rsgi import HTTPProtocol, Scope  # type: ignore[attr-defined]

# Views that check or store a password; all but the log-in need a token or a session for it.
LOG_IN = "account:login"
WITH_PASSWORD = {
    "account:change_password",
    "account:invitation",
    LOG_IN,
    "account:set_password",
    "account:setup",
}
WITH_FILE = {"archive:import", "cash:take_in", "people:import"}

SWITCH_SECONDS = 0.0005

Headers = list[tuple[str, str]]
Answer = tuple[int, Headers, bytes]


def _environ(scope: Scope, body: IO[bytes]) -> Environ:
    """Return the WSGI environment (PEP 3333) of a request.

    Raises:
        UnexpectedBodyError: if its body is not in UTF-8.
    """
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
        # With an underscore it could imitate a header that the proxy sets.
        if "_" in header:
            continue
        key = header.upper().replace("-", "_")
        if key not in {"CONTENT_TYPE", "CONTENT_LENGTH"}:
            key = f"HTTP_{key}"
        between = "; " if header == "cookie" else ","
        environ[key] = f"{environ[key]}{between}{value}" if key in environ else value
    if "CONTENT_TYPE" in environ:
        try:
            environ["CONTENT_TYPE"] = without_charset(str(environ["CONTENT_TYPE"]))
        except BadRequest as refusal:
            raise UnexpectedBodyError(
                400, _("Das Programm versteht nur Texte in UTF-8.")
            ) from refusal
    return environ


def _answer(environ: Environ) -> Answer:
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


def _refused(problem: Exception) -> Answer:
    """Return the page of a refusal or of a failure of the environment; raise anything else."""
    failure = problem if isinstance(problem, RefusedError) else failure_of(problem)
    if failure is None:
        raise problem
    content = _page(str(failure))
    headers = [
        ("Content-Type", "text/html; charset=utf-8"),
        ("Content-Length", str(len(content))),
        ("Cache-Control", "no-store"),
        ("Connection", "close"),
        ("Retry-After", "5"),
    ]
    return failure.status, headers, content


def _view_at(scope: Scope) -> str:
    """Return the name of the view of a request; empty if there is none."""
    try:
        return resolve(scope.path).view_name
    except Resolver404:
        return ""


@cache
def _page(sentence: str) -> bytes:
    return render_to_string("not_taken.html", {"sentence": sentence}).encode()


class Threads:
    """The threads for a group of senders, separate for reading and writing requests."""

    def __init__(self, number: int, read: str, write: str) -> None:
        self.reading = ThreadPoolExecutor(number, read)
        self.writing = ThreadPoolExecutor(number, write)


class Application:
    """The RSGI application, which granian calls for each request."""

    def __init__(self) -> None:
        self.uploads, self.crowds = Uploads(), RequestCoalescing(_answer)
        # SQLite has one writer at a time; a second thread answers while a large page is made.
        threads = int(os.environ.get("THREADS") or (2 if connection.vendor == "sqlite" else 4))
        self.threads = Threads(threads, "page", "act")
        self.stranger_threads = Threads(threads, "stranger", "entry")
        self.table_threads = Threads(max(1, threads // 2), "table", "game")
        # The first lane identifies the sender, which takes milliseconds, and refuses one that is
        # locked out. Other requests wait in one of two lanes.
        self.door = Lane("door", most=100)
        self.known, self.strangers = Lane("known", most=8), Lane("stranger", most=8)
        self.accounts = reverse("account:profile")  # prefix of all pages that check a password
        self.tables = reverse("table:code")
        alone = {reverse("backup:state"): "standby", **{path: path for path in PROBES}}
        self.alone = {path: ThreadPoolExecutor(1, name) for path, name in alone.items()}

    def __rsgi_init__(self, _loop: asyncio.AbstractEventLoop) -> None:
        """Start the worker; called once in each, when the program is loaded."""
        limit(settings.DATABASES["default"], is_command=False)  # the parent process is a command
        # Rendering a page holds the interpreter; hundreds of short answers wait for each switch.
        sys.setswitchinterval(SWITCH_SECONDS)

    async def __rsgi__(self, scope: Scope, device: HTTPProtocol) -> None:
        """Answer a request."""
        try:
            status, headers, content = await self._answered(scope, device)
        except HungUpError:
            return
        except (RefusedError, OSError, DatabaseError) as problem:
            # "as" releases the exception, and so the connection, after the handler.
            status, headers, content = _refused(problem)
            if isinstance(problem, UnexpectedBodyError) and "expect" not in scope.headers:
                await read_past(device)
        device.response_bytes(status, headers, content)

    async def _answered(self, scope: Scope, device: HTTPProtocol) -> Answer:
        length = announced_length(scope)
        with SpooledTemporaryFile(SMALL) as body:
            environ = _environ(scope, body)
            with await self._place(scope, length, environ):
                if length:
                    await read(device, length, body)
                return await self._in_a_thread(scope, environ)

    async def _place(
        self, scope: Scope, length: int, environ: Environ
    ) -> AbstractContextManager[None]:
        """Return the context manager that counts a large body; small ones are not counted.

        Raises:
            UnexpectedBodyError: if its address has too many, or its sender may not upload.
        """
        if length <= SMALL:
            return nullcontext()
        most = MOST_BYTES if scope.method == "POST" and _view_at(scope) in WITH_FILE else SMALL
        if length > most:
            raise too_large(most)
        loop = asyncio.get_running_loop()
        if not await loop.run_in_executor(self.threads.reading, has_account, environ):
            raise UnexpectedBodyError(
                403, _("Dateien nimmt das Programm nur von Konten an. Bitte zuerst anmelden.")
            )
        return self.uploads.place_for(address_of(environ))

    async def _in_a_thread(self, scope: Scope, environ: Environ) -> Answer:
        environ[RECEIVED] = monotonic()
        cookies = scope.headers.get("cookie", "")
        threads = self.stranger_threads
        is_read = scope.method in {"GET", "HEAD"}
        if scope.path.startswith(self.tables):
            threads = self.table_threads
            # A new device is stored before it gets its page.
            is_read &= scope.path == self.tables or f"{COOKIE}=" in cookies
        elif f"{settings.SESSION_COOKIE_NAME}=" in cookies:
            threads = self.threads
        if scope.method == "POST" and scope.path.startswith(self.accounts):
            view = _view_at(scope)
            if view in WITH_PASSWORD:
                return await self._with_password(environ, is_log_in=view == LOG_IN)
        pool = self.alone.get(scope.path, threads.reading if is_read else threads.writing)
        return await self.crowds.answer(pool, environ)

    async def _with_password(self, environ: Environ, *, is_log_in: bool) -> Answer:
        standing, sender = LoginStanding.KNOWN, address_of(environ)
        if is_log_in:
            standing, sender = await self.door.work(sender, login_standing, environ)
        lanes = {
            LoginStanding.REFUSED: self.door,
            LoginStanding.KNOWN: self.known,
            LoginStanding.STRANGER: self.strangers,
        }
        return await lanes[standing].work(sender, _answer, environ)


application = Application()
