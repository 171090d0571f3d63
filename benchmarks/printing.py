"""How quickly filled Spiellisten become one PDF.

    python -m benchmarks.printing [--lists 50 250] [--quick]

A list is compared with a plain page: the same cells with the same words, in bare tables on a
page of its own (``plain_pages``: fixed columns, collapsed borders, the same typeface, no tags,
no code, no signatures), made by WeasyPrint as it comes. Compared are

* the processor time of both, of few lists, in processes that have printed before, in turns;
* the seconds of many lists as the program makes them (data, HTML, a pool of processes, merging)
  beside those of as many plain pages in one process, both with the start of their processes;
* the seconds from the button of the Druckpaket for twelve tables to the last byte of its PDF,
  asked for as a page does it, from a program started as ``make run`` starts it.

Called by itself it prints seconds and shares of each number of lists.
"""

# Models can be imported only after the database was chosen and Django set up.
# ruff: noqa: PLC0415

from __future__ import annotations

import argparse
import http.client
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any
from unittest import mock

from benchmarks.results import Place, Row

HOST = "127.0.0.1"
TURNS = 3
BASE_URL = "http://192.168.178.20:8000"
BEFORE_ASKING = 0.4  # seconds, as the page of a print in progress
PLAIN = """<!doctype html><html lang="de"><title>Listen</title>
<link rel="stylesheet" href="css/print/fonts.css"><style>
@page { size: A4; margin: 11mm 13mm 13mm }
html { font: 10.5pt/1.3 "Source Sans 3", "Source Sans 3 Ext", sans-serif }
table { width: 100%; border-collapse: collapse; table-layout: fixed }
td, th { border: 0.2mm solid black }
section { break-after: page }</style>"""


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
    from tournaments.models import Club, Spielliste

    tournament = make(name=f"Turnier mit {tables} Tischen", venue="Altenburg", serien=1)
    club = make_club(
        f"Erster Rommé- und Skatverein der Bergstadt Geyer {Club.objects.count()} e. V."
    )
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


def plain_pages(html: str) -> str:
    """Return the cells of printed lists as bare tables, a page for each list."""
    pages = [PLAIN]
    for sheet in html.split('<article class="sheet')[1:]:
        pages.append("<section>")
        for table in re.findall(r"<table.*?</table>", sheet, re.DOTALL):
            pages.append("<table>")
            for row in re.findall(r"<tr.*?</tr>", table, re.DOTALL):
                pages.append("<tr>")
                for name, said, inside in re.findall(
                    r"<(t[dh])\b([^>]*)>(.*?)</\1>", row, re.DOTALL
                ):
                    spans = " ".join(re.findall(r'\w+span="\d+"', said))
                    words = " ".join(re.sub(r"<[^>]+>", " ", inside).split())
                    pages.append(f"<{name} {spans}>{words}</{name}>")
                pages.append("</tr>")
            pages.append("</table>")
        pages.append("</section>")
    return "\n".join(pages)


def render_plain(html: str, static: str) -> bytes:
    """Have WeasyPrint make a PDF as it comes."""
    from weasyprint import HTML

    pdf: bytes = HTML(string=html, base_url=f"{static}/").write_pdf()
    return pdf


def render_ours(html: str, static: str, variant: str) -> bytes:
    """Have the program make a PDF."""
    from tournaments.printing import rendering

    return rendering.render(html, static, variant)


def seconds_of(act: Callable[..., bytes], *arguments: str) -> float:
    """Return the processor seconds of *act*; called in a process that does nothing else."""
    begun = time.process_time()
    act(*arguments)
    return time.process_time() - begun


def computing(html: str, plain: str, static: str, variant: str) -> tuple[float, float]:
    """Return the processor seconds of both, in turns, each in a process of its own."""
    ours, theirs = list[float](), list[float]()
    with a_process() as one, a_process() as other:
        for _turn in range(TURNS + 1):
            ours.append(one.submit(seconds_of, render_ours, html, static, variant).result())
            theirs.append(other.submit(seconds_of, render_plain, plain, static).result())
    return median(ours[1:]), median(theirs[1:])  # the first turns read the letters


def html_of(tournament: Any) -> tuple[str, str]:
    """Return the HTML of all lists in one, and the kind of their PDF."""
    from tournaments.printing import job

    as_it_is = job.SHEETS_PER_PIECE, job.FEWEST_IN_TWO_PIECES
    job.SHEETS_PER_PIECE = job.FEWEST_IN_TWO_PIECES = 10**6
    prepared = prepare(tournament)
    job.SHEETS_PER_PIECE, job.FEWEST_IN_TWO_PIECES = as_it_is
    (whole,) = prepared.pieces
    return whole.html, prepared.variant


def prepare(tournament: Any) -> Any:
    """Return the filled lists, before they are rendered."""
    from tournaments.printing import job
    from tournaments.printing.base import PrintRequest
    from tournaments.printing.documents import DOCUMENTS

    wanted = PrintRequest(tournament=tournament, base_url=BASE_URL, serie=1)
    return job.prepare(DOCUMENTS["spiellisten-gespielt"], wanted)


