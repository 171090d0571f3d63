"""The program as ``make run`` starts it, on a port of its own, to be killed at any moment."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection

ROOT = Path(__file__).resolve().parent.parent
START_SECONDS = 240
HOST = "127.0.0.1"
FORM = "application/x-www-form-urlencoded"


def database_url() -> str:
    """Return the address of the database that this process is connected to."""
    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()


class Server:
    """Starts, answers, and ends without any chance to tidy up; then it may start again."""

    def __init__(
        self,
        data: Path,
        *,
        database: str,
        program: Sequence[str] = (sys.executable, "-m", "romme_site"),
        folder: Path = ROOT,
        authority: Path | None = None,
        **environment: str,
    ) -> None:
        """*authority* is the file of the authority of its certificate, if it serves https."""
        self.program, self.folder, self.authority = program, folder, authority
        self.port = free_port()
        self.log = data / "server.log"
        self.environment = {
            **os.environ,
            "DATA_DIR": str(data),
            "DATABASE_URL": database,
            "SECRET_KEY": settings.SECRET_KEY,
            "INSTALLATION_KEY": settings.INSTALLATION_KEY().hex(),
            "HOST": HOST,
            "PORT": str(self.port),
            "DEMO": "0",
            **environment,
        }
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_problem: object) -> None:
        self.kill()

    def start(self) -> None:
        """Start, and return as soon as it answers and has said so."""
        before = self._times_said() if self.log.exists() else 0
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.program,
                cwd=self.folder,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.wait_until_started(before + 1)

    def wait_until_started(self, times: int) -> None:
        """Return as soon as it answers, having said so many *times* how it is ended."""
        deadline = time.monotonic() + START_SECONDS
        while self._times_said() < times or not self._answers():
            if self.process is None or self.process.poll() is not None:
                raise RuntimeError(f"The server did not start: {self.log.read_text()[-2000:]}")
            if time.monotonic() > deadline:
                raise RuntimeError(f"The server does not answer: {self.log.read_text()[-2000:]}")
            time.sleep(0.05)

    def _times_said(self) -> int:
        return self.log.read_text().count("+C.")

    def _answers(self) -> bool:
        line = self.line()
        try:
            line.request("GET", "/favicon.ico")
            line.getresponse().read()
        except OSError:
            return False
        finally:
            line.close()
        return True

    def line(self) -> http.client.HTTPConnection:
        """Return a connection to the server that trusts only its authority."""
        if self.authority is None:
            return http.client.HTTPConnection(HOST, self.port, timeout=START_SECONDS)
        context = ssl.create_default_context(cafile=self.authority)
        return http.client.HTTPSConnection(HOST, self.port, timeout=START_SECONDS, context=context)

    def kill(self) -> None:
        """End it with all its workers, in the middle of whatever they do."""
        if self.process is None:
            return
        if sys.platform == "win32":
            self.process.kill()  # its child processes end with it
        else:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process = None
        self.wait_until_silent()

    def wait_until_silent(self) -> None:
        """Return as soon as the port is free: when the last worker is gone."""
        deadline = time.monotonic() + START_SECONDS
        while _is_listening(self.port):
            if time.monotonic() > deadline:
                raise RuntimeError("A worker of the server outlived it")
            time.sleep(0.01)


class Client:
    """A minimal browser: one kept connection, its cookies, and the form token."""

    TOKEN = "t" * 32  # the same in the cookie and in the header, as the page would send it

    def __init__(self, port: int, cookies: Mapping[str, str]) -> None:
        self.line = http.client.HTTPConnection(HOST, port, timeout=60)
        jar = {**cookies, "csrftoken": self.TOKEN}
        self.cookies = "; ".join(f"{name}={value}" for name, value in jar.items())

    def get(self, path: str) -> tuple[int, bytes]:
        """Return status and body of a page."""
        return self._ask("GET", path, None, {})

    def post(self, path: str, body: str) -> tuple[int, bytes]:
        """Send JSON, and return status and body of the answer."""
        headers = {"Content-Type": "application/json", "X-CSRFToken": self.TOKEN}
        return self._ask("POST", path, body, headers)

    def submit(self, path: str, form: str) -> tuple[int, bytes]:
        """Send a form, and return status and body of the answer."""
        return self._ask("POST", path, form, {"Content-Type": FORM})

    def _ask(
        self, method: str, path: str, body: str | None, headers: Mapping[str, str]
    ) -> tuple[int, bytes]:
        try:
            self.line.request(method, path, body, {**headers, "Cookie": self.cookies})
            answer = self.line.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            self.line.close()
            raise


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) == 0
