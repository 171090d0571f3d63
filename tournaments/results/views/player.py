"""The own page of a player, opened by the code on the Startkarte, without an account.

Whoever has the link is the player: it stands on the card that the player draws, and only
what concerns this player can be read and answered there. It is kept from search engines
and from pages that a link leads to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from scoring.reading.records import to_json
from tournaments.announcement.queries import publication
from tournaments.announcement.views.public import public_frame
from tournaments.common.access import public
from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError
from tournaments.common.views.acting import CONFLICT
from tournaments.common.views.asking import asks
from tournaments.common.views.counting import Stored
from tournaments.common.views.shared import made_once
from tournaments.desk.queries.presence import tickable
from tournaments.models import Case, Notice, Registration, Seat, Tournament
from tournaments.notices.queries import notices as notice_texts
from tournaments.notices.queries.signs import Sign, sign_now, signs, signs_at
from tournaments.notices.services import notices
from tournaments.results.forms import Choice
from tournaments.results.queries import charts
from tournaments.results.queries.player_results import newest_seat, played_lists
from tournaments.results.queries.rankings import Rankings
from tournaments.results.queries.tables import RankedLine, Table
from tournaments.results.services import player_access

PAGE = "tournaments/results/own_page.html"


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
    return request.GET.get("since") == str(player_access.revision_for(token))


@asks(_shows_the_newest)
@public
@_private
def page(request: HttpRequest, token: str) -> HttpResponse:
    """Show where the player sits, the own lists and what was corrected.

    Opening it is being told; a page that only asks again has been open before.
    """
    registration = _find(token)
    asks_again = "since" in request.GET
    if not asks_again:
        notices.opened_on_page(registration_id=registration.pk, actor=Actor.player(registration))
    if asks_again and "HX-Request" in request.headers:
        tournament = registration.tournament
        what = ("ranking of own pages", tournament.pk)
        ranked = made_once(what, tournament.revision, lambda: Ranked.of(tournament))
        return render(request, f"{PAGE}#own", _context(registration, token, ranked))
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


@dataclass(frozen=True, slots=True)
class Ranked:
    """What own pages show of the ranking; the same for all of them but for whose line it is."""

    rankings: Rankings
    visible: publication.Visible
    table: Table | None
    lines: dict[int, RankedLine]  # with a result, by start number
    has_live: bool

    @classmethod
    def of(cls, tournament: Tournament) -> Ranked:
        """Return it as it is now."""
        rankings = Rankings(tournament)
        visible = publication.visible_ranking(tournament, rankings.serien)
        choice = Choice.of(QueryDict(), rankings, most=visible.upto)
        table = choice.table(rankings) if visible.upto else None
        ranked = [line for line in table.lines if line.has_result] if table else []
        return cls(
            rankings=rankings,
            visible=visible,
            table=table,
            lines={line.standing.number: line for line in ranked},
            has_live=rankings.stand(most=visible.upto, live=True).running,
        )


def _context(
    registration: Registration, token: str, ranked: Ranked | None = None
) -> dict[str, Any]:
    tournament = registration.tournament
    ranked = ranked or Ranked.of(tournament)
    seat = newest_seat(registration)
    known, now = _signs(tournament, seat), timezone.now()
    lists = played_lists(ranked.rankings, registration)
    return {
        "tournament": tournament,
        "registration": registration,
        "token": token,
        "lists": lists[::-1],  # what is played now first
        "chart": charts.course_in_both_shapes(lists, _("Verlauf der Punkte")),
        "rank": ranked.lines.get(registration.number or 0),
        "ranked": len(ranked.lines),
        "ranking": ranked.table,
        "has_live": ranked.has_live,
        "visible": ranked.visible,
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
        "revision": tournament.revision,
        "now": now,
        "sign": sign_now(known, now),
        "signs": {"now": to_json(now), "signs": to_json(tuple(known))},
        "status_note": _status_note(registration),
    }


def _signs(tournament: Tournament, seat: Seat | None) -> list[Sign]:
    return signs_at(seat.table.spielliste) if seat else signs(tournament, None)


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
