"""How long somebody waits for a page alone and while filled Spiellisten are printed.

    python -m benchmarks.beside_a_print [--lists 250]

It prints the milliseconds that half and 95 of a hundred answers took at most.
"""

# Models can be imported only after the database was chosen and Django set up.
# ruff: noqa: PLC0415

from __future__ import annotations

import argparse
import http.client
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.printing import BASE_URL, HOST, make_tournament, set_up

PAUSE = 0.02  # between two questions, in seconds
ALONE = 8.0  # seconds that somebody asks before the print begins
SHARES = (50, 95)


def percentile(times: Sequence[float], share: int) -> float:
    """Return what *share* of a hundred took at most."""
    in_order = sorted(times)
    return in_order[min(len(in_order) - 1, len(in_order) * share // 100)]


def ask(port: int, path: str, goes_on: Callable[[], bool]) -> list[float]:
    """Ask for a page again and again, and return the milliseconds of each answer."""
    connection = http.client.HTTPConnection(HOST, port, timeout=60)
    times = []
    while goes_on():
        begun = time.perf_counter()
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        if answer.status != http.client.OK:
            sys.exit(f"{path} answered {answer.status}")
        times.append(1000 * (time.perf_counter() - begun))
        time.sleep(PAUSE)
    return times


def measure(tournament: Any, folder: str) -> None:
    """Print how long somebody waits for a page without and with a print going on."""
    from django.db import connections

    from tests.factories import COMMAND
    from tests.server import Server
    from tournaments.machine import jobs
    from tournaments.models import Job

    connections.close_all()
    path = f"/t/{tournament.slug}/"
    with Server(Path(folder), database=os.environ["DATABASE_URL"]) as server:
        until = time.monotonic() + ALONE
        alone = ask(server.port, path, lambda: time.monotonic() < until)
        started = jobs.start(
            kind="print",
            actor=COMMAND,
            tournament=tournament,
            document="spiellisten-gespielt",
            asked={"serie": 1},
            base_url=BASE_URL,
            language="de",
        )
        is_over = threading.Event()

        def watch() -> None:
            while not Job.objects.get(pk=started.pk).is_over:
                time.sleep(0.5)
            is_over.set()

        watching = threading.Thread(target=watch)
        watching.start()
        meanwhile = ask(server.port, path, lambda: not is_over.is_set())
        watching.join()
        done = Job.objects.get(pk=started.pk)
    if done.status != Job.Status.DONE:
        sys.exit(f"the print is {done.status}: {done.message}")
    for share in SHARES:
        before, during = percentile(alone, share), percentile(meanwhile, share)
        print(
            f"{share} % of the pages: alone {before:.1f} ms, during the print {during:.1f} ms; "
            f"ratio {during / before:.2f}"
        )


def main() -> None:
    """Read the option and measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--lists", type=int, default=250)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        set_up(folder)
        measure(make_tournament(options.lists), folder)


if __name__ == "__main__":
    main()
