"""The own page of a player, opened by the code on the Startkarte, without an account.

Whoever has the link is the player: it stands on the card that the player draws, and only
what concerns this player can be read and answered there. It is kept from search engines
and from pages that a link leads to.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial, wraps
from typing import Any

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from scoring.reading.records import to_json
from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError
from tournaments.desk.queries.presence import tickable
from tournaments.models import Case, Notice, Registration, Tournament
from tournaments.notices.queries import notices as notice_texts
from tournaments.notices.queries.signs import sign_now
from tournaments.notices.services import notices
from tournaments.results.queries.rankings import Rankings
from tournaments.results.services import player_access
from tournaments.results.services.player_access import Whose
from tournaments.results.views.own_page import Drawn, OwnPages, drawn_anew
from tournaments.results.views.shown import as_they_count
from tournaments.web.access import public
from tournaments.web.acting import CONFLICT
from tournaments.web.asking import asks
from tournaments.web.counting import Stored
from tournaments.web.frame import public_frame
from tournaments.web.shared import asks_again, drawn_once, made_once

PAGE = "tournaments/results/own_page.html"
WHOSE = "romme.whose"  # page it is, in a request


def _private(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Keep the answer from search engines, and the address from the next page."""

    @wraps(view)
    def kept(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        response["X-Robots-Tag"] = "noindex, nofollow"
        response["Referrer-Policy"] = "same-origin"
        response["Cache-Control"] = "private, no-store"
        return response

    return kept


def _find(token: str) -> Registration:
    registration = player_access.find(token)
    if registration is None or registration.tournament.replaced_at is not None:
        raise Http404
    return registration


def _shows_the_newest(request: HttpRequest, token: str) -> bool:
    whose = request.META[WHOSE] = player_access.whose(token)
    return whose is not None and request.GET.get("since") == str(whose.revision)


def _without_forms(request: HttpRequest, token: str) -> bytes | None:
    """Return the part that a page asks for; None if something on it has to be answered."""
    whose: Whose | None = request.META[WHOSE]
    if whose is None:
        return None
    pages = _pages(whose.tournament_id, whose.revision)
    registration = pages.rankings.registrations.get(whose.registration_id)
    if registration is None or registration.pk in pages.told:
        return None
    context = _of_everybody(registration, token, pages, timezone.now(), drawn_once)
    return render_to_string(f"{PAGE}#own", {**context, "revision": whose.revision}).encode()


def _pages(tournament_id: int, revision: int) -> OwnPages:
    """Return what own pages show, once for each revision, and anew if any of it has changed."""
    what = ("own pages", tournament_id)

    def look() -> OwnPages:
        rankings, version = as_they_count(Tournament.objects.get(pk=tournament_id))
        return made_once((*what, "as they count"), version, lambda: OwnPages.of(rankings))

    return made_once(what, revision, look)


@asks(_shows_the_newest, at_once=_without_forms)
@public
@_private
def page(request: HttpRequest, token: str) -> HttpResponse:
    """Show where the player sits, the own lists and what was corrected.

    Opening it is being told; a page that only asks again has been open before.
    """
    registration = _find(token)
    if asks_again(request):
        pages = _pages(registration.tournament_id, registration.tournament.revision)
        context = _context(registration, token, pages, drawn_once)
        return render(request, f"{PAGE}#own", context)
    if "since" not in request.GET:
        notices.opened_on_page(registration_id=registration.pk, actor=Actor.player(registration))
    context = _context(registration, token)
    context["tickable"] = tickable(request.user, registration.tournament, Q(pk=registration.pk))
    return render(request, PAGE, {**public_frame(request), **context})


@public
@_private
@require_POST
def answer(request: HttpRequest, token: str, notice_id: int) -> HttpResponse:
    """Take note of a correction, or object to it."""
    registration = _find(token)
    if not Notice.objects.filter(pk=notice_id, registration=registration).exists():
        raise Http404
    refused = ""
    try:
        notices.respond(
            notice_id=notice_id,
            acknowledged=request.POST.get("antwort") != "einspruch",
            text=request.POST.get("text", ""),
            actor=Actor.player(registration),
        )
    except TournamentError as refusal:
        refused = str(refusal)
    is_part = "HX-Request" in request.headers
    if not refused and is_part:
        own_page = partial(_own, request, token)
        return Stored(own_page, to=reverse("player:page", args=[token]))
    if not refused:
        return redirect("player:page", token)
    more = {"refused": refused, "refused_notice": notice_id, "typed": request.POST.get("text")}
    if is_part:
        return _own(request, token, status=CONFLICT, **more)
    context = {**public_frame(request), **_context(_find(token), token), **more}
    return render(request, PAGE, context, status=CONFLICT)


def _own(request: HttpRequest, token: str, *, status: int = 200, **more: Any) -> HttpResponse:
    """Show the changing part of the page as it is now."""
    context = {**_context(_find(token), token), **more}
    return render(request, f"{PAGE}#own", context, status=status)


def _context(
    registration: Registration,
    token: str,
    pages: OwnPages | None = None,
    drawn: Drawn = drawn_anew,
) -> dict[str, Any]:
    pages, now = pages or OwnPages.of(Rankings(registration.tournament)), timezone.now()
    return {
        **_of_everybody(registration, token, pages, now, drawn),
        "notices": [
            {
                "text": text,
                "notice": text.notice,
                "until": notice_texts.object_until(text.notice),
                "may_object": _may_object(text.notice),
            }
            for text in notice_texts.for_registration(registration)
        ],
        "cases": [
            case
            for case in notice_texts.decisions_for(registration)
            if case.kind != Case.Kind.OBJECTION
        ],
        "revision": registration.tournament.revision,
        "now": now,
        "sign": sign_now(pages.signs_for(registration), now),
    }


def _of_everybody(
    registration: Registration, token: str, pages: OwnPages, now: datetime, drawn: Drawn
) -> dict[str, Any]:
    """Return what stands on a page whatever its player was told."""
    return {
        "tournament": pages.rankings.tournament,
        "registration": registration,
        "token": token,
        **pages.parts(registration, drawn),
        "signs": {"now": to_json(now), "signs": to_json(tuple(pages.signs_for(registration)))},
        "status_note": _status_note(registration),
    }


def _may_object(notice: Notice) -> bool:
    until = notice_texts.object_until(notice)
    is_open = notice.response != Notice.Response.OBJECTED
    return is_open and (until is None or timezone.now() <= until)


def _status_note(registration: Registration) -> str:
    status = Registration.Status
    return {
        str(status.WAITING): _("Sie stehen auf der Warteliste."),
        str(status.REGISTERED): _(
            "Sie sind gemeldet. Gesetzt wird, wer das Startgeld bezahlt hat (§ 1.3)."
        ),
        str(status.WITHDRAWN): _("Sie sind abgemeldet."),
        str(status.NO_SHOW): _("Sie sind als nicht erschienen vermerkt."),
        str(status.EXCLUDED): _("Sie sind vom Turnier ausgeschlossen (§ 1.4)."),
    }.get(registration.status, "")
