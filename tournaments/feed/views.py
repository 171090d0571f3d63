"""Answers for other programs and websites: public, read only, without a key."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, timedelta
from functools import partial, wraps
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from tournaments.announcement.queries import tournaments as queries
from tournaments.common.digits import number_in
from tournaments.draw.queries.seating import latest_serie
from tournaments.feed import answers, openapi
from tournaments.feed.news import atom_feed
from tournaments.machine.addresses import absolute, site_address
from tournaments.models import Serie, Tournament
from tournaments.results.queries.rankings import Rankings
from tournaments.results.views.public import public_ranking
from tournaments.web.access import own, public
from tournaments.web.compression import all_tournaments_version, cached_page, tournament_version

SAFE = ("GET", "HEAD")
RUNNING = "1"
MOST_PAST = 20
# Hundreds of readers may open the website of a club at once.
SECONDS_KEPT = 30
# Pages of the staff, of tables, and of links with a token.
NOT_INDEXED = (
    "/turniere/",
    "/konto/",
    "/personen/",
    "/betrieb/",
    "/tisch/",
    "/s/",
    "/meldung/",
    "/nachruecken/",
    "/karten/",
)
CONTACT_LASTS = timedelta(days=180)


def _version(request: HttpRequest, slug: str = "", **_named: Any) -> object:
    return tournament_version(request, slug) if slug else all_tournaments_version(request)


def _json_view(says: Callable[..., dict[str, Any] | HttpResponse]) -> Callable[..., HttpResponse]:
    """Make a view from a function that returns JSON or a refusal; any website may read it."""

    @cached_page(_version)
    @public
    @csrf_exempt  # so that a POST gets the refusal
    @wraps(says)
    def view(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        if request.method not in SAFE:
            answer = answers.refusal(_("Hier lässt sich nur lesen."), HTTPStatus.METHOD_NOT_ALLOWED)
            answer["Allow"] = ", ".join(SAFE)
            return answer
        content = says(request, **kwargs)
        if isinstance(content, HttpResponse):
            return content
        return JsonResponse(
            content,
            json_dumps_params={"ensure_ascii": False},
            headers={
                "Access-Control-Allow-Origin": "*",
                "Cache-Control": f"public, max-age={SECONDS_KEPT}",
            },
        )

    return view


@_json_view
def description(request: HttpRequest) -> dict[str, Any]:
    """Return the OpenAPI description."""
    return openapi.openapi(site_address(request))


@_json_view
def tournaments(request: HttpRequest) -> dict[str, Any]:
    """Return the tournaments of the start page."""
    now = timezone.now()
    first, later = queries.current(now)
    say = partial(answers.tournament_summary, link=partial(absolute, request), now=now)
    return {
        "current": [say(tournament) for tournament in (*first, *later)],
        "past": [say(tournament) for tournament in queries.past(now)[:MOST_PAST]],
    }


@_json_view
def tournament(request: HttpRequest, slug: str) -> dict[str, Any]:
    """Return the Ausschreibung of a tournament."""
    return answers.tournament_details(
        _public_tournament(slug), link=partial(absolute, request), now=timezone.now()
    )


@_json_view
def ranking(
    request: HttpRequest, slug: str, which: str = "einzel"
) -> dict[str, Any] | HttpResponse:
    """Return a ranking as on its public page, after the Serien named in the query.

    A number that does not exist is refused; the page would show its default.
    """
    rankings, query = Rankings(_public_tournament(slug)), request.GET
    shown = public_ranking(rankings, which, query)
    upto = shown["choice"].upto
    serie = number_in(query["nach"]) if "nach" in query else upto
    is_said = query.get("laufend", RUNNING) == RUNNING and (serie or "nach" not in query)
    if not is_said or serie != upto:
        detail = _("„laufend“ ist 1 oder fehlt; „nach“ ist eine Serie, nach der die Liste steht.")
        return answers.refusal(detail, HTTPStatus.NOT_FOUND if is_said else HTTPStatus.BAD_REQUEST)
    return answers.ranking(rankings, shown, compares=RUNNING in query.getlist("laufend"))


@_json_view
def seats(_request: HttpRequest, slug: str, number: int | None = None) -> dict[str, Any]:
    """Return the seats of a Serie, by default of the one published last."""
    tournament = _public_tournament(slug)
    serie = own(tournament, Serie, number=latest_serie(tournament) if number is None else number)
    return answers.seats(tournament, serie)


def _public_tournament(slug: str) -> Tournament:
    tournament = get_object_or_404(Tournament, slug=slug)
    if not queries.is_public(tournament):
        raise Http404
    return tournament


@cached_page(all_tournaments_version)
@public
@require_safe
def news(request: HttpRequest) -> HttpResponse:
    """Return the Atom feed."""
    return HttpResponse(
        atom_feed(list(queries.announced()), partial(absolute, request)),
        content_type=Atom1Feed.content_type,
        headers={"Cache-Control": f"public, max-age={SECONDS_KEPT}"},
    )


@public
@require_safe
def robots(_request: HttpRequest) -> HttpResponse:
    """Return the robots.txt, which excludes pages of the staff and of tokens."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in NOT_INDEXED), ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


@public
@require_safe
def security(request: HttpRequest) -> HttpResponse:
    """Return the security.txt (RFC 9116), if the operator has set a contact."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    until = (timezone.now() + CONTACT_LASTS).astimezone(UTC)
    lines = (
        f"Contact: {settings.SECURITY_CONTACT}",
        f"Expires: {until:%Y-%m-%dT%H:%M:%SZ}",
        "Preferred-Languages: de, en",
        f"Canonical: {absolute(request, request.path)}",
        "",
    )
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


@public
@require_safe
def snippet(_request: HttpRequest) -> HttpResponse:
    """Return the script with its texts that shows tournaments on other websites."""
    words = {
        "announcement": _("Ausschreibung"),
        "register": _("Jetzt melden"),
        "ranking": _("Rangliste"),
        "called_off": _("abgesagt"),
        "nothing": _("Zurzeit ist nichts ausgeschrieben"),
    }
    script = (settings.BASE_DIR / "static" / "js" / "embed.js").read_text(encoding="utf-8")
    return HttpResponse(
        f"window.rommeWords = {json.dumps(words, ensure_ascii=False)};\n{script}",
        content_type="text/javascript; charset=utf-8",
        headers={"Cache-Control": f"public, max-age={SECONDS_KEPT}"},
    )
