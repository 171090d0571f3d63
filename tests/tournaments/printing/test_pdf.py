"""What a PDF is beside its text: for everybody to read, to keep, and in pieces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element

import pikepdf
import pytest
from django.conf import settings
from django.db import transaction
from pytest_django.plugin import DjangoDbBlocker

from tests.tournaments.printing.helpers import BASE_URL, Paper, make_day, opened, paper, tags
from tournaments.printing import job, rendering
from tournaments.printing.base import Wanted
from tournaments.printing.documents import DOCUMENTS
from tournaments.printing.merging import pages_of

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class InPieces:
    """The same lists made at once, and one by one."""

    whole: Paper
    pieces: Paper


@pytest.fixture(scope="module")
def in_pieces(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> InPieces:
    with (
        django_db_blocker.unblock(),
        transaction.atomic(),
        pytest.MonkeyPatch.context() as monkeypatch,
    ):
        tournament = make_day(12)
        whole = paper(tournament, "spiellisten", serie=1)
        monkeypatch.setattr(job, "SHEETS_PER_PIECE", 1)
        pieces = paper(tournament, "spiellisten", serie=1)
        transaction.set_rollback(True)
    return InPieces(whole, pieces)


def test_pieces_become_one_document_with_all_its_tags(in_pieces: InPieces):
    assert in_pieces.pieces.pages == in_pieces.whole.pages
    assert pages_of(in_pieces.pieces.pdf) == 3
    with opened(in_pieces.whole) as one, opened(in_pieces.pieces) as several:
        assert len(several.Root.StructTreeRoot.K) == 1
        assert list(tags(several.Root.StructTreeRoot.K[0])) == list(
            tags(one.Root.StructTreeRoot.K[0])
        )
        assert several.open_metadata()["dc:title"] == "Spiellisten Serie 1"


def test_every_page_of_a_merged_document_finds_its_own_tags(in_pieces: InPieces):
    with opened(in_pieces.pieces) as pdf:
        numbers = list(pdf.Root.StructTreeRoot.ParentTree.Nums)
        keys = [int(key) for key in numbers[::2]]
        elements = dict(zip(keys, numbers[1::2], strict=True))

        assert keys == sorted(set(keys))
        assert len({int(page.obj.StructParents) for page in pdf.pages}) == 3
        for page in pdf.pages:
            for element in elements[int(page.obj.StructParents)]:
                assert element.Pg.objgen == page.obj.objgen


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=lambda document: document.name)
def test_every_part_of_a_bundle_is_a_kind_of_pdf_that_all_of_them_are(document):
    assert {DOCUMENTS[name].variant for name in document.bundle} <= {document.variant}


def test_every_element_of_a_document_has_styles_to_start_from():
    base = Path(settings.BASE_DIR)
    sheet = (base / "static/css/print/elements.css").read_text()
    named = set(re.findall(r"^([a-z]+[1-6]?)(?=,|::| \{)", sheet, flags=re.MULTILINE))
    used = {
        name
        for template in (base / "templates/print").glob("*.html")
        for name in re.findall(r"<([a-z]+[1-6]?)\b", template.read_text())
    }

    assert used <= named


LISTS, POSTER, RULES, CARDS = "spiellisten", "ausschreibung", "spielregeln", "startkarten"


@pytest.mark.parametrize(
    ("name", "asked"), [(LISTS, {"serie": 1}), (POSTER, {}), (RULES, {}), (CARDS, {})]
)
def test_documents_read_as_xml_are_what_they_are_as_html(name, asked):
    from weasyprint import tinyhtml5  # noqa: PLC0415 - only where pages are made

    wanted = Wanted(tournament=make_day(4, serien=1), base_url=BASE_URL, **asked)
    (piece,) = job.prepare(DOCUMENTS[name], wanted).pieces

    read = list(elements(rendering.tree(piece.html)))

    assert read == list(elements(tinyhtml5.parse(piece.html, namespace_html_elements=False)))


def elements(root: Element) -> Iterator[object]:
    """Yield what a page is made of; how much white space there is does not matter."""
    for element in root.iter():
        said = sorted((name, value.split()) for name, value in element.items())
        yield element.tag, said, (element.text or "").split(), (element.tail or "").split()


def test_what_xml_cannot_say_is_printed_as_html():
    html = "<!doctype html><html lang=de><title>Listen</title><p>Anna\x01 K&uuml;hn<p>Bernd Voß"

    pdf = rendering.render(html, str(settings.BASE_DIR / "static"), "pdf/ua-1")

    (said,) = Paper("Listen", pdf).pages
    assert "Kühn Bernd Voß" in said


def test_lines_of_a_table_are_drawn_from_end_to_end():
    with opened(paper(make_day(4, serien=1), LISTS, serie=1)) as pdf:
        drawn = pikepdf.parse_content_stream(pdf.pages[0])
        cells = sum(tag in {"/TD", "/TH"} for tag in tags(pdf.Root.StructTreeRoot.K[0]))

    lines = sum(str(one.operator) == "S" for one in drawn)
    # Of the games 12 rows and a heading of two, 10 columns: a line each, and the sums below.
    assert 12 + 10 < lines < 80 < cells
