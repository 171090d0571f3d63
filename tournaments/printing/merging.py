"""Several PDFs into one, with the tags that screen readers follow and with bookmarks.

qpdf copies pages, but the tree of tags hangs on the catalogue of each part and is put
together here: one root over all of them, and one table that leads from what stands on a
page to its tag. Keys of the table are numbers, so those of later parts are raised.

Each page says which HTML it was made of, so that the next print of the same document
takes the pages of what has not changed.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import cast

from pikepdf import (
    Array,
    Dictionary,
    Name,
    Object,
    ObjectStreamMode,
    OutlineItem,
    Page,
    Pdf,
    String,
)

MARK = Name("/RommeDesk")


@dataclass(frozen=True, slots=True)
class Part:
    """One PDF with tags.

    ``keys`` name the HTML of each of its pages, or one key that of all; without any they
    stand on the pages, as the last print left them.
    """

    pdf: bytes
    keys: tuple[str, ...] = ()


def merged(parts: Sequence[Part], title: str, bookmarks: Mapping[str, str]) -> bytes:
    """Return one document called *title*.

    Args:
        parts: where its pages are, in any order; those of no use are left out.
        title: of the document.
        bookmarks: the keys of its pages in order, each with its bookmark; "" for none.
            Where no page has one, the first heading of each is its bookmark.
    """
    with Pdf.open(io.BytesIO(parts[0].pdf)) as whole:
        headings = _prepared(whole, parts[0])
        if not parts[0].keys:
            _unmark(whole, {key for part in parts[1:] for key in part.keys})
        roots = [whole.Root.StructTreeRoot]
        for part in parts[1:]:
            with Pdf.open(io.BytesIO(part.pdf)) as source:
                headings |= _prepared(source, part)
                _raise_keys(source, by=_next_key(roots))
                whole.pages.extend(source.pages)
                roots.append(whole.copy_foreign(source.Root.StructTreeRoot))
        _join(roots)
        starts = _arrange(whole, list(bookmarks))
        titles = bookmarks if any(bookmarks.values()) else headings
        _set_bookmarks(whole, [(titles.get(key, ""), start) for key, start in starts.items()])
        with whole.open_metadata(set_pikepdf_as_editor=False) as metadata:
            metadata["dc:title"] = title
        return _saved(whole)


def with_id(pdf: bytes) -> bytes:
    """Return *pdf* with the ID that every finished one has."""
    with Pdf.open(io.BytesIO(pdf)) as whole:
        return _saved(whole)


def keys_of(pdf: bytes) -> Counter[str]:
    """Return what the pages of a print were made of, and how many were made of each."""
    with Pdf.open(io.BytesIO(pdf)) as opened:
        return Counter(filter(None, map(_key, opened.pages)))


def _prepared(pdf: Pdf, part: Part) -> dict[str, str]:
    """Mark the pages of a part, and return their first headings by their keys."""
    if part.keys:
        # One that did not fit on its page: all belong together, and are made anew next time.
        keys = part.keys if len(part.keys) == len(pdf.pages) else part.keys[:1] * len(pdf.pages)
        for page, key in zip(pdf.pages, keys, strict=True):
            _mark(page, key)
    key_of = {page.obj.objgen: _key(page) for page in pdf.pages}
    found: dict[str, str] = {}
    for item in pdf.open_outline().root:
        if isinstance(item.destination, Array):
            found.setdefault(key_of.get(item.destination[0].objgen, ""), str(item.title))
    return found


def _mark(page: Page, key: str) -> None:
    made = datetime.now(UTC).strftime("D:%Y%m%d%H%M%SZ")
    own = Dictionary(LastModified=String(made), Private=String(key))
    page.obj[Name.PieceInfo] = Dictionary({str(MARK): own})
    page.obj[Name.LastModified] = String(made)


def _unmark(pdf: Pdf, made_anew: Container[str]) -> None:
    for page in pdf.pages:
        if _key(page) in made_anew:
            del page.obj[Name.PieceInfo]


def _key(page: Page) -> str:
    own = page.obj.get(Name.PieceInfo, Dictionary()).get(MARK, Dictionary())
    return str(own.get(Name.Private, ""))


def _arrange(whole: Pdf, keys: Sequence[str]) -> dict[str, int]:
    """Leave the pages of *keys* in their order, with their tags, and return where each begins."""
    of_key: dict[str, list[Object]] = {}
    for page in whole.pages:
        of_key.setdefault(_key(page), []).append(page.obj)
    starts: dict[str, int] = {}
    pages: list[Object] = []
    for key in keys:
        if key in of_key:
            starts[key] = len(pages)
            pages += of_key[key]
    place = {page.objgen: number for number, page in enumerate(pages)}
    left = {int(page.obj.StructParents) for page in whole.pages if page.obj.objgen not in place}
    del whole.pages[:]
    whole.pages.extend(Page(page) for page in pages)
    root = whole.Root.StructTreeRoot
    elements = [one for one in root.K[0].K if one.Pg.objgen in place]
    root.K[0].K = Array(sorted(elements, key=lambda one: place[one.Pg.objgen]))
    numbers = list(_numbers(root))
    pairs = [pair for pair in zip(numbers[::2], numbers[1::2], strict=True) if pair[0] not in left]
    root.ParentTree.Nums = Array([one for pair in pairs for one in pair])
    return starts


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
    pdf.save(out, compress_streams=True, object_stream_mode=ObjectStreamMode.generate)
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
        # What stands in the margins still says it is part of this: all else must be let go.
        root.K[0].K, root.K[0].P = Array(), document
        _numbers(first).extend(_numbers(root))


def _set_bookmarks(whole: Pdf, starts: Sequence[tuple[str, int]]) -> None:
    with whole.open_outline() as outline:
        outline.root[:] = [OutlineItem(title, page) for title, page in starts if title]
