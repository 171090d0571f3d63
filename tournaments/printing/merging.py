"""Several PDFs into one, with the tags that screen readers follow and with bookmarks.

qpdf copies pages only; the tree of tags belongs to the catalogue of each PDF. Here the trees of
all parts become branches of the first one's.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

from pikepdf import Array, Name, NumberTree, ObjectStreamMode, OutlineItem, Pdf


def merged(parts: Sequence[bytes], title: str, bookmarks: Sequence[str]) -> bytes:
    """Return one document called *title*, with an ID.

    Args:
        parts: PDFs with tags.
        bookmarks: the title of each part, "" for none. If no part has one, the headings of the
        highest rank are the bookmarks.
    """
    with Pdf.open(io.BytesIO(parts[0])) as whole:
        starts, headings = [0], list(_headings(whole, 0))
        for part in parts[1:]:
            with Pdf.open(io.BytesIO(part)) as source:
                starts.append(len(whole.pages))
                headings += _headings(source, starts[-1])
                _append(whole, source)
        if len(parts) > 1:
            named = [OutlineItem(*at) for at in zip(bookmarks, starts, strict=True) if at[0]]
            with whole.open_outline() as outline:
                outline.root[:] = named or headings
        with whole.open_metadata(set_pikepdf_as_editor=False) as metadata:
            metadata["dc:title"] = title
        out = io.BytesIO()
        whole.save(out, compress_streams=True, object_stream_mode=ObjectStreamMode.generate)
        return out.getvalue()


def _headings(pdf: Pdf, start: int) -> Iterator[OutlineItem]:
    """Yield the bookmarks of the highest rank, with page numbers shifted by *start*."""
    number = {page.obj.objgen: at for at, page in enumerate(pdf.pages, start)}
    for item in pdf.open_outline().root:
        if isinstance(item.destination, Array):
            yield OutlineItem(item.title, number[item.destination[0].objgen])


def _append(whole: Pdf, source: Pdf) -> None:
    """Add the pages of *source*, and its tags below those of *whole*."""
    tree = whole.Root.StructTreeRoot
    tags_at = NumberTree(tree.ParentTree)  # content of a page refers to its tags by numbers
    first = max(tags_at) + 1
    for page in source.pages:
        page.obj.StructParents += first
        for link in page.get(Name.Annots, []):
            link.StructParent += first
    whole.pages.extend(source.pages)
    source_tree = whole.copy_foreign(source.Root.StructTreeRoot)
    document, branch = tree.K[0], source_tree.K[0]
    for element in list(branch.K):
        element.P = document
        document.K.append(element)
    # Content in the margins still refers to the branch, so it is kept without its children.
    branch.K, branch.P = Array(), document
    for number, tags in NumberTree(source_tree.ParentTree).items():
        tags_at[first + number] = tags


def pages_of(pdf: bytes) -> int:
    """Return the number of pages."""
    with Pdf.open(io.BytesIO(pdf)) as opened:
        return len(opened.pages)
