"""What a PDF is beside its text: for everybody to read, to keep, and in pieces."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pikepdf
import pytest
from pikepdf import Name, Object

from tests.tournaments.printing.helpers import Paper, make_day, paper
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


def test_pdf_has_title_language_tags_and_the_project_s_fonts():
    with opened(paper(make_day(4, nasty=True), "spiellisten", serie=1)) as pdf:
        metadata = pdf.open_metadata()
        found = list(tags(pdf.Root.StructTreeRoot.K[0]))

        assert metadata["dc:title"].startswith("Spiellisten Serie 1 – Offene Bergstädtische")
        assert metadata["pdfuaid:part"] == "1"
        assert str(pdf.Root.Lang) == "de"
        assert bool(pdf.Root.ViewerPreferences.DisplayDocTitle)
        assert bool(pdf.Root.MarkInfo.Marked)
        assert found.count("/H1") == 1
        assert found.count("/Table") == 2
        assert found.count("/Figure") == 1
        assert found.count("/TR") == 2 + 12 + 8
        # Łódźka comes from the file of further letters.
        families = {
            name.rstrip(",").removesuffix("-Bold").removesuffix("-Semi") for name in fonts_of(pdf)
        }
        assert families == {"Source-Sans-3", "Source-Sans-3-Ext"}


def test_what_is_signed_can_be_kept_for_good():
    with opened(paper(make_day(4), "kassenbericht")) as pdf:
        metadata = pdf.open_metadata()

        assert metadata["pdfaid:part"] == "3"
        assert metadata["pdfaid:conformance"] == "A"
        assert Name.OutputIntents in pdf.Root


def test_pieces_become_one_document_with_all_its_tags(monkeypatch: pytest.MonkeyPatch):
    tournament = make_day(12)
    whole = paper(tournament, "spiellisten", serie=1)
    monkeypatch.setattr(job, "SHEETS_PER_PIECE", 1)

    pieces = paper(tournament, "spiellisten", serie=1)

    assert pieces.pages == whole.pages
    assert pages_of(pieces.pdf) == 3
    with opened(whole) as one, opened(pieces) as several:
        assert len(several.Root.StructTreeRoot.K) == 1
        assert list(tags(several.Root.StructTreeRoot.K[0])) == list(
            tags(one.Root.StructTreeRoot.K[0])
        )
        assert several.open_metadata()["dc:title"] == "Spiellisten Serie 1"


def test_every_page_of_a_merged_document_finds_its_own_tags(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(job, "SHEETS_PER_PIECE", 1)

    with opened(paper(make_day(12), "spiellisten", serie=1)) as pdf:
        numbers = list(pdf.Root.StructTreeRoot.ParentTree.Nums)
        keys = [int(key) for key in numbers[::2]]
        elements = dict(zip(keys, numbers[1::2], strict=True))

        assert keys == sorted(set(keys))
        assert len({int(page.obj.StructParents) for page in pdf.pages}) == 3
        for page in pdf.pages:
            for element in elements[int(page.obj.StructParents)]:
                assert element.Pg.objgen == page.obj.objgen


def test_bundle_has_a_bookmark_for_each_document():
    with opened(paper(make_day(8), "druckpaket", serie=1)) as pdf, pdf.open_outline() as outline:
        assert [item.title for item in outline.root] == [
            "Sitzplan Serie 1 nach Namen",
            "Sitzplan Serie 1 nach Tischen",
            "Tischkarten Serie 1",
            "Spiellisten Serie 1",
        ]


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=lambda document: document.name)
def test_every_part_of_a_bundle_is_a_kind_of_pdf_that_all_of_them_are(document):
    assert {DOCUMENTS[name].variant for name in document.bundle} <= {document.variant}
