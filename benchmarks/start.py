"""How long the program takes to its first page, and its processor time and memory while idle.

``make run`` is called again and again with a folder of its own; the first call, which makes the
database, is not counted. Memory is that of all processes at rest. Then the process beside the
server is killed, as by the system for want of memory, until it shows a sign of life again.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from statistics import median

from benchmarks.client import Client
from benchmarks.processes import memory_megabytes, processes_of, processor_seconds
from benchmarks.results import Row
from benchmarks.servers import Place
from tests.server import ROOT, Server
from tournaments.backup import status_file

REST = 10.0  # seconds until whatever a start does beside its pages is over
TIMES = 3


def first_page(server: Server) -> float:
    """Start a server, and return the seconds until it has answered its start page."""
    begun = time.perf_counter()
    server.start()
    asyncio.run(Client(server).get("/"))
    return time.perf_counter() - begun


def bare_start() -> float:
    """Return the seconds of the least that every start needs."""
    begun = time.perf_counter()
    setup = "import django; django.setup()"
    subprocess.run([ROOT / ".venv/bin/python", "-c", setup], cwd=ROOT, check=True)  # noqa: S603
    return time.perf_counter() - begun


def time_away(leader: int) -> float:
    """Kill the process beside the server; return the seconds until its next sign of life."""
    for process in processes_of(leader):
        if b"spawn_main" in (process / "cmdline").read_bytes():
            os.kill(int(process.name), signal.SIGKILL)
    killed = time.time()
    while status_file.last("wache") <= killed:
        time.sleep(0.01)
    return status_file.last("wache") - killed


def rows(place: Place) -> Iterator[Row]:
    """Start once, and then measure some times."""
    server = Server(place.folder, database=place.database_url, program=("make", "run"))
    server.start()
    seconds, processor, away, memory = list[float](), list[float](), list[float](), 0.0
    for _time in range(1 if place.is_quick else TIMES):
        server.kill()
        seconds.append(first_page(server))
        assert server.process is not None  # noqa: S101 - it runs
        leader = server.process.pid
        processor.append(processor_seconds(leader))
        time.sleep(REST)
        memory = memory_megabytes(leader)
        away += [time_away(leader) for _kill in range(TIMES)]
    server.kill()
    ratio = median(seconds) / median(bare_start() for _time in range(TIMES))
    beside = "starting Python and setting up Django"
    yield Row(
        "make run, a second time, to the first page", median(seconds), "s", ratio, beside, most=2
    )
    yield Row("processor time until then", median(processor), "s")
    yield Row("memory of all processes at rest", memory, "MB", most=150)
    name = "the process beside the server works again after a kill, longest"
    yield Row(name, max(away), "s", most=5)
