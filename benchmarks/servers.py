"""Databases and programs of a benchmark: started, killed, and replaced by a second laptop."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Self

import django
from django.core.management import call_command
from django.db import connections

from benchmarks.processes import kill_all
from benchmarks.results import Row
from scripts.throwaway_postgres import throwaway_postgres
from tests.server import HOST, ROOT, Server, free_port

PAIRING = "from tournaments.backup import standby; result = standby.new_code()"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The folder and the database of a benchmark, gone afterwards."""

    folder: Path
    database_url: str
    is_quick: bool = False  # small sizes, to see that it runs

    def rows(self, name: str, settings: str) -> list[Row]:
        """Set Django up and return the rows of a benchmark, in a process that does only this."""
        os.environ |= {"DATABASE_URL": self.database_url, "DATA_DIR": str(self.folder)}
        os.environ["DJANGO_SETTINGS_MODULE"] = settings
        django.setup()
        call_command("migrate", verbosity=0)
        return list(call(name if "." in name else f"{name}.rows", self))

    @contextmanager
    def server(self, **environment: Any) -> Iterator[Server]:
        """Start the program as ``make run`` does, and kill it in the end."""
        connections.close_all()
        with Server(self.folder, database=self.database_url, **environment) as server:
            yield server
        connections.close_all()


def call(name: str, *arguments: Any) -> Any:
    """Set Django up, and call a function of a benchmark; in a new process nothing else may."""
    django.setup()
    module, _dot, function = name.partition(".")
    return getattr(import_module(f"benchmarks.{module}"), function)(*arguments)


@contextmanager
def new_place(database: str, *, is_quick: bool) -> Iterator[Place]:
    """Give a place with an empty database of that kind."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "laptop-1"
        folder.mkdir()
        if database == "SQLite":
            yield Place(folder=folder, database_url=sqlite_in(folder), is_quick=is_quick)
        else:
            with throwaway_postgres(settings=()) as url:  # as durable as in a hall
                yield Place(folder=folder, database_url=url, is_quick=is_quick)


def sqlite_in(folder: Path) -> str:
    """Return the address of the database that a laptop has in its folder."""
    return f"sqlite:///{folder}/romme.sqlite3"


class Laptop:
    """A folder with data, and the commands that run there."""

    def __init__(self, folder: Path, database_url: str, port: int) -> None:
        self.folder, self.port = folder, port
        self.leaders: list[int] = []  # of the sessions of commands
        self.environment = {key: value for key, value in os.environ.items() if key != "SECRET_KEY"}
        self.environment |= {"DATA_DIR": str(folder), "DATABASE_URL": database_url, "DEMO": "0"}
        self.environment |= {"HOST": HOST, "PORT": str(port)}

    def start(self, *arguments: str, until: str) -> None:
        """Start a command of the program, and wait until its output has certain words."""
        process = subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, "-m", "romme_site", *arguments],
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert process.stdout is not None  # noqa: S101 - a pipe was asked for
        self.leaders.append(process.pid)
        for line in process.stdout:
            if until in line:
                threading.Thread(target=process.communicate, daemon=True).start()
                return
        raise RuntimeError(f"{arguments} ended without saying „{until}“")

    def run(self, script: str) -> Any:
        """Return the ``result`` that *script* assigns, run with the data of the laptop."""
        script += "\nimport json\nprint(json.dumps(result))"
        output = subprocess.run(  # noqa: S603 - our own command
            [sys.executable, "manage.py", "shell", "-v", "0", "-c", script],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        return json.loads(output.stdout)

    def die(self) -> None:
        """Kill everything that runs here, in the middle of whatever it does."""
        kill_all(self.leaders, self.folder)


class Laptops:
    """The laptop that serves everybody, and the one that may stand by."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.server = Server(place.folder, database=place.database_url)
        self.first = Laptop(place.folder, place.database_url, self.server.port)
        second = place.folder.with_name("laptop-2")
        second.mkdir()
        self.second = Laptop(second, sqlite_in(second), free_port())
        self.serving = self.first

    @property
    def port(self) -> int:
        """Return the port on which everybody is served."""
        return self.serving.port

    def __enter__(self) -> Self:
        connections.close_all()
        self.server.start()
        return self

    def __exit__(self, *_problem: object) -> None:
        self.server.kill()
        self.first.die()
        self.second.die()

    def restart(self) -> None:
        """Kill the program, and start it again with the same data."""
        self.server.kill()
        self.first.die()
        self.server.start()

    def stand_by(self) -> None:
        """Let the second laptop follow the first until it has its newest state."""
        url = f"http://{HOST}:{self.first.port}"
        self.second.start("standby", url, self.first.run(PAIRING), until="neuesten Stand")

    def take_over(self) -> None:
        """Kill everything on the first laptop, and let the second take over."""
        self.server.kill()
        self.first.die()
        self.second.start("takeover", until="Strg+C")
        self.serving = self.second
