"""The manual: its contents with a search, a chapter, and the day on one page."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.accounts.views.rights import rights
from tournaments.manual import contents as manual
from tournaments.manual.search import search
from tournaments.models import Role
from tournaments.web.access import public
from tournaments.web.compression import cached_page, program_version
from tournaments.web.frame import public_frame, search_text

CONTENTS = "tournaments/manual/contents.html"


@public
def contents(request: HttpRequest) -> HttpResponse:
    """Show the chapters in the order of the day, or the sections found by the search.

    ``zu`` names the chapter about the previous page, which is shown first.
    """
    typed = search_text(request)
    slug = request.GET.get("zu", "")
    context = {
        **public_frame(request),
        "typed": typed,
        "answer": search(typed) if typed else None,
        "chapters": manual.chapters(),
        "about": manual.chapter(slug) if slug in manual.PAGES else None,
    }
    return render(request, f"{CONTENTS}#found" if request.htmx else CONTENTS, context)  # type: ignore[attr-defined]


@cached_page(program_version)
@public
def chapter(request: HttpRequest, chapter: str) -> HttpResponse:
    """Show one chapter, with links to those before and after it."""
    slugs = list(manual.PAGES)
    if chapter not in slugs:
        raise Http404
    at = slugs.index(chapter)
    chapters = manual.chapters()
    context = {
        **public_frame(request),
        "chapter": chapters[at],
        "before": chapters[at - 1] if at else None,
        "after": chapters[at + 1] if at + 1 < len(chapters) else None,
        "rights": rights() if chapter == manual.ACCOUNTS else (),
        "role_list": list(Role),
    }
    return render(request, "tournaments/manual/chapter.html", context)


@cached_page(program_version)
@public
def day(request: HttpRequest) -> HttpResponse:
    """Show the day on one page."""
    context = {**public_frame(request), "chapters": manual.day()}
    return render(request, "tournaments/manual/day.html", context)
