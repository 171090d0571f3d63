"""Several PDFs into one, with the tags that screen readers follow and with bookmarks.

qpdf copies pages, but the tree of tags hangs on the catalogue of each part and is put
together here: one root over all of them, and one table that leads from what stands on a
page to its tag. Keys of the table are numbers, so those of later parts are raised.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from pikepdf import Array, Name, Object, OutlineItem, Page, Pdf


@dataclass(frozen=True, slots=True)
class Part:
    """One PDF with tags, and the bookmark on its first page; "" for none."""

    pdf: bytes
    bookmark: str = ""


def merged(parts: Sequence[Part], title: str) -> bytes:
    """Return *parts* one after the other as one document called *title*."""
    if len(parts) == 1:
        return parts[0].pdf
    with Pdf.open(io.BytesIO(parts[0].pdf)) as whole:
        roots = [whole.Root.StructTreeRoot]
        starts = [(parts[0].bookmark, 0)]
        for part in parts[1:]:
            starts.append((part.bookmark, len(whole.pages)))
            with Pdf.open(io.BytesIO(part.pdf)) as source:
                _raise_keys(source, by=_next_key(roots))
                whole.pages.extend(source.pages)
                roots.append(whole.copy_foreign(source.Root.StructTreeRoot))
        _join(roots)
        _set_bookmarks(whole, starts)
        with whole.open_metadata(set_pikepdf_as_editor=False) as metadata:
            metadata["dc:title"] = title
        return _saved(whole)


def with_page_numbers(pdf: bytes, numbers: bytes) -> bytes:
    """Return *pdf* with page 1 of *numbers* laid over its page 1, and so on.

    What was rendered in pieces cannot know how many pages it will have: the numbers are
    made afterwards as pages that are empty but for their foot.
    """
    with Pdf.open(io.BytesIO(pdf)) as whole, Pdf.open(io.BytesIO(numbers)) as source:
        for page, number in zip(whole.pages, source.pages, strict=True):
            form = whole.copy_foreign(number.as_form_xobject())
            name = page.add_resource(form, Name.XObject)
            # Whatever the page has set for drawing ends with it.
            page.contents_add(b"q\n", prepend=True)
            page.contents_add(f"\nQ\n/Artifact BMC q {name} Do Q EMC\n".encode())
        return _saved(whole)


def _saved(pdf: Pdf) -> bytes:
    out = io.BytesIO()
    pdf.save(out, compress_streams=True)
    return out.getvalue()


def pages_of(pdf: bytes) -> int:
    """Return the number of pages."""
    with Pdf.open(io.BytesIO(pdf)) as opened:
        return len(opened.pages)


def _numbers(root: Object) -> Array:
    """Return the table of a tree of tags: key, what it leads to, key, …"""
    return cast(Array, root.ParentTree.Nums)


def _next_key(roots: Sequence[Object]) -> int:
    return max(int(key) for key in list(_numbers(roots[-1]))[::2]) + 1


def _raise_keys(source: Pdf, *, by: int) -> None:
    numbers = _numbers(source.Root.StructTreeRoot)
    for at in range(0, len(numbers), 2):
        numbers[at] = int(numbers[at]) + by
    for page in source.pages:
        for owner, key in _owners(page):
            if key in owner:
                owner[key] = int(owner[key]) + by


def _owners(page: Page) -> Iterable[tuple[Object, Name]]:
    yield page.obj, Name.StructParents
    for annotation in page.get(Name.Annots, []):
        yield annotation, Name.StructParent


def _join(roots: Sequence[Object]) -> None:
    """Hang the tags of all parts below the first one's element of the whole document."""
    first, *others = roots
    document = first.K[0]
    for root in others:
        for element in list(root.K[0].K):
            element.P = document
            document.K.append(element)
        _numbers(first).extend(_numbers(root))


def _set_bookmarks(whole: Pdf, starts: Sequence[tuple[str, int]]) -> None:
    with whole.open_outline() as outline:
        outline.root[:] = [OutlineItem(title, page) for title, page in starts if title]
