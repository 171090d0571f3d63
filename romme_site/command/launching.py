"""The program as a subprocess of a window, and the state read from its output."""

from __future__ import annotations

import http.client
import os
import re
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from romme_site.command.healthcheck import line_to
from romme_site.places import PROGRAM
from tournaments.machine import systems as machine

SECONDS_BETWEEN_QUESTIONS = 0.2
SECONDS_TO_END = 10
_OWN_NAMES = {"localhost", "127.0.0.1"}
_ADDRESS = re.compile(r"https?://\S+/\S*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The state of the program."""

    said: str = ""  # what it does, or why it could not start
    here: str = ""  # its address on this machine
    hall: str = ""  # its address for all in the same network
    setup_link: str = ""  # by which the first account is made
    is_ready: bool = False  # it answers
    has_ended: bool = False  # by itself


def heard(state: State, line: str) -> State:
    """Return the state after a line of output of the program, in any language."""
    line = line.strip()
    found = _ADDRESS.search(line)
    if not line:
        return state
    if found is None:
        return replace(state, said=line)
    parts = urlsplit(found[0])
    if parts.path != "/":
        return replace(state, setup_link=found[0])
    if parts.hostname in _OWN_NAMES:
        return replace(state, here=found[0])
    return replace(state, hall=found[0], here=state.here or found[0])


class Program:
    """The process and its state; the window may read it at any time."""

    def __init__(self, command: Sequence[str] = (*PROGRAM, "run")) -> None:
        self.state = State()
        self._lock = threading.Lock()
        python = Path(command[0])
        if python.stem == "pythonw":  # it would have no output to read
            python = python.with_stem("python")
        self._process = subprocess.Popen(
            [str(python), *command[1:]],
            # There is no console to ask on: a new installation gets the practice tournament.
            env={"DEMO": "first", **os.environ},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            **machine.unseen(),
        )
        threading.Thread(target=self._listen, daemon=True).start()
        threading.Thread(target=self._ask, daemon=True).start()

    def _listen(self) -> None:
        for line in self._process.stdout or ():
            with self._lock:
                self.state = heard(self.state, line)
        self._process.wait()
        with self._lock:
            self.state = replace(self.state, is_ready=False, has_ended=True)

    def _ask(self) -> None:
        """Ask until the program answers or has ended."""
        while self._process.poll() is None:
            if self.state.here and _answers(self.state.here):
                with self._lock:
                    self.state = replace(self.state, is_ready=not self.state.has_ended)
                return
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(SECONDS_BETWEEN_QUESTIONS)

    def stop(self) -> None:
        """End the program; confirmed changes are stored."""
        self._process.terminate()
        try:
            self._process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _answers(address: str) -> bool:
    parts = urlsplit(address)
    line = line_to(str(parts.hostname), parts.port, has_tls=parts.scheme == "https")
    try:
        line.request("GET", "/healthz")
        return line.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        line.close()
