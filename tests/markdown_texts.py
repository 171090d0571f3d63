"""The Markdown texts of the program, German and English."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from itertools import chain
from pathlib import Path

from django.utils import translation

import tournaments
from tournaments.common import texts
from tournaments.common.texts import Chapter, Paragraph, Picture

ROOMS = Path(tournaments.__file__).parent
# Parts that are not sentences and equal in both languages.
PLACES = {"number", "label", "name", "kind", "is_chosen", "asked"}


def files(language: str) -> list[tuple[str, str]]:
    """Room and name of every text that there is in a language."""
    paths = sorted(ROOMS.rglob(f"texts/{language}/*.md"))
    return [(str(file.parents[2].relative_to(ROOMS)), file.stem) for file in paths]


def chapters(room: str, name: str, language: str) -> tuple[Chapter, ...]:
    """A text in a language."""
    with translation.override(language):
        return texts.chapters(room, name)


def sentences(part: object) -> Iterator[str]:
    """All that a chapter, a paragraph or a part of one says, in its order."""
    if isinstance(part, str):
        yield from [part] if part else []
    elif isinstance(part, tuple):
        yield from chain.from_iterable(map(sentences, part))
    elif isinstance(part, Paragraph | Picture):
        names = [field.name for field in fields(part) if field.name not in PLACES]
        yield from chain.from_iterable(sentences(getattr(part, name)) for name in names)


def translated(*rooms: str) -> list[tuple[str, str]]:
    """Every German sentence with its English one, of these rooms or of all."""
    return [
        pair
        for room, name in files("de")
        if room in (rooms or (room,))
        for pair in zip(
            *(sentences(chapters(room, name, language)) for language in ("de", "en")), strict=True
        )
    ]
