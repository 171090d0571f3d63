"""What a PDF is beside its text: for everybody to read, to keep, and in pieces."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pikepdf
import pytest
from django.conf import settings
from django.db import transaction
from pikepdf import Name, Object
from pytest_django.plugin import DjangoDbBlocker

from tests.tournaments.printing.demo_day import DemoDay
from tests.tournaments.printing.helpers import Paper, make_day, paper
from tests.tournaments.printing.nasty import NastyDay
from tournaments.printing import job
from tournaments.printing.documents import DOCUMENTS
from tournaments.printing.merging import pages_of

pytestmark = pytest.mark.django_db


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


def fonts_of(pdf: pikepdf.Pdf) -> set[str]:
    names = set()
    for page in pdf.pages:
        for font in page.Resources.get(Name.Font, {}).values():
            descendant = font.DescendantFonts[0]
            assert Name.FontFile2 in descendant.FontDescriptor or (
                Name.FontFile3 in descendant.FontDescriptor
            )
            names.add(str(font.BaseFont).partition("+")[2])
    return names


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=lambda document: document.name)
def test_pdf_has_title_language_tags_and_the_project_s_fonts(nasty_day: NastyDay, document):
    printed = nasty_day.papers[document.name]

    with opened(printed) as pdf:
        metadata = pdf.open_metadata()
        found = list(tags(pdf.Root.StructTreeRoot.K[0]))

        assert metadata["dc:title"].startswith(printed.title)
        assert str(pdf.Root.Lang) == "de"
        assert bool(pdf.Root.ViewerPreferences.DisplayDocTitle)
        assert bool(pdf.Root.MarkInfo.Marked)
        assert "/H1" in found or document.name == "startkarten"  # a card is too small for one
        for page in pdf.pages:
            assert Name.StructParents in page.obj
        families = {re.sub(r"(-(Bold|Semi|Light))*,?$", "", name) for name in fonts_of(pdf)}
        # Łódźka comes from the file of further letters.
        assert families <= {"Source-Sans-3", "Source-Sans-3-Ext"}
        assert "Source-Sans-3" in families


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=lambda document: document.name)
def test_what_is_signed_can_be_kept_for_good_and_the_rest_read_by_everybody(
    nasty_day: NastyDay, document
):
    kept = {
        "quittung",
        "kassenbericht",
        "spiellisten-gespielt",
        "berichtigungen",
        "rangliste",
        "preisliste",
        "protokoll",
    }

    with opened(nasty_day.papers[document.name]) as pdf:
        metadata = pdf.open_metadata()

        if document.name in kept:
            assert (metadata["pdfaid:part"], metadata["pdfaid:conformance"]) == ("3", "A")
            assert Name.OutputIntents in pdf.Root
        else:
            assert metadata["pdfuaid:part"] == "1"


def test_tables_and_pictures_of_a_list_are_tagged_as_such(nasty_day: NastyDay):
    with opened(nasty_day.papers["spiellisten"]) as pdf:
        found = list(tags(pdf.Root.StructTreeRoot.K[0]))

    # Of three lists: one table of 2 + 15 rows and one of 10, and the code, which says what it is.
    assert found.count("/H1") == 3
    assert found.count("/Table") == 3 * 2
    assert found.count("/Figure") == 3
    assert found.count("/TR") == 3 * (2 + 15 + 10)


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


def test_page_numbers_laid_over_are_no_part_of_what_is_read_out(demo_day: DemoDay):
    with opened(demo_day.papers["protokoll"]) as pdf:
        metadata = pdf.open_metadata()
        found = list(tags(pdf.Root.StructTreeRoot.K[0]))

        assert metadata["pdfaid:part"] == "3"
        assert found.count("/H1") == 1
        assert found.count("/TR") == demo_day.entries + 16  # a head on each page
        for page in pdf.pages:
            *_before, artifact, number, end = [
                str(one.operator)
                for one in pikepdf.parse_content_stream(page)
                if str(one.operator) in {"BMC", "BDC", "Do", "EMC"}
            ]
            assert (artifact, number, end) == ("BMC", "Do", "EMC")


def test_bundle_has_a_bookmark_for_each_document(nasty_day: NastyDay):
    with opened(nasty_day.papers["druckpaket"]) as pdf, pdf.open_outline() as outline:
        assert [item.title for item in outline.root] == [
            "Sitzplan Serie 1 nach Namen",
            "Sitzplan Serie 1 nach Tischen",
            "Tischkarten Serie 1",
            "Spiellisten Serie 1",
        ]


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
