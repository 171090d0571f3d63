"""The press text: on a page or as a file, in either language."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.views.decorators.http import require_safe

from tournaments.common.roles import MAY_SEE
from tournaments.machine.addresses import absolute
from tournaments.models import Tournament
from tournaments.results.queries.press import press
from tournaments.results.views.results import result_tabs
from tournaments.web.access import StaffRequest, roles_required
from tournaments.web.downloads import download

LANGUAGES = dict(settings.LANGUAGES)


def _language(request: StaffRequest, tournament: Tournament) -> str:
    """Return the requested language, else that of the tournament's documents."""
    code = request.GET.get("sprache", "")
    return code if code in LANGUAGES else tournament.document_language


def _text_data(
    request: StaffRequest, tournament: Tournament, language: str
) -> tuple[dict[str, Any], str]:
    """Return the facts and the text, both in *language*."""
    with translation.override(language):
        facts = press(tournament)
        path = reverse("public:tournament", args=[tournament.slug])
        context = {"tournament": tournament, "press": facts, "address": absolute(request, path)}
        text = render_to_string("tournaments/results/press.txt", context)
    return facts, f"{text.strip()}\n"


@require_safe
@roles_required(MAY_SEE)
def page(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the text, with warnings about passing it on."""
    language = _language(request, tournament)
    facts = press(tournament)
    context = {
        "tabs": result_tabs(request, tournament, "press"),
        "press": facts,
        "text": _text_data(request, tournament, language)[1] if facts["rankings"] else "",
        "language": language,
        "languages": list(LANGUAGES.items()),
    }
    return render(request, "tournaments/results/press.html", context)


@require_safe
@roles_required(MAY_SEE)
def file(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Download the text."""
    language = _language(request, tournament)
    facts, text = _text_data(request, tournament, language)
    if not facts["rankings"]:
        raise Http404
    name = f"presse-{tournament.slug}-{language}.txt"
    # With a byte order mark, because old editors need it for umlauts.
    return download(text.encode("utf-8-sig"), name)
