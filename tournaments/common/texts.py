"""Long texts: a Markdown file for each language, in ``texts`` of its room.

``# Chapter`` and below it ``## § 5.3 Paragraph`` or ``## Paragraph {#word}``; the number or the
word is its place in the page, the same in every language. Below a heading are

* paragraphs, and an ordered list of steps,
* ``- **case** what follows``,
* ``> an open question of the source, and its interpretation``,
* a table of facts for the program,
* ``![in words](name "kind")``, a picture,
* ``<!-- further words, by which people search for it -->``
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import get_language
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

# Width and height of a picture in pixels, by its kind, also for ``make pictures``.
SIZES = {
    "page": (1100, 700),
    "part": (1100, 700),  # of a page further down, without its head
    "phone": (390, 780),
    "paper": (794, 1123),
    "wall": (1280, 720),
}

_ROOMS = Path(__file__).resolve().parents[1]
_MARKDOWN = MarkdownIt("commonmark").enable("table")
_WORD = re.compile(r"(?P<title>.+) \{#(?P<number>[\w-]+)\}")
_NUMBER = re.compile(
    r"(?P<label>(?:(?:§|Nr\.|No\.) )?(?P<number>(?:[IVX]+\.)?\d[\d.]*)) (?P<title>.+)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A picture of the same name in each language; ``alt`` describes it."""

    name: str
    alt: str
    kind: str  # a key of SIZES

    @property
    def width(self) -> int:
        """The width of the picture in pixels."""
        return SIZES[self.kind][0]

    @property
    def height(self) -> int:
        """The height of the picture in pixels."""
        return SIZES[self.kind][1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """The content under one heading."""

    title: str = ""
    number: str = ""  # "5.3", or a word
    label: str = ""  # as it is shown: "§ 5.3"; nothing for a word
    text: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    cases: tuple[tuple[str, str], ...] = ()  # one of several cases, and what follows from it
    unclear: tuple[str, ...] = ()  # open questions of the source, and their interpretation
    rows: tuple[tuple[str, ...], ...] = ()  # of a table, without its head
    picture: Picture | None = None
    asked: tuple[str, ...] = ()  # further search words, which its text lacks
    is_chosen: bool = False  # the organiser chose it; others may play otherwise

    @property
    def anchor(self) -> str:
        """The anchor in the page: "p-5-3"."""
        return f"p-{self.number.lower().replace('.', '-')}"

    def words(self) -> str:
        """Return the whole paragraph as one text, for searching."""
        cases = chain.from_iterable(self.cases)
        return " ".join((self.label, self.title, *self.text, *cases, *self.unclear, *self.steps))


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter(Paragraph):
    """Paragraphs under one heading, and the content before the first of them."""

    paragraphs: tuple[Paragraph, ...] = ()


def read_unparsed(room: str, name: str) -> str:
    """Return a text unparsed, in the active language."""
    return _file(room, name).read_text(encoding="utf-8").strip()


def chapters(room: str, name: str) -> tuple[Chapter, ...]:
    """Return a text in the active language.

    The content before the first chapter is a chapter without a title.
    """
    return _read(_file(room, name))


def paragraphs(chapters: Iterable[Chapter]) -> dict[str, Paragraph]:
    """Return the paragraphs of all chapters by number."""
    return {paragraph.number: paragraph for chapter in chapters for paragraph in chapter.paragraphs}


def _file(room: str, name: str) -> Path:
    language = get_language() or settings.LANGUAGE_CODE
    return _ROOMS / room / "texts" / language / f"{name}.md"


@cache
def _read(file: Path) -> tuple[Chapter, ...]:
    parts: list[list[SyntaxTreeNode]] = [[]]
    for node in SyntaxTreeNode(_MARKDOWN.parse(file.read_text(encoding="utf-8"))).children:
        if node.type == "heading":
            parts.append([])
        parts[-1].append(node)
    chapters = [Chapter(**_content(parts[0]))]
    for heading, *blocks in parts[1:]:
        if heading.tag == "h1":
            chapters.append(Chapter(title=_text_of(heading), **_content(blocks)))
        else:
            below = Paragraph(**_heading_fields(_text_of(heading)), **_content(blocks))
            chapters[-1] = replace(chapters[-1], paragraphs=(*chapters[-1].paragraphs, below))
    return tuple(chapter for chapter in chapters if chapter != Chapter())


def _heading_fields(heading: str) -> dict[str, Any]:
    match = _WORD.fullmatch(heading) or _NUMBER.fullmatch(heading)
    if match is None:
        raise LookupError(f"a heading without a number or a word: {heading}")
    return match.groupdict()


def _content(blocks: Sequence[SyntaxTreeNode]) -> dict[str, Any]:
    """Return the fields of a paragraph from the nodes under its heading."""

    def parts(kind: str) -> list[SyntaxTreeNode]:
        return [part for block in blocks if block.type == kind for part in block.children]

    pictures = [part.children[0] for part in parts("paragraph") if _is_picture(part)]
    return {
        "text": tuple(_text_of(part) for part in parts("paragraph") if not _is_picture(part)),
        "picture": _picture(pictures[0]) if pictures else None,
        "asked": tuple(
            block.content.strip("<!-> \n") for block in blocks if block.type == "html_block"
        ),
        "steps": tuple(map(_text_of, parts("ordered_list"))),
        "cases": tuple(map(_case, parts("bullet_list"))),
        "unclear": tuple(map(_text_of, parts("blockquote"))),
        "rows": tuple(
            tuple(map(_text_of, row.children))
            for body in parts("table")
            if body.type == "tbody"
            for row in body.children
        ),
    }


def _text_of(node: SyntaxTreeNode) -> str:
    """Return the text below *node*, on one line."""
    leaves = (child for child in node.walk() if not child.children)
    return "".join(" " if leaf.type == "softbreak" else leaf.content for leaf in leaves)


def _case(item: SyntaxTreeNode) -> tuple[str, str]:
    line = item.children[0].children[0]
    when = next(_text_of(child) for child in line.children if child.type == "strong")
    return when, _text_of(line).removeprefix(when).strip()


def _is_picture(inline: SyntaxTreeNode) -> bool:
    return inline.children[0].type == "image"


def _picture(image: SyntaxTreeNode) -> Picture:
    kind = str(image.attrs.get("title", "page"))
    return Picture(name=str(image.attrs["src"]), alt=_text_of(image), kind=kind)
