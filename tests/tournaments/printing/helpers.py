"""A day to print, ordinary or extreme, and a reader of its documents."""

from __future__ import annotations

import ctypes
import io
import math
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, lru_cache
from html import unescape
from typing import Any

import pikepdf
import pypdfium2
import zxingcpp
from django.conf import settings
from pikepdf import Name, Object
from pypdfium2 import raw

from scoring.reading.ruleset_json import ruleset_to_dict
from scoring.rulesets import ruleset
from tests.factories import COMMAND, club_named, make_person, make_registration, make_tournament
from tests.factories_lists import list_of, write_games
from tournaments.desk.services import registrations
from tournaments.desk.services.registrations import Payment
from tournaments.lists.services import opening as list_opening
from tournaments.models import Receipt, Registration, Seat, Serie, Spielliste, Table, Tournament
from tournaments.printing import rendering
from tournaments.printing.base import PrintRequest
from tournaments.printing.documents import DOCUMENTS
from tournaments.printing.print_job import PreparedDocument, assemble, prepare

BASE_URL = "http://192.168.178.20:8000"
TIME = "erstellt am 3. Oktober 2026, 14:20 Uhr"
PIXELS_PER_POINT = 2
FOOT = 17 / 25.4 * 72  # points, the margin at the bottom of a page
SMALLEST = 9  # points; the oldest readers are past seventy

TAME = ("Anna Kühn", "Bernd Voß", "Clara Sommer", "Dieter Lang", "Eva Öhler", "Frank Groß")
NASTY = (
    "Wilhelmine-Charlotte Freifrau von und zu Übelacker-Großschönhäuser",
    "Anneliese Łódźka-Żółkiewska",
    "Hans-Joachim von Hohenstein-Müllerburg",
    "Maximilian Kühne-Wüstenrot",
    "Jürgen Köß",
    "Bärbel-Sieglinde Schmidt-Rottluff-Meyerhofer",
)
LONG_CLUB = "Erster Rommé- und Skatverein der Bergstadt Geyer 1887 e. V. "
LONG_CLUB = (LONG_CLUB + "im Verband")[:60]
LONG_NAME = (
    "Offene Bergstädtische Rommé-Stadtmeisterschaft um den Wanderpokal der Bürgermeisterin"
    " von Geyer im Erzgebirge 2026"
)


def make_day(
    players: int = 8,
    *,
    size: int = 4,
    rules: str = "rommeordnung",
    nasty: bool = False,
    **fields: Any,
) -> Tournament:
    """Make a tournament with a seated first Serie, *size* to a table, in order of start numbers."""
    if nasty:
        fields = {
            "name": LONG_NAME,
            "organiser": LONG_CLUB,
            "venue": "Gaststätte „Zum Grünen Baum“, Festsaal im Obergeschoss, Eingang Hofseite",
            "venue_address": "Straße des Friedens 117 b, 09468 Geyer im Erzgebirge",
            **fields,
        }
    else:
        fields = {"name": "Herbstturnier 2026", "venue": "Altenburg", **fields}
    tournament = make_tournament(rule_set=ruleset_to_dict(ruleset(rules)), **fields)
    clubs = (
        [club_named(LONG_CLUB)]
        if nasty
        else [club_named("SC Altenburg"), club_named("1. Kahlaer SC"), None]
    )
    names = NASTY if nasty else TAME
    for number in range(players):
        first, _, last = names[number % len(names)].partition(" ")
        person = make_person(
            first, last, club=clubs[number % len(clubs)], hall_objection=number % 3 == 2
        )
        make_registration(tournament, person)
    seat(tournament.serien.get(number=1), size)
    return tournament


def make_played(
    *, status: str = Spielliste.Status.HANDED_IN, **fields: Any
) -> tuple[Tournament, Spielliste]:
    """Make a day of one table, whose list has the games of ``FOUR``."""
    tournament = make_day(4, serien=1, **fields)
    return tournament, write_games(list_of(tournament.serien.get()), status=status)


