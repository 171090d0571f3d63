"""The manual as a whole: its chapters, and which of them a page of the program needs."""

from __future__ import annotations

from tournaments.manual import (
    accounts,
    before,
    checking,
    closing,
    desk,
    draw,
    hall,
    printing,
    results,
    table,
    trouble,
)
from tournaments.manual.base import ManualChapter
from tournaments.rulebook.queries import rules_of_play

CHAPTERS: tuple[ManualChapter, ...] = tuple(
    part.CHAPTER
    for part in (
        before,
        desk,
        draw,
        table,
        hall,
        checking,
        results,
        printing,
        closing,
        trouble,
        accounts,
    )
)
DAY = tuple(one for one in CHAPTERS if one.day)
_BY_PAGE = {page: one for one in CHAPTERS for page in one.pages}


def chapter_of(view_name: str) -> ManualChapter | None:
    """Return the chapter about a page, by the name of its address: „checking:list“."""
    return _BY_PAGE.get(view_name) or _BY_PAGE.get(view_name.partition(":")[0])


def search(typed: str) -> list[ManualChapter]:
    """Return the sections that have every word of *typed*, in their chapters."""
    return [one for one in rules_of_play.search(CHAPTERS, typed) if isinstance(one, ManualChapter)]
