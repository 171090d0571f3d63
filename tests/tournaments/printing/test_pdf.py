"""Properties of a PDF besides its text: accessible, archivable, and merged from parts."""

from __future__ import annotations

from dataclasses import dataclass

import pikepdf
import pytest
from django.db import transaction
from pikepdf import Dictionary, Name
from pytest_django.plugin import DjangoDbBlocker

from tests.tournaments.printing.helpers import Paper, make_day, opened, paper, tags
from tournaments.printing import print_job
from tournaments.printing.documents import DOCUMENTS
from tournaments.printing.merging import pages_of

pytestmark = pytest.mark.django_db
ID = Name.ID


@dataclass(frozen=True)
class InPieces:
    """The same lists, rendered at once and one by one."""

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
        monkeypatch.setattr(print_job, "SHEETS_PER_PIECE", 1)
        pieces = paper(tournament, "spiellisten", serie=1)
        transaction.set_rollback(True)
    return InPieces(whole, pieces)


def test_pieces_become_one_document_with_all_its_tags(in_pieces: InPieces):
    assert in_pieces.pieces.pages == in_pieces.whole.pages
    assert pages_of(in_pieces.pieces.pdf) == 3
    with opened(in_pieces.whole) as whole, opened(in_pieces.pieces) as several:
        assert len(several.Root.StructTreeRoot.K) == 1
        assert list(tags(several.Root.StructTreeRoot.K[0])) == list(
            tags(whole.Root.StructTreeRoot.K[0])
        )
        assert several.open_metadata()["dc:title"] == "Spiellisten Serie 1"
        titles = [item.title for item in several.open_outline().root]
        assert titles == [f"Spielliste · Serie 1 · Tisch {table}" for table in (1, 2, 3)]
        headings = [
            item.ID for item in several.objects if isinstance(item, Dictionary) and ID in item
        ]
        assert len({str(name) for name in headings}) == len(headings)


def test_every_page_of_a_merged_document_finds_its_own_tags(in_pieces: InPieces):
    with opened(in_pieces.pieces) as pdf:
        elements = pikepdf.NumberTree(pdf.Root.StructTreeRoot.ParentTree)

        assert len({int(page.obj.StructParents) for page in pdf.pages}) == 3
        for page in pdf.pages:
            for element in elements[int(page.obj.StructParents)]:
                assert element.Pg.objgen == page.obj.objgen


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=lambda document: document.name)
def test_every_part_of_a_bundle_is_a_kind_of_pdf_that_all_of_them_are(document):
    assert {DOCUMENTS[name].variant for name in document.bundle} <= {document.variant}
