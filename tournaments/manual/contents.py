"""The manual: its chapters, and the chapter about each page of the program.

Its texts are in ``texts``, one file for each chapter: below the title its readers and, as a list,
its part of the sheet „Der Turniertag auf einer Seite“. Text in „…“ is a label of the program
verbatim; a test checks both languages. ``search`` has the search.
"""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.common import texts
from tournaments.common.texts import Chapter, Paragraph

ROOM = "manual"
# The chapters in the order of the day, each with its pages: places of work by their namespace,
# „desk“, or single pages, „cash:count“.
PAGES: dict[str, tuple[str, ...]] = {
    "klaeren": (),
    "vorbereiten": ("setup", "people", "seasons", "public", "demo", "trial", "notices:circulars"),
    "anmeldung": ("desk", "entry", "cash", "teams"),
    "auslosung": ("draw", "seating"),
    "tisch": ("table", "player", "hall:grid"),
    "saal": ("hall", "screen"),
    "pruefung": ("checking", "notices"),
    "rangliste": ("results", "results_public", "prizes"),
    "drucken": ("printing",),
    "abschluss": ("closing", "journal", "archive", "cash:count", "cash:report"),
    "notfall": ("backup", "operator:requests"),
    "windows": ("operator:here",),
    "konten": ("account", "operator"),
}
ACCOUNTS = "konten"  # the chapter on roles and permissions
_CHAPTERS = {page: slug for slug, pages in PAGES.items() for page in pages}


@dataclass(frozen=True, slots=True, kw_only=True)
class ManualChapter(Chapter):
    """A chapter for one workplace; ``day`` has its summary."""

    slug: str
    who: str
    day: tuple[str, ...]


def chapters() -> list[ManualChapter]:
    """Return all chapters in the active language."""
    return [chapter(slug) for slug in PAGES]


def chapter(slug: str) -> ManualChapter:
    """Return a chapter by the name of its file."""
    (written,) = texts.chapters(ROOM, slug)
    return ManualChapter(
        slug=slug,
        title=written.title,
        who=written.text[0],
        day=written.steps,
        paragraphs=written.paragraphs,
    )


def day() -> list[ManualChapter]:
    """Return the chapters that are steps of the day."""
    return [chapter for chapter in chapters() if chapter.day]


def slug_about(view_name: str) -> str | None:
    """Return the slug of the chapter about a page, by the name of its address: „checking:list“."""
    return _CHAPTERS.get(view_name) or _CHAPTERS.get(view_name.partition(":")[0])


def words() -> dict[str, Paragraph]:
    """Return the explanations of terms for „?“ on all pages."""
    return texts.paragraphs(texts.chapters(ROOM, "words"))
