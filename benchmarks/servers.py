"""Where the program of a day runs, to be killed in the middle of it.

On SQLite it is a laptop, and another one follows it and takes over. On PostgreSQL it is a host,
which is started again.
"""

# Django can be imported only after the database was chosen.
# ruff: noqa: PLC0415

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Self

from benchmarks.client import HOST
from benchmarks.processes import end_all_of
from benchmarks.results import Place
from benchmarks.standby import ROOT, command, wait_for

NEW_CODE = "from tournaments.backup import standby; said = standby.new_code()"


class Laptop:
    """A folder with data, and what was typed there."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        folder.mkdir()
        self.folder, self.port = folder, port
        self.database = f"sqlite:///{folder}/romme.sqlite3"
        self.typed: list[subprocess.Popen[str]] = []

    def type(self, *words: str, until: str) -> None:
        """Start a command, and read what it says, first until certain words."""
        process = command(self.folder, self.port, *words)
        self.typed.append(process)
        wait_for(process, until)
        assert process.stdout is not None  # noqa: S101 - a pipe was asked for
        threading.Thread(target=process.stdout.read, daemon=True).start()

    def told(self, script: str) -> Any:
        """Return what *script* calls ``said``, run where the data are."""
        environment = {name: value for name, value in os.environ.items() if name != "SECRET_KEY"}
        environment |= {"DATA_DIR": str(self.folder), "DATABASE_URL": self.database}
        script += "\nimport json\nprint(json.dumps(said))"
        said = subprocess.run(  # noqa: S603 - our own command
            [sys.executable, "manage.py", "shell", "-v", "0", "-c", script],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        return json.loads(said.stdout)

    def end(self) -> None:
        """Kill everything here, in the middle of whatever it does."""
        for process in self.typed:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self.typed.clear()
        end_all_of(self.folder)


class Laptops:
    """The laptop or host that everybody asks, and on SQLite the next one."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.is_followed = place.database_url.startswith("sqlite")
        self.now = self.next = Laptop(place.folder / "laptop-1")
        if not self.is_followed:
            self.now.database = place.database_url
        Place(folder=self.now.folder, database_url=self.now.database).set_up()
        from tests.server import Server

        self.server = Server(self.now.folder, database=self.now.database)
        self.now.port = self.server.port

    def __enter__(self) -> Self:
        self.server.start()
        return self

    def __exit__(self, *_problem: object) -> None:
        self.server.kill()
        self.now.end()
        self.next.end()

    def get_ready(self, number: int) -> None:
        """On SQLite, let another laptop follow until it has the newest."""
        if not self.is_followed:
            return
        from tests.server import free_port

        self.next = Laptop(self.place.folder / f"laptop-{number}", free_port())
        url, code = f"http://{HOST}:{self.now.port}", self.now.told(NEW_CODE)
        self.next.type("standby", url, code, until="neuesten Stand")

    def die(self) -> None:
        """Kill everything where everybody asks, and do what the helpers would."""
        self.server.kill()
        self.now.end()
        if self.is_followed:
            self.now = self.next
            self.now.type("takeover", until="Strg+C")
        else:
            self.server.start()
