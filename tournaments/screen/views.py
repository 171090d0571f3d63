"""The beamer in the hall: one address that shows what control has set, and its control.

Open calls and the time left stand on it whatever it shows: nothing is told by sound alone.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.announcement.queries.naming import INTERNET, Readers, in_the_hall, unnamed_in_hall
from tournaments.announcement.views.public import find_tournament
from tournaments.common.access import StaffRequest, public, roles_required
from tournaments.common.addresses import absolute
from tournaments.common.roles import MAY_CHECK
from tournaments.common.views.acting import Storing, posted
from tournaments.draw.queries import seating
from tournaments.models import Call, Screen, Serie, Tournament
from tournaments.results.views.public import public_ranking
from tournaments.screen import services
from tournaments.screen.forms import ScreenForm

NO_CONTENT = 204
PAGE = "tournaments/screen/screen.html"
Shows = Screen.Shows


@public
def screen(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what is set, and only what is public."""
    tournament = find_tournament(request, slug)
    if request.GET.get("since") == str(tournament.revision):
        return HttpResponse(status=NO_CONTENT)
    is_fragment = "since" in request.GET and "HX-Request" in request.headers
    readers = in_the_hall(tournament) if settings.IS_IN_THE_HALL else INTERNET
    return render(request, f"{PAGE}#wall" if is_fragment else PAGE, _context(tournament, readers))


def _context(tournament: Tournament, readers: Readers) -> dict[str, Any]:
    chosen = Screen.objects.select_related("serie").filter(tournament=tournament).first()
    shown = chosen or Screen(tournament=tournament)
    serie = shown.serie or _latest(tournament)
    context: dict[str, Any] = {
        "tournament": tournament,
        "screen": shown,
        "serie": serie,
        "now": timezone.now(),
        "ends_at": serie.ends_at() if serie and not serie.closed_at else None,
        "calls": Call.objects.filter(
            table__serie__tournament=tournament, done_at__isnull=True
        ).select_related("table"),
        "revision": tournament.revision,
        "seconds": shown.seconds,
    }
    is_seating_shown = tournament.public_seating or readers is not INTERNET
    if shown.shows in {Shows.TABLES, Shows.NAMES} and serie and is_seating_shown:
        context["tables"] = seating.seated_tables(serie, readers)
        if not context["tables"]:
            context["proof"] = seating.proof(serie)
        elif shown.shows == Shows.NAMES:
            context["names"] = seating.by_name(context["tables"], readers)
    if shown.shows == Shows.RANKING:
        context |= public_ranking(tournament, "einzel", readers=readers)
    return context


def _latest(tournament: Tournament) -> Serie | None:
    seated = tournament.serien.filter(seats__isnull=False)
    return seated.order_by("-number").first()


@roles_required(MAY_CHECK)
def control(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Choose what the beamer shows and how fast its pages change."""
    there = Screen.objects.filter(tournament=tournament).first() or Screen(tournament=tournament)
    form = ScreenForm(posted(request), tournament=tournament, screen=there)
    with Storing(form) as storing:
        if form.is_valid():
            services.show(tournament_id=tournament.pk, actor=request.actor, **form.cleaned_data)
            messages.success(request, _("Die Leinwand zeigt es in wenigen Sekunden."))
            return redirect("screen:control", tournament.slug)
    address = absolute(request, reverse("screen:screen", args=[tournament.slug]))
    context = {
        "tournament": tournament,
        "form": form,
        "screen": there,
        "address": address,
        "unnamed": unnamed_in_hall(tournament),
    }
    return render(request, "tournaments/screen/control.html", context, status=storing.status)
