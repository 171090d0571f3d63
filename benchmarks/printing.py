"""How quickly filled Spiellisten become one PDF.

A list is compared with a plain page: the same cells with the same words in bare tables on a page of
its own, which WeasyPrint makes without anything else. Compared are the processor time of both for
few lists, in processes that have printed before, and the seconds of many lists as the program
prints them beside those of as many plain pages in one new process. Then a Druckpaket is printed,
from the button to the last byte of its PDF, and the start page is opened while 250 lists are.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from statistics import median
from typing import Any

from django.conf import settings
from django.utils import timezone

from benchmarks.client import Client
from benchmarks.hall import Office, make_hall, session_of_member
from benchmarks.results import Row, percentile
from benchmarks.servers import Place, call
from tests.factories import make_club
from tests.factories_lists import write_games
from tests.server import Server
from tournaments.models import Person, Registration, Spielliste, Tournament
from tournaments.printing import print_job, rendering
from tournaments.printing.base import PrintRequest
from tournaments.printing.documents import DOCUMENTS

TURNS = 3
BASE_URL = "http://192.168.178.20:8000"
STATIC = str(settings.BASE_DIR / "static")
POLL_SECONDS = 0.4  # as the page of a print in progress
PAUSE = 0.02  # seconds between two requests beside a print
ALONE = 8.0  # seconds of requests before it
PLAIN = """<!doctype html><html lang="de"><title>Listen</title>
<link rel="stylesheet" href="css/print/fonts.css"><style>
@page { size: A4; margin: 11mm 13mm 13mm }
html { font: 10.5pt/1.3 "Source Sans 3", "Source Sans 3 Ext", sans-serif }
table { width: 100%; border-collapse: collapse; table-layout: fixed }
td, th { border: 0.2mm solid black }
section { break-after: page }</style>"""


def make_lists(tables: int) -> Tournament:
    """Store a tournament with so many tables whose lists are full."""
    tournament, _paths = make_hall(tables)
    club = make_club(f"Erster Rommé- und Skatverein der Bergstadt Geyer {tables} e. V.")
    registrations = Registration.objects.filter(tournament=tournament)
    Person.objects.filter(registrations__in=registrations).update(
        first_name="Wilhelmine", last_name="Kühne-Altenburg", club=club
    )
    registrations.update(club=club)
    for spielliste in Spielliste.objects.filter(table__serie__tournament=tournament):
        write_games(spielliste, status=Spielliste.Status.HANDED_IN)
    return tournament


def prepare(tournament: Tournament) -> Any:
    """Return the filled lists, before they are rendered."""
    wanted = PrintRequest(tournament=tournament, base_url=BASE_URL, serie=1)
    return print_job.prepare(DOCUMENTS["spiellisten-gespielt"], wanted)


def plain_pages(htmls: Sequence[str]) -> str:
    """Return the cells of printed lists as bare tables, a page for each list."""
    pages = [PLAIN]
    for sheet in "".join(htmls).split('<article class="sheet')[1:]:
        pages.append("<section>")
        for table in re.findall(r"<table.*?</table>", sheet, re.DOTALL):
            pages.append("<table>")
            for row in re.findall(r"<tr.*?</tr>", table, re.DOTALL):
                pages.append("<tr>")
                for name, attributes, content in re.findall(
                    r"<(t[dh])\b([^>]*)>(.*?)</\1>", row, re.DOTALL
                ):
                    spans = " ".join(re.findall(r'\w+span="\d+"', attributes))
                    words = " ".join(re.sub(r"<[^>]+>", " ", content).split())
                    pages.append(f"<{name} {spans}>{words}</{name}>")
                pages.append("</tr>")
            pages.append("</table>")
        pages.append("</section>")
    return "\n".join(pages)


def render_plain(html: str) -> float:
    """Have WeasyPrint make a PDF, and return the processor seconds."""
    from weasyprint import HTML  # noqa: PLC0415 - slow, and only for new processes

    begun = time.process_time()
    HTML(string=html, base_url=f"{STATIC}/").write_pdf()
    return time.process_time() - begun


def render_lists(htmls: Sequence[str], variant: str) -> float:
    """Have the program make PDFs, and return the processor seconds."""
    begun = time.process_time()
    for html in htmls:
        rendering.render(html, STATIC, variant)
    return time.process_time() - begun


def new_process() -> ProcessPoolExecutor:
    """Return a pool of one new process, with the priority of the program's own."""
    spawn, first = get_context("spawn"), ("printing.init_worker",)
    return ProcessPoolExecutor(1, mp_context=spawn, initializer=call, initargs=first)


