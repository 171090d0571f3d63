"""How quickly filled Spiellisten become one PDF, and who has to wait meanwhile.

    python -m benchmarks.print [--lists 50 250] [--quick]

Each number of lists is printed twice: as the program does it (data, HTML, pieces in a pool of
processes, merged with their tags), and as one plain WeasyPrint document of the very same
HTML in one process. Printed are the seconds, pages per second, the ratio of both, and what
share of the time is ours and not WeasyPrint's: reading the data, writing the HTML, merging.

Then the program is started as ``make run`` starts it, and somebody asks for a page again and
again: first alone, then while the last number of lists is printed. Printed are the
milliseconds that half and 95 of a hundred answers took at most, and their ratio.
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
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from benchmarks.frame import Place, Row

HOST = "127.0.0.1"
PAUSE = 0.02  # between two questions, in seconds
ALONE = 8.0  # seconds that somebody asks before the print begins
SHARES = (50, 95)


def set_up(folder: str) -> None:
    """Choose a database of its own and fill it with the tables of a program."""
    os.environ["DATABASE_URL"] = f"sqlite:///{folder}/benchmark.sqlite3"
    os.environ["DATA_DIR"] = folder
    os.environ["DJANGO_SETTINGS_MODULE"] = "romme_site.settings"
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def make_tournament(tables: int) -> Any:
    """Store a tournament with *tables* tables of four whose lists are full."""
    from tests.factories import make_club, make_person, make_registration
    from tests.factories import make_tournament as make
    from tests.factories_lists import make_seated_serie, write_games
    from tournaments.models import Spielliste

    tournament = make(name=f"Turnier mit {tables} Tischen", venue="Altenburg", serien=1)
    club = make_club(f"Erster Rommé- und Skatverein der Bergstadt Geyer {tables} e. V.")
    rows = []
    for table in range(tables):
        names = [f"Kühne-{table}-{seat}" for seat in range(1, 5)]
        people = [make_person("Wilhelmine", name, club=club) for name in names]
        first = 4 * table + 1
        rows.append(
            [
                make_registration(tournament, person, number=number)
                for number, person in enumerate(people, start=first)
            ]
        )
    serie = make_seated_serie(tournament, rows)
    for spielliste in Spielliste.objects.filter(table__serie=serie):
        write_games(spielliste, status=Spielliste.Status.HANDED_IN)
    return tournament


def timed(act: Callable[[], Any]) -> tuple[Any, float]:
    """Return what *act* returns, and the seconds it took."""
    begun = time.perf_counter()
    found = act()
    return found, time.perf_counter() - begun


def measure(tournament: Any, lists: int) -> tuple[float, float]:
    """Print both ways of one number of lists, and return their seconds: ours, and plain."""
    from django.conf import settings
    from django.utils import timezone

    from tournaments.printing import job, rendering
    from tournaments.printing.base import Wanted
    from tournaments.printing.documents import DOCUMENTS
    from tournaments.printing.merging import Part, merged, pages_of

    merging: list[float] = []

    def timed_merge(parts: Sequence[Part], title: str) -> bytes:
        pdf, seconds = timed(lambda: merged(parts, title))
        merging.append(seconds)
        return bytes(pdf)

    job.merged = timed_merge  # type: ignore[attr-defined]
    document = DOCUMENTS["spiellisten-gespielt"]
    wanted = Wanted(tournament=tournament, base_url="http://192.168.178.20:8000", serie=1)
    prepared, preparing = timed(lambda: job.prepare(document, wanted))
    pdf, making = timed(lambda: job.make(prepared, timezone.now(), lambda _done, _all: None))
    ours, total = preparing + merging[0], preparing + making

    per_piece, job.SHEETS_PER_PIECE = job.SHEETS_PER_PIECE, lists
    (whole,) = job.prepare(document, wanted).pieces
    job.SHEETS_PER_PIECE = per_piece
    arguments = (whole.html, str(settings.BASE_DIR / "static"), prepared.variant)
    # As nice to others as the program's own processes: a busy machine must not favour one way.
    context = get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context, initializer=rendering.be_nice) as pool:
        plain_pdf, plain = timed(lambda: pool.submit(rendering.render, *arguments).result())
    print(
        f"{lists:5} lists: {total:6.1f} s, {pages_of(pdf) / total:5.1f} pages/s; "
        f"as one plain document {plain:6.1f} s, {pages_of(plain_pdf) / plain:5.1f} pages/s; "
        f"ratio {plain / total:4.2f}; ours {100 * ours / total:4.1f} % "
        f"(data and HTML {preparing:.1f} s, merging {merging[0]:.1f} s)",
        flush=True,
    )
    return total, plain


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


def measure_others(tournament: Any, folder: str) -> None:
    """Print how long somebody waits for a page without and with a print going on."""
    from django.db import connections

    from tests.factories import COMMAND
    from tests.server import Server
    from tournaments.common import jobs
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
            base_url="http://192.168.178.20:8000",
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


def rows(place: Place) -> Iterator[Row]:
    """Measure one number of lists."""
    place.set_up()
    lists = 5 if place.is_quick else 50
    total, plain = measure(make_tournament(lists), lists)
    yield Row(
        name=f"{lists} filled lists as PDF",
        value=total,
        unit="s",
        ratio=total / plain,
        beside="the same HTML as one plain document",
        wanted=0.65,
    )


def main() -> None:
    """Read the options and measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--lists", type=int, nargs="+", default=[50, 250])
    parser.add_argument("--quick", action="store_true", help="few lists, to see that it runs")
    options = parser.parse_args()
    numbers = [5, 10] if options.quick else options.lists
    with tempfile.TemporaryDirectory() as folder:
        set_up(folder)
        for lists in numbers:
            tournament = make_tournament(lists)
            measure(tournament, lists)
        measure_others(tournament, folder)


if __name__ == "__main__":
    main()
