"""How long the program takes to its first page, and what it needs while nothing happens.

    make bench ONLY=start

``make run`` is called twice with a folder of its own: the first call makes the database and
collects the files, the second is measured until the start page is there. What it uses then is
the memory of all its processes, those that look after workers and backups too, where pages
that processes share count once (PSS), and until then their processor time. Then the process beside
the server is killed, as by the system for memory, and waited for until it works again.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from benchmarks.processes import memory_megabytes, of_session, processor_seconds
from benchmarks.results import Place, Row

ROOT = Path(__file__).resolve().parent.parent
REST = 10.0  # seconds until whatever a start does beside its pages is over
TIMES = 3


def rows(place: Place) -> Iterator[Row]:
    """Start twice and more, and give the later ones."""
    place.set_up()
    with started(place):
        pass
    seconds, processor, away = list[float](), list[float](), list[float]()
    for _time in range(1 if place.is_quick else TIMES):
        with started(place) as (leader, took):
            seconds.append(took)
            processor.append(processor_seconds(leader))
            time.sleep(REST)
            memory = memory_megabytes(leader)
            away += [time_away(leader) for _kill in range(TIMES)]
    yield Row(
        name="make run, a second time, to the first page",
        value=median(seconds),
        unit="s",
        ratio=median(seconds) / plain_start(),
        beside="starting Python and setting up Django",
        wanted=2,
        wanted_of="value",
    )
    yield Row(name="processor time until then", value=median(processor), unit="s")
    yield Row(
        name="memory of all processes at rest",
        value=memory,
        unit="MB",
        wanted=150,
        wanted_of="value",
    )
    yield Row(
        name="the process beside the server works again after a kill, longest",
        value=max(away),
        unit="s",
        wanted=5,
        wanted_of="value",
    )


def time_away(leader: int) -> float:
    """Kill the process beside the server; return the seconds until its next sign of life."""
    from tournaments.backup import status_file  # noqa: PLC0415 - needs the settings

    for process in of_session(leader):
        if b"spawn_main" in (process / "cmdline").read_bytes():
            os.kill(int(process.name), signal.SIGKILL)
    killed = time.time()
    while status_file.last("wache") <= killed:
        time.sleep(0.01)
    return status_file.last("wache") - killed


@contextmanager
def started(place: Place) -> Iterator[tuple[int, float]]:
    """Start by ``make run``; give the leader of its session and the seconds to the first page."""
    from tests.server import HOST, Client, free_port  # noqa: PLC0415 - reads the settings

    port = free_port()
    environment = {"HOST": HOST, "PORT": str(port), "DEMO": "0"}
    begun = time.perf_counter()
    with (place.folder / "log").open("ab") as log:
        process = subprocess.Popen(
            ["make", "run"],  # noqa: S607
            cwd=ROOT,
            env=os.environ | environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        while True:
            try:
                status, _page = Client(port, {}).get("/")
                break
            except OSError:
                if process.poll() is not None:
                    raise
                time.sleep(0.01)
        if status != 200:
            raise RuntimeError(f"The start page was answered with {status}")
        yield process.pid, time.perf_counter() - begun
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def plain_start() -> float:
    """Return the seconds of the least that every start needs."""
    found = []
    for _time in range(TIMES):
        begun = time.perf_counter()
        subprocess.run(  # noqa: S603 - our own command
            [ROOT / ".venv" / "bin" / "python", "-c", "import django; django.setup()"],
            cwd=ROOT,
            check=True,
        )
        found.append(time.perf_counter() - begun)
    return median(found)