def init_worker() -> None:
    """Prepare a process as the program does that prints."""
    rendering.init_worker()


def processor_time(lists: int) -> Row:
    """Return the row of few lists, in turns with plain pages, each in a process of its own."""
    prepared = prepare(make_lists(lists))
    htmls, ours, plain = [piece.html for piece in prepared.pieces], list[float](), list[float]()
    with new_process() as first, new_process() as second:
        for _turn in range(TURNS + 1):
            arguments = "printing.render_lists", htmls, prepared.variant
            ours.append(first.submit(call, *arguments).result())
            plain.append(second.submit(call, "printing.render_plain", plain_pages(htmls)).result())
    seconds = median(ours[1:])  # the first turns read the letters
    name, beside = "a filled list as PDF, processor time", "a plain page with the same cells"
    return Row(name, 1000 * seconds / lists, "ms", seconds / median(plain[1:]), beside)


def many_lists(tournament: Tournament, lists: int) -> Row:
    """Return the row of the seconds of many lists."""
    begun = time.perf_counter()
    prepared = prepare(tournament)
    print_job.make(prepared, timezone.now(), lambda _done, _all: None)
    seconds = time.perf_counter() - begun
    html = plain_pages([piece.html for piece in prepared.pieces])
    begun = time.perf_counter()
    with new_process() as process:
        process.submit(call, "printing.render_plain", html).result()
    ratio = seconds / (time.perf_counter() - begun)
    beside = "as many plain pages in one process"
    return Row(f"{lists} filled lists as PDF", seconds, "s", ratio, beside, most_ratio=1)


async def printed(office: Office, document: str) -> float:
    """Print a document of Serie 1, and return the seconds from the button to the last byte."""
    begun = time.perf_counter()
    answer = await office.client.submit(office.path("printing:start", document), serie=1)
    progress = answer.header("location")
    while not (pdf := (await office.client.send(progress)).header("location")):
        await asyncio.sleep(POLL_SECONDS)
    if not (await office.client.get(pdf)).body.startswith(b"%PDF"):
        raise RuntimeError(f"{document} is no PDF")
    return time.perf_counter() - begun


async def page_beside(office: Office, document: str) -> Row:
    """Return the row of how long a page takes beside a print."""
    client = Client(office.client.server)
    path, alone, beside = office.path("public:tournament"), list[float](), list[float]()
    until = time.monotonic() + ALONE
    while time.monotonic() < until:
        alone.append((await client.get(path)).milliseconds)
        await asyncio.sleep(PAUSE)
    printing = asyncio.create_task(printed(office, document))
    while not printing.done():
        beside.append((await client.get(path)).milliseconds)
        await asyncio.sleep(PAUSE)
    await printing
    p95 = percentile(beside, 95)
    name = "p95 of a page while all lists are printed"
    return Row(name, p95, "ms", p95 / percentile(alone, 95), "the same alone")


def rows(place: Place) -> Iterator[Row]:
    """Measure few lists, many lists, the Druckpaket, and a page beside a print."""
    few, many, tables = (2, (5,), 3) if place.is_quick else (10, (50, 250), 12)
    yield processor_time(few)
    tournament = make_lists(tables)
    bundle = tournament, session_of_member(tournament)
    for lists in many:
        tournament = make_lists(lists)
        yield many_lists(tournament, lists)
    large = tournament, session_of_member(tournament)

    def office(server: Server, of: tuple[Tournament, dict[str, str]]) -> Office:
        return Office(Client(server, of[1]), of[0])

    with place.server() as server:
        seconds = asyncio.run(printed(office(server, bundle), "druckpaket"))
        name = f"Druckpaket for {tables} tables, from the button to the PDF"
        yield Row(name, seconds, "s", most=6)
        yield asyncio.run(page_beside(office(server, large), "spiellisten-gespielt"))
