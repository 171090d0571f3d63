"""The public pages of published seats, with names by consent.

Open pages poll with ``?since=`` and the revision that they show.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.announcement.views.public import find_tournament
from tournaments.draw.queries import seating as queries
from tournaments.draw.queries.floor import floor_plan
from tournaments.draw.queries.redraw import draws_of
from tournaments.models import Serie, Tournament
from tournaments.people.queries.naming import INTERNET
from tournaments.web.access import own, public
from tournaments.web.cached_answers import cached, compressed_answer, is_poll
from tournaments.web.compression import cached_page, tournament_version
from tournaments.web.frame import public_frame
from tournaments.web.polling import is_public_page_current, polled

PAGE = "tournaments/draw/public.html"


@public
def latest(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect to the Serie whose seats were published last, or else to the first."""
    number = queries.latest_serie(find_tournament(request, slug))
    query = f"?{request.GET.urlencode()}" if request.GET else ""
    return redirect(reverse("seating:serie", args=[slug, number]) + query)


@polled(is_public_page_current)
@cached_page(tournament_version)
@public
def seating(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the seats of a Serie by table and by name, and the seat of a number or name."""
    tournament = find_tournament(request, slug)
    if is_poll(request):
        key = ("seating", tournament.pk, number)
        return compressed_answer(
            request, key, tournament.revision, lambda: _seats(request, tournament, number)
        )
    return _seats(request, tournament, number)


def _seats(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    key = ("seats", tournament.pk, number)
    seats = cached(key, tournament.revision, lambda: _context(tournament, number))
    typed = request.GET.get("nr", "").strip()
    places = queries.places_of(seats["names"], typed, INTERNET)
    context = {
        **seats,
        "typed": typed,
        "is_number": typed.isdecimal(),
        "found": places,
        "own": places[0] if len(places) == 1 else None,
        "serien": tournament.serien.all(),
    }
    if is_poll(request):
        return render(request, f"{PAGE}#seats", context)
    above = reverse("public:tournament", args=[tournament.slug])
    crumbs = [(_("Ausschreibung"), above), (_("Sitzplan"), "")]
    return render(request, PAGE, {**public_frame(request), "crumbs": crumbs, **context})


def _context(tournament: Tournament, number: int) -> dict[str, Any]:
    serie = own(tournament, Serie, number=number)
    tables = queries.seated_tables(serie, INTERNET) if tournament.public_seating else []
    drawn = draws_of(serie, is_seated=bool(tables))
    return {
        "tournament": tournament,
        "serie": serie,
        "tables": tables,
        "names": queries.by_name(tables, INTERNET),
        "hall": floor_plan(tournament, queries.tables_by_number(tables)),
        "proof": queries.current_proof(drawn),
        "published": drawn.published,
        "replaced": drawn.replaced,
        "coming": drawn.coming,
        "revision": tournament.revision,
    }
