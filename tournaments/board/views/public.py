"""The public page of a tournament: its poster, after the closing its result."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.announcement.queries import ausschreibung_text, poster, publication
from tournaments.announcement.queries import tournaments as queries
from tournaments.announcement.views.public import find_tournament
from tournaments.common.raw_sql import SEASONS, rows
from tournaments.machine.addresses import absolute
from tournaments.models import Season, Tournament
from tournaments.people.queries.naming import INTERNET
from tournaments.results.queries.outcome import TournamentOutcome
from tournaments.web.access import public
from tournaments.web.compression import cached_page, tournament_version
from tournaments.web.frame import public_frame


def _poster_version(request: HttpRequest, slug: str) -> object:
    revision = tournament_version(request, slug)
    return None if revision is None else (revision, rows(SEASONS, slug))


@cached_page(_poster_version)
@public
def tournament_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the Ausschreibung of a tournament as a poster; if it is closed, its result first."""
    tournament = find_tournament(request, slug)
    now = timezone.now()
    shown = poster.poster(tournament)
    doors = _visitor_links(tournament, now)
    path = reverse("public:tournament", args=[slug])
    context = {
        **public_frame(request),
        "tournament": tournament,
        **shown,
        "is_over": tournament.is_read_only,  # no invitation any more
        "doors": doors,
        "note": "" if doors else _registration_note(tournament, now),
        "seasons": Season.objects.filter(tournaments=tournament),
        "preview": {
            "text": poster.summary(tournament),
            "url": absolute(request, path),
            "image": absolute(request, static("img/preview.png")),
        },
    }
    if doors and tournament.is_announced:
        context["registered"] = queries.registered_count(tournament)
    if tournament.is_closed and publication.is_whole_ranking_public(tournament):
        context["outcome"] = TournamentOutcome(tournament, INTERNET)
    return render(request, "tournaments/board/public.html", context)


def _visitor_links(tournament: Tournament, now: datetime) -> list[tuple[str, str]]:
    """Return labels and URLs of the links for visitors, the primary button first."""
    slug = tournament.slug
    if not (tournament.is_running or tournament.is_closed):
        register = queries.register_url(tournament, now)
        return [(_("Jetzt melden"), register)] if register else []
    is_over = all(serie.closed_at for serie in tournament.serien.all())
    is_played = tournament.is_running and not is_over
    doors = []
    if tournament.public_ranking != Tournament.PublicRanking.NEVER:
        doors.append((_("Rangliste"), reverse("results_public:overall", args=[slug])))
    if tournament.public_seating:
        label = _("Wo sitze ich?") if is_played else _("Sitzplan")
        place = 0 if is_played else len(doors)
        doors.insert(place, (label, reverse("seating:latest", args=[slug])))
    if is_played:
        doors.append((_("Code eingeben"), reverse("table:code_of", args=[slug])))
    return doors


def _registration_note(tournament: Tournament, now: datetime) -> str:
    """Return a sentence about registration without the internet; "" if it is over."""
    if not tournament.is_announced:
        return ""
    if tournament.is_past_deadline(now):
        return _(
            "Der Meldeschluss ist vorbei (§ 1.3). Nachmelden kann nur die Spielleitung am Spielort."
        )
    contact = ausschreibung_text.contact(tournament).replace("\n", ", ")
    return _("Meldung bei {contact}").format(contact=contact) if contact else ""