def seat(serie: Serie, size: int) -> None:
    """Seat all players in order of start numbers and open the lists."""
    registrations = list(serie.tournament.registrations.order_by("number"))
    for at in range(0, len(registrations), size):
        table = Table.objects.create(serie=serie, number=at // size + 1)
        _take_seats(table, registrations[at : at + size])
    list_opening.open_lists(serie)


def _take_seats(table: Table, registrations: Sequence[Registration]) -> None:
    Seat.objects.bulk_create(
        Seat(serie=table.serie, table=table, number=number, registration=registration)
        for number, registration in enumerate(registrations, start=1)
    )


@dataclass(frozen=True)
class Paper:
    """A rendered document."""

    title: str
    pdf: bytes

    @cached_property
    def pages(self) -> list[str]:
        """The text of each page, with single spaces."""
        with pypdfium2.PdfDocument(self.pdf) as document:
            return [_tidy(page.get_textpage().get_text_bounded()) for page in document]

    @property
    def text(self) -> str:
        """All the text."""
        return " ".join(self.pages)

    def heights(self, word: str) -> list[tuple[float, float]]:
        """Return bottom and top of *word* above the page's bottom, in points, page by page."""
        heights = []
        with pypdfium2.PdfDocument(self.pdf) as document:
            for page in document:
                text = page.get_textpage()
                search = text.search(word, match_case=True, match_whole_word=True)
                while hit := search.get_next():
                    boxes = [text.get_charbox(at) for at in range(hit[0], sum(hit))]
                    heights.append((min(box[1] for box in boxes), max(box[3] for box in boxes)))
        return heights

    def small_print(self) -> list[str]:
        """Return the texts smaller than ``SMALLEST``, page by page."""
        with pypdfium2.PdfDocument(self.pdf) as document:
            return ["".join(_small_letters(page.get_textpage())) for page in document]

    def filled(self) -> list[float]:
        """Return the filled part of each page, from 0 to 1, without its footer."""
        shares = []
        with pypdfium2.PdfDocument(self.pdf) as document:
            for page in document:
                height = page.get_height()
                bottoms = (drawn.get_bounds()[1] for drawn in page.get_objects())
                lowest = min((bottom for bottom in bottoms if bottom > FOOT), default=height)
                shares.append((height - lowest) / (height - FOOT))
        return shares

    def codes(self) -> list[str]:
        """Return the contents of the QR codes, page by page."""
        codes = []
        with pypdfium2.PdfDocument(self.pdf) as document:
            for page in document:
                picture = page.render(scale=PIXELS_PER_POINT).to_pil()
                codes += [
                    code.text
                    for code in zxingcpp.read_barcodes(picture, zxingcpp.BarcodeFormat.QRCode)
                ]
        return codes


def _small_letters(text: pypdfium2.PdfTextPage) -> Iterator[str]:
    matrix = raw.FS_MATRIX()
    for at in range(text.count_chars()):
        # Between words and lines there are letters that the reader made up.
        if raw.FPDFText_IsGenerated(text, at) or not text.get_text_range(at, 1).strip():
            continue
        raw.FPDFText_GetMatrix(text, at, ctypes.byref(matrix))
        points = raw.FPDFText_GetFontSize(text, at) * math.hypot(matrix.c, matrix.d)
        if points < SMALLEST - 0.01:
            yield text.get_text_range(at, 1)


@dataclass(frozen=True)
class UnrenderedDocument:
    """A document that is rendered on the first access to its paper."""

    prepared: PreparedDocument

    @property
    def words(self) -> str:
        """The text of the document."""
        bodies = (
            piece.html.partition("<body")[2].partition(">")[2] for piece in self.prepared.pieces
        )
        return _tidy(unescape(re.sub(r"<[^>]+>", " ", " ".join(bodies))))

    @cached_property
    def paper(self) -> Paper:
        return Paper(self.prepared.title, assemble(self.prepared, TIME, _render))


def _tidy(text: str) -> str:
    # A word that goes on in the next line ends with a mark of its own there.
    return re.sub(r"\s+", " ", text.replace("\ufffe", "").replace("\x02", ""))


def squeezed(text: str) -> str:
    """Return *text* without spaces, for tests that do not depend on line breaks."""
    return re.sub(r"[\s-]+", "", text)


class Threads(ThreadPoolExecutor):
    """Replaces the pool of processes in tests that do not depend on it; starts at once."""

    def __init__(self, _workers: int, **_of_processes: object) -> None:
        # One at a time: Pango aborts the process when two threads draw at once.
        super().__init__(1)


def words(tournament: Tournament, name: str, **asked: Any) -> str:
    """Return the text of a document without rendering pages."""
    return written(tournament, name, **asked).words


def paper(tournament: Tournament, name: str, **asked: Any) -> Paper:
    """Render a document here and now, as the processes of the job do."""
    return written(tournament, name, **asked).paper


def written(tournament: Tournament, name: str, **asked: Any) -> UnrenderedDocument:
    """Write a document with the current data."""
    wanted = PrintRequest(tournament=tournament, base_url=BASE_URL, **asked)
    return UnrenderedDocument(prepare(DOCUMENTS[name], wanted))


def _render(htmls: Sequence[str], variant: str) -> list[bytes]:
    return [_rendered(html, variant) for html in htmls]


@lru_cache(maxsize=32)
def _rendered(html: str, variant: str) -> bytes:
    # A bundle contains pages of other documents.
    return rendering.render(html, str(settings.BASE_DIR / "static"), variant)


def opened(printed: Paper) -> pikepdf.Pdf:
    return pikepdf.open(io.BytesIO(printed.pdf))


def tags(element: Object) -> Iterator[str]:
    """Yield the tags of a structure in reading order."""
    if isinstance(element, pikepdf.Dictionary) and Name.S in element:
        yield str(element.S)
        children = element.get(Name.K, pikepdf.Array())
        for child in list(children) if isinstance(children, pikepdf.Array) else [children]:
            if isinstance(child, Object):
                yield from tags(child)


def pay(tournament: Tournament, number: int) -> Receipt:
    registration = tournament.registrations.get(number=number)
    return registrations.pay(COMMAND, registration.pk, payment=Payment())


def unpaid(players: int, **fields: int) -> Tournament:
    tournament = make_day(players, **fields)
    tournament.registrations.update(status=Registration.Status.REGISTERED)
    return tournament
