"""What a text of rules is made of, and how one is made from another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from django.utils.functional import Promise

Text = str | Promise


@dataclass(frozen=True, slots=True)
class Case:
    """One of several things that may have happened, and what follows."""

    when: Text
    then: Text


@dataclass(frozen=True, slots=True)
class Proposal:
    """Strafpunkte that a paragraph names, with the reason as it would be written."""

    points: int
    when: Text
    reason: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """One rule in our own words."""

    number: str  # "5.3"; where the source has no numbers, a short word, unique in its text
    sign: Text  # what stands before the number: "§", "Nr."; nothing if it is not shown
    title: Text
    text: tuple[Text, ...]
    cases: tuple[Case, ...] = ()
    unclear: tuple[Text, ...] = ()  # what the source leaves open, and how it is read
    proposals: tuple[Proposal, ...] = ()
    is_chosen: bool = False  # the organiser chose it; others may play otherwise

    @property
    def label(self) -> str:
        """„§ 5.3“, or nothing where the source has no numbers."""
        return f"{self.sign} {self.number}".strip() if self.sign else ""

    @property
    def anchor(self) -> str:
        """Its place in the page: "p-5-3"."""
        return f"p-{self.number.lower().replace('.', '-')}"

    def words(self) -> str:
        """Return all of it as one text, to be searched."""
        cases = (part for one in self.cases for part in (one.when, one.then))
        parts = (self.label, self.title, *self.text, *cases, *self.unclear)
        return " ".join(str(part) for part in parts)


@dataclass(frozen=True, slots=True)
class Chapter:
    """Paragraphs under one heading."""

    title: Text
    paragraphs: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """How a rule set is played, and what an organiser may choose in it.

    ``variants``: paragraphs by the name of what was chosen, as ``rules_of_play.chosen`` gives it.
    One with the number of a paragraph that is there takes its place, others follow at the end.
    """

    chapters: tuple[Chapter, ...]
    variants: Mapping[str, tuple[Paragraph, ...]] = field(default_factory=dict)


def paragraph(
    number: str,
    title: Text,
    *text: Text,
    sign: Text = "§",
    cases: Iterable[tuple[Text, Text]] = (),
    unclear: Iterable[Text] = (),
    proposals: Iterable[Proposal] = (),
) -> Paragraph:
    """Return a paragraph of the Romméordnung, or of another text by its *sign*."""
    return Paragraph(
        number=number,
        sign=sign,
        title=title,
        text=text,
        cases=tuple(Case(when, then) for when, then in cases),
        unclear=tuple(unclear),
        proposals=tuple(proposals),
    )


def rule(word: str, title: Text, *text: Text, unclear: Iterable[Text] = ()) -> Paragraph:
    """Return a rule of a text that has no numbers."""
    return paragraph(word, title, *text, sign="", unclear=unclear)


def changed(chapters: Iterable[Chapter], *others: Paragraph) -> tuple[Chapter, ...]:
    """Return *chapters* with *others* in the place of those of the same number.

    Raises:
        LookupError: if one has no paragraph to replace.
    """
    by_number = {one.number: one for one in others}
    found = tuple(
        Chapter(one.title, tuple(by_number.pop(old.number, old) for old in one.paragraphs))
        for one in chapters
    )
    if by_number:
        raise LookupError(f"nothing to replace: {', '.join(by_number)}")
    return found


def with_chosen(
    chapters: Iterable[Chapter], chosen: Iterable[Paragraph], heading: Text
) -> tuple[Chapter, ...]:
    """Return *chapters* with what an organiser chose: in its place, or under *heading*."""
    marked = [replace(one, is_chosen=True) for one in chosen]
    chapters = tuple(chapters)
    known = {one.number for chapter in chapters for one in chapter.paragraphs}
    there = changed(chapters, *(one for one in marked if one.number in known))
    further = tuple(one for one in marked if one.number not in known)
    return (*there, Chapter(heading, further)) if further else there
