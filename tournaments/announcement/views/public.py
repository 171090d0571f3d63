"""Public pages: the list of tournaments, and the players, rules and calendar of one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control

from tournaments.accounts.queries import DEMO_ACCOUNTS, demo_accounts, may_use_demo
from tournaments.announcement.queries import ausschreibung_text, calendar
from tournaments.announcement.queries import tournaments as queries
from tournaments.common import rules as common_rules
from tournaments.common.organisers import roles_in
from tournaments.machine.addresses import absolute
from tournaments.models import Tournament, User
from tournaments.rulebook.views.rules import rules_page
from tournaments.web.access import greet_staff, public, uncached
from tournaments.web.compression import all_tournaments_version, cached_page, tournament_version
from tournaments.web.downloads import download
from tournaments.web.frame import public_frame

PAST_PER_PAGE = 20


def find_tournament(request: HttpRequest, slug: str) -> Tournament:
    """Return a tournament that the request may see.

    Raises:
        Http404: if there is none, or it is a draft and the account has no role in it.
    """
    tournament = get_object_or_404(Tournament, slug=slug)
    if queries.is_public(tournament):
        return tournament
    if isinstance(request.user, User) and roles_in(request.user, tournament):
        return tournament
    raise Http404


@cached_page(all_tournaments_version)
@public
def start(request: HttpRequest) -> HttpResponse:
    """Show running, coming and past tournaments."""
    now = timezone.now()
    first, later = queries.current(now)
    past = Paginator(queries.past(now), PAST_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        **public_frame(request),
        "first": [(each, queries.register_url(each, now)) for each in first],
        "later": later,
        "page_obj": past,
        "may_look": may_use_demo(),
        "looks": [(each.username, DEMO_ACCOUNTS[each.username][2]) for each in demo_accounts()],
    }
    return render(request, "tournaments/announcement/start.html", context)


@cache_control(max_age=24 * 3600)
@public
def manifest(_request: HttpRequest) -> JsonResponse:
    """Return the manifest: name and icon on the home screen of a phone.

    It has no start address, so that an icon opens the page from which it was added, for instance
    the own page of a player. It is not „standalone“, which on iOS has a storage of its own, so that
    a table's device would be a new one.
    """
    icons = (
        ("favicon.svg", "any", "image/svg+xml"),
        ("icon-192.png", "192x192", "image/png"),
        ("icon-512.png", "512x512", "image/png"),
    )
    content = {
        "name": _("Rommé-Turnier"),
        "short_name": "Rommé",
        "display": "minimal-ui",
        "background_color": "#faf7ef",
        "theme_color": "#083e30",
        "icons": [
            {"src": static(f"img/{name}"), "sizes": sizes, "type": kind}
            for name, sizes, kind in icons
        ],
    }
    return JsonResponse(content, content_type="application/manifest+json")


@cached_page(tournament_version)
@public
def players(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the persons with a place, if the Ausschreibung makes them public."""
    tournament = find_tournament(request, slug)
    if not (tournament.public_players and tournament.takes_people):
        raise Http404
    names = queries.public_players(tournament)
    above = reverse("public:tournament", args=[slug])
    context = {
        **public_frame(request),
        "crumbs": [(_("Ausschreibung"), above), (_("Wer kommt?"), "")],
        "tournament": tournament,
        "names": names,
        "register_url": queries.register_url(tournament, timezone.now()),
        "left": None if tournament.places is None else max(0, tournament.places - len(names)),
    }
    return render(request, "tournaments/announcement/players.html", context)


@cached_page(tournament_version)
@public
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the rules of play and scoring of a tournament; for the public, tables and staff."""
    tournament = find_tournament(request, slug)
    is_staff = greet_staff(request, tournament)
    answer = rules_page(
        request,
        common_rules.rule_set_of(tournament),
        reverse("public:rules", args=[slug]),
        lines=ausschreibung_text.scoring_lines(tournament),
        **({} if is_staff else public_frame(request)),
        tournament=tournament,
        crumbs=[
            (_("Ausschreibung"), reverse("public:tournament", args=[slug])),
            (_("Regelwerk"), ""),
        ],
    )
    return uncached(answer) if is_staff else answer


@cached_page(tournament_version)
@public
def calendar_file(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the tournament as a calendar file."""
    tournament = find_tournament(request, slug)
    return calendar_of(request, [tournament], f"{tournament.slug}.ics")


@cached_page(all_tournaments_version)
@cache_control(max_age=3600, public=True)
@public
def calendar_of_all(request: HttpRequest) -> HttpResponse:
    """Return the announced tournaments as a calendar to subscribe to."""
    return calendar_of(request, queries.announced(), "kalender.ics")


def calendar_of(
    request: HttpRequest, tournaments: Iterable[Tournament], name: str, seats: Sequence[str] = ()
) -> HttpResponse:
    """Return the response with a calendar file that has the seats of one player."""

    def url(tournament: Tournament) -> str:
        return absolute(request, reverse("public:tournament", args=[tournament.slug]))

    return download(
        calendar.calendar_file(tournaments, url=url, now=timezone.now(), seats=seats), name
    )