def a_process() -> ProcessPoolExecutor:
    """Return a pool of one new process, as nice to others as the program's own."""
    from tournaments.printing import rendering

    return ProcessPoolExecutor(
        1, mp_context=get_context("spawn"), initializer=rendering.init_worker
    )


def in_a_process(act: Callable[..., Any], *arguments: str) -> Any:
    """Return what *act* returns in a new process."""
    with a_process() as pool:
        return pool.submit(act, *arguments).result()


def measure(tournament: Any, lists: int) -> tuple[float, float]:
    """Print the seconds of one number of lists, and return them: ours, and plain."""
    from django.conf import settings
    from django.utils import timezone

    from tournaments.printing import job, merging
    from tournaments.printing.merging import merged, pages_of

    merge_times: list[float] = []

    def timed_merge(*what: Any) -> bytes:
        pdf, seconds = timed(lambda: merged(*what))
        merge_times.append(seconds)
        return bytes(pdf)

    begun = time.perf_counter()
    prepared, preparing = timed(lambda: prepare(tournament))
    with mock.patch.object(merging, "merged", timed_merge):
        pdf = job.make(prepared, timezone.now(), lambda _done, _all: None)
    total = time.perf_counter() - begun
    ours = preparing + merge_times[0]
    html, _variant = html_of(tournament)
    plain, static = plain_pages(html), str(settings.BASE_DIR / "static")
    plain_pdf, theirs = timed(lambda: in_a_process(render_plain, plain, static))
    print(
        f"{lists:5} lists: {total:6.1f} s, {pages_of(pdf) / total:5.1f} pages/s; "
        f"plain pages {theirs:6.1f} s, {pages_of(plain_pdf) / theirs:5.1f} pages/s; "
        f"ratio {total / theirs:4.2f}; ours {100 * ours / total:4.1f} % "
        f"(data and HTML {preparing:.1f} s, merging {merge_times[0]:.1f} s)",
        file=sys.stderr,
        flush=True,
    )
    return total, theirs


def button_to_pdf(tournament: Any, folder: Path) -> float:
    """Return the seconds from the button of the Druckpaket to the last byte of its PDF."""
    from django.conf import settings
    from django.db import connections
    from django.test import Client

    from tests.factories import make_member
    from tests.server import Server
    from tournaments.models import Role

    browser = Client()
    browser.force_login(make_member(tournament, Role.SPIELLEITUNG))
    cookies = {settings.CSRF_COOKIE_NAME: "t" * 32}
    cookies |= {name: morsel.value for name, morsel in browser.cookies.items()}
    headers = {
        "Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()),
        "X-CSRFToken": "t" * 32,
        "Content-Type": "application/x-www-form-urlencoded",
    }
    connections.close_all()
    with Server(folder, database=os.environ["DATABASE_URL"]) as server:
        line = http.client.HTTPConnection(HOST, server.port, timeout=60)

        def ask_for(path: str, method: str = "GET", body: str = "") -> tuple[str, bytes]:
            line.request(method, path, body, headers)
            answer = line.getresponse()
            return answer.headers.get("Location", ""), answer.read()

        printing = f"/turniere/{tournament.slug}/drucken"
        ask_for(f"{printing}/")
        begun = time.perf_counter()
        progress, said = ask_for(f"{printing}/druckpaket/", "POST", "serie=1")
        while not (pdf := ask_for(progress)[0]):
            time.sleep(BEFORE_ASKING)
        _location, said = ask_for(pdf)
        seconds = time.perf_counter() - begun
        if not said.startswith(b"%PDF"):
            sys.exit(f"no PDF: {said[:500]!r}")
    return seconds


def rows(place: Place) -> Iterator[Row]:
    """Measure few lists, one number of lists, and the Druckpaket."""
    place.set_up()
    from django.conf import settings

    few, lists, tables = (2, 5, 3) if place.is_quick else (10, 50, 12)
    html, variant = html_of(make_tournament(few))
    static = str(settings.BASE_DIR / "static")
    ours, theirs = computing(html, plain_pages(html), static, variant)
    yield Row(
        name="a filled list as PDF, processor time",
        value=1000 * ours / few,
        unit="ms",
        ratio=ours / theirs,
        beside="a plain page with the same cells, by WeasyPrint as it comes",
    )
    total, plain = measure(make_tournament(lists), lists)
    yield Row(
        name=f"{lists} filled lists as PDF",
        value=total,
        unit="s",
        ratio=total / plain,
        beside="as many plain pages in one process",
        wanted=1.0,
    )
    yield Row(
        name=f"Druckpaket for {tables} tables, from the button to the PDF",
        value=button_to_pdf(make_tournament(tables), place.folder),
        unit="s",
        wanted=6,
        wanted_of="value",
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
            measure(make_tournament(lists), lists)


if __name__ == "__main__":
    main()
