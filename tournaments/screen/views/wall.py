"""The page of a beamer in the hall.

Signs, open calls and the remaining time are on every page, because nothing is announced by sound
alone. An open page polls with its revision, and the time until which it stays current.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from csp.constants import SELF
from csp.decorators import csp_replace
from django.conf import settings
from django.db.models import Exists, Min, OuterRef, Q
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.safestring import SafeString
from django.views.decorators.clickjacking import xframe_options_sameorigin

from tournaments.announcement.queries.schedule import schedule_days
from tournaments.announcement.views.public import find_tournament
from tournaments.common.access_keys import screen_key
from tournaments.common.rules import rule_set_of
from tournaments.desk.queries.presence import present_counter
from tournaments.draw.queries import seating
from tournaments.draw.queries.floor import floor_plan
from tournaments.draw.queries.redraw import draws_of
from tournaments.machine.qr_codes import in_page, wlan_data
from tournaments.models import Call, Screen, Seat, Serie, Spielliste, Tournament
from tournaments.notices.queries.signs import Sign, current_sign, next_change, signs
from tournaments.people.queries.naming import INTERNET, Readers, distinguish_names, hall_readers
from tournaments.prizes.queries.lottery import lottery_on_screen
from tournaments.prizes.queries.prizes import called_choosers
from tournaments.results.queries.rankings import Rankings
from tournaments.results.views.public import public_ranking
from tournaments.results.views.ranking_parts import counted_rankings
from tournaments.web.access import public
from tournaments.web.cached_answers import cached, is_poll
from tournaments.web.polling import is_public_page_current, polled

PAGE, ONE_PAGE = "tournaments/screen/screen.html", "tournaments/screen/_page.html"
Shows = Screen.Shows
# Pages that may be longer than the screen.
LIST_PAGES = {Shows.TABLES, Shows.NAMES, Shows.RANKING}
# Pages that differ between beamers or change with time; others are shared between beamers.
UNSHARED_PAGES = {Shows.MESSAGE, Shows.COUNTDOWN, Shows.CHOOSING, Shows.LOTTERY}


def _is_current(request: HttpRequest, slug: str, **_named: Any) -> bool:
    """Whether the page is current: no act and no point in time has changed its content."""
    until = request.GET.get("bis", "")
    is_early = not until.isdecimal() or timezone.now().timestamp() < int(until[:12])
    return is_early and is_public_page_current(request, slug)


@polled(_is_current)
@public
@xframe_options_sameorigin
def screen(request: HttpRequest, slug: str, number: int = 1, key: str = "") -> HttpResponseBase:
    """Show the pages of a beamer, with the names that the hall may read.

    On the internet the URL needs a key; without it the page shows names by consent only.
    ``?zeigt=`` shows a preview of one page.
    """
    tournament = find_tournament(request, slug)
    if key and not constant_time_compare(key, screen_key(tournament.pk, number)):
        raise Http404
    now = timezone.now()
    is_fragment = is_poll(request)
    is_hall = bool(key) or settings.IS_IN_THE_HALL
    readers = hall_readers(tournament) if is_hall else INTERNET
    only = request.GET.get("zeigt", "")

    def load() -> Wall:
        return _wall(tournament, number, with_signs=not only)

    place = ("wall", tournament.pk, number, not only)
    wall = cached(place, tournament.revision, load)
    serie = wall.serie
    pages = [only] if only in Shows.values else wall.screen.pages
    changes, sign = next_change(wall.signs, now), current_sign(wall.signs, now)
    context = {
        "tournament": tournament,
        "screen": wall.screen,
        "pages": pages,
        "is_long": len(pages) > 1 or bool(LIST_PAGES & set(pages)),
        "is_live": not only,
        "now": now,
        "serie": serie,
        "sign": sign,
        "next": int(changes.timestamp()) + 1 if changes else "",
        "ends_at": wall.ends_at,
        "calls": wall.calls,
        "most_first": rule_set_of(tournament).order.most_first,
    }

    if Shows.CHOOSING in pages and is_hall:
        call_key = ("called up to choose", tournament.pk)
        context["called"] = cached(
            call_key, tournament.revision, lambda: called_choosers(tournament, readers)
        )
    if Shows.LOTTERY in pages and is_hall:
        context["lottery"] = cached(
            ("lottery in the hall", tournament.pk),
            tournament.revision,
            lambda: lottery_on_screen(tournament, readers),
        )
    day = tournament.days.at(now)  # each day counts its own presence
    pages_key = ("pages of walls", tournament.pk, serie and serie.pk, is_hall, day, *pages)

    def draw(rankings: Rankings) -> dict[str, SafeString]:
        shows = _pages_context(rankings, serie, pages, readers)
        shows |= {"tournament": tournament, "serie": serie}
        long = [page for page in pages if page not in UNSHARED_PAGES]
        return {page: render_to_string(ONE_PAGE, {**shows, "page": page}) for page in long}

    def draw_changed_pages() -> dict[str, SafeString]:
        rankings, version = counted_rankings(tournament, with_lists=Shows.RANKING in pages)
        return cached((*pages_key, "drawn"), version, lambda: draw(rankings))

    if sign is None:  # else it replaces them
        drawn = cached(pages_key, tournament.revision, draw_changed_pages)
        context["drawn"] = [(page, drawn.get(page, "")) for page in pages]
    page = f"{PAGE}#wall" if is_fragment else PAGE
    framed = csp_replace({"frame-ancestors": [SELF]})  # by control
    return framed(lambda request: render(request, page, context))(request)


def _screen(tournament: Tournament, number: int) -> Screen:
    """Return a beamer with its Serie; the first one is a default if it is not stored."""
    screens = Screen.objects.filter(tournament=tournament, number=number).select_related("serie")
    stored = screens.annotate(extra=_extra("serie__")).first()
    if stored is None and number != 1:
        raise Http404
    return stored or Screen(tournament=tournament)


def _extra(path: str = "") -> Min:
    """Return the extra minutes that all tables in play have."""
    lists = f"{path}tables__spielliste__"
    playing = Q(**{f"{lists}status__in": Spielliste.AT_THE_TABLE})
    return Min(f"{lists}extra_minutes", filter=playing)


@dataclass(frozen=True, slots=True)
class Wall:
    """The settings of a beamer and the state of the hall at one revision."""

    screen: Screen
    serie: Serie | None
    signs: list[Sign]
    ends_at: datetime | None
    calls: list[Call]


def _wall(tournament: Tournament, number: int, *, with_signs: bool) -> Wall:
    stored = _screen(tournament, number)
    serie = stored.serie
    extra = getattr(stored, "extra", None)
    if serie is None:
        # A join would repeat each seat for each list.
        is_seated = Exists(Seat.objects.filter(serie=OuterRef("pk")))
        seated = Serie.objects.filter(is_seated, tournament=tournament)
        serie = seated.annotate(extra=_extra()).order_by("-number").first()
        extra = getattr(serie, "extra", None)
    calls = Call.objects.filter(table__serie__tournament=tournament, done_at__isnull=True)
    return Wall(
        screen=stored,
        serie=serie,
        signs=signs(tournament, serie, extra_minutes=extra or 0) if with_signs else [],
        ends_at=serie.ends_at(extra or 0) if serie and not serie.closed_at else None,
        calls=list(calls.select_related("table")),
    )


def _pages_context(
    rankings: Rankings, serie: Serie | None, pages: Collection[str], readers: Readers
) -> dict[str, Any]:
    """Return the context of the pages."""
    context: dict[str, Any] = {}
    tournament = rankings.tournament
    is_seating_shown = tournament.public_seating or readers is not INTERNET
    if {Shows.TABLES, Shows.NAMES} & set(pages) and serie and is_seating_shown:
        context["tables"] = seating.seated_tables(serie, readers)
        if not context["tables"]:
            context["proof"] = seating.current_proof(draws_of(serie, is_seated=False))
        elif Shows.NAMES in pages:
            places = seating.by_name(context["tables"], readers)
            names = distinguish_names((place.name, place.registration) for place in places)
            context["names"] = [
                place._replace(name=name) for place, name in zip(places, names, strict=True)
            ]
        standing = floor_plan(tournament, {table.number: table for table in context["tables"]})
        context["hall"] = standing.without_aisles()
    if Shows.SCHEDULE in pages:
        context["schedule"] = schedule_days(tournament)
    if Shows.WELCOME in pages and serie is None:
        context["presence"] = present_counter(tournament)
    if Shows.WELCOME in pages and readers is not INTERNET and tournament.wlan_name:
        context["wlan"] = in_page(wlan_data(tournament.wlan_name, tournament.wlan_password))
    if Shows.RANKING in pages:
        context |= public_ranking(rankings, "einzel", readers=readers)
    return context
