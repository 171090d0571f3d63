"""What the manual is made of: chapters in the order of the day, each of short sections.

A section is a paragraph as the rules of play have it, so both are searched in one way. What
stands in „…“ is a label of the program, word for word; a test holds both languages to it.
"""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.rulebook.play.base import Case, Chapter, Paragraph, Text

# Width and height in pixels, by the kind of picture; ``make pictures`` takes them so.
SIZES = {"page": (1100, 700), "phone": (390, 780), "paper": (794, 1123), "wall": (1280, 720)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A picture of the practice tournament, of the same name in each language."""

    name: str  # of the file, and of what scripts/pictures.py takes
    alt: Text
    kind: str = "page"  # a key of SIZES

    @property
    def width(self) -> int:
        """In pixels."""
        return SIZES[self.kind][0]

    @property
    def height(self) -> int:
        """In pixels."""
        return SIZES[self.kind][1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic(Paragraph):
    """One thing that somebody wants to do: sentences, steps in their order, a picture."""

    steps: tuple[Text, ...] = ()
    picture: Picture | None = None

    def words(self) -> str:
        """Return all of it as one text, to be searched."""
        return " ".join((Paragraph.words(self), *(str(step) for step in self.steps)))


@dataclass(frozen=True, slots=True, kw_only=True)
class ManualChapter(Chapter):
    """What one place of work has to know.

    ``day``: the same in a few words, for the sheet to pin up; nothing if it is no step of the day.
    ``pages``: rooms by their namespace, „desk“, or single pages, „cash:count“, which it is about.
    """

    slug: str
    who: Text
    day: tuple[Text, ...] = ()
    pages: tuple[str, ...] = ()


def topic(
    word: str,
    title: Text,
    *text: Text,
    steps: tuple[Text, ...] = (),
    cases: tuple[tuple[Text, Text], ...] = (),
    picture: Picture | None = None,
) -> Topic:
    """Return a section; *word* is its place in the page, the same in every language."""
    return Topic(
        number=word,
        sign="",
        title=title,
        text=text,
        steps=steps,
        cases=tuple(Case(when, then) for when, then in cases),
        picture=picture,
    )
