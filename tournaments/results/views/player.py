"""The own page of a player, opened by the code on the Startkarte, without an account.

The link is the only credential: it is printed on the player's Startkarte, and gives access to
the data of this player only. It is hidden from search engines, and from linked pages by the
referrer policy.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from scoring.reading.records import to_json
from tournaments.announcement.views.public import calendar_of
from tournaments.cash.queries.refunds import refund_cents
from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError
from tournaments.desk.queries.circulars import circulars_to
from tournaments.desk.queries.presence import tickable_registrations, to_bring_cents
from tournaments.desk.services import presence
from tournaments.models import Case, Notice, Registration, Tournament
from tournaments.notices.queries import notices as notice_queries
from tournaments.notices.queries.objections import may_object, objection_deadline
from tournaments.notices.queries.signs import current_sign
from tournaments.notices.services import notices
from tournaments.results.queries import history as own_history
from tournaments.results.queries.rankings import Rankings
from tournaments.results.services import player_access
from tournaments.results.services.history import show_history
from tournaments.results.views.own_page import OwnPages
from tournaments.web.access import or_404, public
from tournaments.web.acting import CONFLICT
from tournaments.web.cached_answers import cached, is_poll
from tournaments.web.frame import public_frame
from tournaments.web.idempotency import StoredAnswer
from tournaments.web.polling import polled

PAGE = "tournaments/results/own_page.html"
HISTORY = "tournaments/results/history.html"
PER_PAGE = 20  # tournaments
OWNER_KEY = "romme.whose"  # caches the owner of the token in the META of a request


def _private(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Hide the answer from search engines, and the address from linked pages."""

    @wraps(view)
    def kept(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        response["X-Robots-Tag"] = "noindex, nofollow"
        response["Referrer-Policy"] = "same-origin"
        response["Cache-Control"] = "private, no-store"
        return response

    return kept


def _find(token: str) -> Registration:
    registration = player_access.find_registration(token)
    if registration is None or registration.tournament.replaced_at is not None:
        raise Http404
    return registration


def _page_owner(request: HttpRequest, token: str) -> player_access.PageOwner | None:
    """Return the owner of the page that the token opens, queried once for each request."""
    if OWNER_KEY not in request.META:
        request.META[OWNER_KEY] = player_access.page_owner(token)
    owner: player_access.PageOwner | None = request.META[OWNER_KEY]
    return owner


def _is_up_to_date(request: HttpRequest, token: str) -> bool:
    whose = _page_owner(request, token)
    return whose is not None and request.GET.get("since") == str(whose.revision)


def _pages(tournament_id: int, revision: int) -> OwnPages:
    def read() -> OwnPages:
        return OwnPages.of(Rankings(Tournament.objects.get(pk=tournament_id)))

    return cached(("own pages", tournament_id), revision, read)


def _part(request: HttpRequest, token: str) -> HttpResponse:
    """Return the part that an open page polls for; shared data are read once."""
    whose = or_404(_page_owner(request, token))
    pages = _pages(whose.tournament_id, whose.revision)
    registration = pages.rankings.registrations.get(whose.registration_id) or _find(token)
    return render(request, f"{PAGE}#own", _context(registration, token, pages))


@polled(_is_up_to_date)
@public
@_private
def page(request: HttpRequest, token: str) -> HttpResponse:
    """Show the player's seat, own lists and notices of corrections.

    Opening the page marks notices as told; a poll of an open page does not.
    """
    if is_poll(request):
        return _part(request, token)
    registration = _find(token)
    if "since" not in request.GET:
        notices.record_page_opened(Actor.player(registration), registration.pk)
    tournament = registration.tournament
    context = _context(registration, token, _pages(tournament.pk, tournament.revision))
    context["tickable"] = tickable_registrations(
        request.user, registration.tournament, Q(pk=registration.pk)
    )
    return render(request, PAGE, {**public_frame(request), **context})


@public
@_private
@require_POST
def answer(request: HttpRequest, token: str, notice_id: int) -> HttpResponse:
    """Acknowledge a correction, or object to it."""
    registration = _find(token)
    if not Notice.objects.filter(pk=notice_id, registration=registration).exists():
        raise Http404
    refused = ""
    try:
        player = Actor.player(registration)
        if request.POST.get("antwort") == "einspruch":
            notices.object_to(player, notice_id, text=request.POST.get("text", ""))
        else:
            notices.acknowledge(player, notice_id)
    except TournamentError as refusal:
        refused = str(refusal)
    is_part = "HX-Request" in request.headers
    if not refused and is_part:
        own_page = partial(_own, request, token)
        return StoredAnswer(own_page, to=reverse("player:page", args=[token]))
    if not refused:
        return redirect("player:page", token)
    more = {"refused": refused, "refused_notice": notice_id, "typed": request.POST.get("text")}
    if is_part:
        return _own(request, token, status=CONFLICT, **more)
    context = {**public_frame(request), **_context(_find(token), token), **more}
    return render(request, PAGE, context, status=CONFLICT)


@public
@_private
def history(request: HttpRequest, token: str) -> HttpResponse:
    """Show the player's public results in all tournaments, if the player agreed here."""
    registration = _find(token)
    refused = ""
    if request.method == "POST":
        try:
            shown = request.POST.get("shown") == "yes"
            show_history(Actor.player(registration), registration.pk, shown=shown)
        except TournamentError as refusal:
            refused = str(refusal)
        else:
            return redirect("player:history", token)
    context = {**public_frame(request), "registration": registration, "token": token}
    if own_history.may_be_shown(registration):
        registrations = own_history.history(registration)
        page = Paginator(registrations, PER_PAGE).get_page(request.GET.get("page"))
        context |= {
            "page": page,
            "played": [_history_row(played) for played in page],
            "seasons": own_history.seasons_of(registrations),
        }
    context |= {"tournament": registration.tournament, "error": refused}
    return render(request, HISTORY, context, status=CONFLICT if refused else 200)


def _history_row(registration: Registration) -> dict[str, Any]:
    tournament = registration.tournament
    by_number = cached(
        ("history", tournament.pk),
        tournament.revision,
        lambda: own_history.standings_of(tournament),
    )
    standing = by_number.get(registration.number or 0)
    return {"tournament": tournament, "standing": standing, "ranked": len(by_number)}


@public
@_private
def calendar(request: HttpRequest, token: str) -> HttpResponse:
    """Return the tournament as a calendar file, with the player's seats so far."""
    registration = _find(token)
    seats = registration.seats.select_related("serie", "table").order_by("serie__number")
    tournament = registration.tournament
    name = f"{tournament.slug}.ics"
    return calendar_of(request, [tournament], name, [seat.in_words for seat in seats])


@public
@_private
@require_POST
def check_in(request: HttpRequest, token: str) -> HttpResponse:
    """Record that the player reports to be in the hall."""
    registration = _find(token)
    try:
        presence.check_in(Actor.player(registration), registration.pk)
    except TournamentError as refusal:
        context = {**public_frame(request), **_context(_find(token), token), "error": str(refusal)}
        return render(request, PAGE, context, status=CONFLICT)
    return redirect("player:page", token)


def _own(request: HttpRequest, token: str, *, status: int = 200, **more: Any) -> HttpResponse:
    """Return the current state of the changing part of the page."""
    context = {**_context(_find(token), token), **more}
    return render(request, f"{PAGE}#own", context, status=status)


def _context(
    registration: Registration, token: str, pages: OwnPages | None = None
) -> dict[str, Any]:
    pages, now = pages or OwnPages.of(Rankings(registration.tournament)), timezone.now()
    is_called_off = pages.rankings.tournament.is_called_off
    # With a seat, there is no question about presence.
    is_at_the_door = (
        registration.plays_next
        and pages.rankings.tournament.lets_check_in(now)
        and not pages.rankings.lists_of.get(registration.pk)
    )
    is_told = is_at_the_door and registration.here_since  # the amount to pay, and the place
    signs = [] if is_called_off else pages.signs_for(registration)  # a note replaces them
    is_addressed = registration.pk in pages.addressed
    notices = notice_queries.for_registration(registration) if is_addressed else []
    cases = notice_queries.decisions_for(registration) if is_addressed else []
    circulars = circulars_to(registration) if is_addressed else []
    return {
        "tournament": pages.rankings.tournament,
        "registration": registration,
        "token": token,
        **pages.parts(registration),
        "is_played": pages.rankings.last_whole == pages.rankings.serien,
        "signs": {"now": to_json(now), "signs": to_json(tuple(signs))},
        "next_begins": None if is_called_off else pages.next_begins(registration),
        "status_note": "" if is_called_off or is_told else _status_note(registration),
        "is_at_the_door": is_at_the_door,
        "to_bring": to_bring_cents(registration) if is_at_the_door else 0,
        "back_cents": refund_cents([registration.pk]) if is_called_off else 0,
        "notices": [
            {
                "text": text,
                "notice": text.notice,
                "until": objection_deadline(text.notice),
                "may_object": _may_object(text.notice),
            }
            for text in notices
        ],
        "circulars": circulars,
        "cases": [case for case in cases if case.kind != Case.Kind.OBJECTION],
        "revision": registration.tournament.revision,
        "now": now,
        "sign": current_sign(signs, now),
    }


def _may_object(notice: Notice) -> bool:
    is_open = notice.response != Notice.Response.OBJECTED
    return is_open and may_object(notice, timezone.now())


def _status_note(registration: Registration) -> str:
    status = Registration.Status
    if registration.is_gone:
        return _(
            "Sie sind nach Serie {serie} gegangen. Wer wieder da ist, meldet sich am Tisch der "
            "Anmeldung."
        ).format(serie=registration.gone_after)
    return {
        str(status.WAITING): _("Sie stehen auf der Warteliste."),
        str(status.REGISTERED): _(
            "Sie sind gemeldet. Gesetzt wird, wer das Startgeld bezahlt hat (§ 1.3)."
        ),
        str(status.WITHDRAWN): _("Sie sind abgemeldet."),
        str(status.NO_SHOW): _("Sie sind als nicht erschienen vermerkt."),
        str(status.EXCLUDED): _("Sie sind vom Turnier ausgeschlossen (§ 1.4)."),
    }.get(registration.status, "")
