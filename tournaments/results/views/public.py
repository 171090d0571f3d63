"""The ranking for everybody: on the own device and, page by page, on the wall.

What is shown when is set in the Ausschreibung (``results.queries.publication``). Open pages ask
again with ``?since=`` and the revision they show; nothing new is a 204 after one read.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from scoring.payments import prizes
from tournaments.announcement.queries import publication
from tournaments.announcement.queries.naming import INTERNET, Readers
from tournaments.announcement.queries.publication import Visible
from tournaments.announcement.queries.rule_set_text import tie_breaks
from tournaments.announcement.views.public import find_tournament, public_frame
from tournaments.common.access import StaffRequest, public, roles_of, roles_required
from tournaments.common.errors import TournamentError
from tournaments.common.ranking_names import label_of, ranking_of, slug_of
from tournaments.common.roles import MAY_LEAD
from tournaments.common.rules import rule_set_of
from tournaments.models import Tournament, User
from tournaments.results.queries.rankings import Rankings
from tournaments.results.queries.tables import RankedLine, Table
from tournaments.results.services import publication as publication_service

NO_CONTENT = 204
PAGE = "tournaments/results/public.html"
HELD_BACK = (publication.Mode.HIDDEN_LAST, publication.Mode.FINAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicLine:
    """A line of a ranking as strangers may read it: names and clubs by consent."""

    line: RankedLine
    name: str
    club: str


@public
def ranking(request: HttpRequest, slug: str, which: str = "einzel") -> HttpResponse:
    """Show one ranking as far as it is public."""
    tournament = find_tournament(request, slug)
    if request.GET.get("since") == str(tournament.revision):
        return HttpResponse(status=NO_CONTENT)
    context = public_ranking(tournament, which)
    if "since" in request.GET and "HX-Request" in request.headers:
        return render(request, f"{PAGE}#ranking", context)
    crumbs = [
        {"label": _("Ausschreibung"), "url": reverse("public:tournament", args=[slug])},
        {"label": _("Rangliste"), "url": ""},
    ]
    frame = {
        **public_frame(request),
        "crumbs": crumbs,
        "may_release": _may_release(request, tournament),
    }
    return render(request, PAGE, {**frame, **context})


def _may_release(request: HttpRequest, tournament: Tournament) -> bool:
    """Whether whoever reads the page can let everybody see what is held back."""
    if tournament.public_ranking not in HELD_BACK or tournament.is_read_only:
        return False
    user = request.user
    mine = roles_of(user, tournament) if isinstance(user, User) else frozenset()
    return bool(mine & MAY_LEAD)


def public_ranking(
    tournament: Tournament, which: str, readers: Readers = INTERNET
) -> dict[str, Any]:
    """Return what the page and the screen show of a ranking, with names as *readers* get them.

    Before the first result there is no table: who has registered is nobody else's business.

    Raises:
        Http404: if the tournament keeps no such ranking.
    """
    rankings = Rankings(tournament)
    chosen = ranking_of(which)
    if chosen is None or not rankings.has(chosen):
        raise Http404
    visible = publication.visible_ranking(tournament, rankings.serien)
    table = _visible_table(rankings, chosen, visible)
    return {
        "tournament": tournament,
        "table": table,
        "lines": list(_public_lines(table, readers)) if table else [],
        "which": which,
        "ranking_label": label_of(chosen),
        "title": _title(table),
        "tie_breaks": tie_breaks(rule_set_of(tournament)),
        "choices": [
            {"label": label_of(one), "slug": slug_of(one), "is_current": one == chosen}
            for one in rankings.choices()
            if not one.serie or one.serie <= min(visible.upto, rankings.last_begun)
        ]
        if visible.upto
        else [],
        "visible": visible,
        "revision": tournament.revision,
    }


def _visible_table(rankings: Rankings, chosen: prizes.Ranking, visible: Visible) -> Table | None:
    if not visible.upto or (chosen.serie or 0) > visible.upto:
        return None
    upto = min(visible.upto, rankings.last_begun)
    table = rankings.table(chosen, upto=upto, running=visible.running)
    return table if any(line.has_result for line in table.lines) else None


def _title(table: Table | None) -> str:
    """Return what the ranking is: no Endstand while something is missing in it."""
    if table is None or table.is_final or not table.upto or table.ranking.serie:
        return table.title if table else ""
    return _("Stand mit Serie {number}").format(number=table.upto)


def _public_lines(table: Table, readers: Readers) -> Iterable[PublicLine]:
    for line in table.lines:
        if line.registration is None:
            name = publication.team_name(line.name, line.members, readers)
            yield PublicLine(line=line, name=name, club=line.club if name == line.name else "")
            continue
        person = line.registration.person
        is_named = readers.names(person)
        yield PublicLine(
            line=line,
            name=person.list_name if is_named else readers.of(line.registration),
            club=line.club if is_named else "",
        )


@roles_required(MAY_LEAD)
@require_POST
def release(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show everybody what was held back until the prize-giving, or hold it back again."""
    act = (
        publication_service.hold_back_results
        if request.POST.get("zurueck")
        else publication_service.release_results
    )
    try:
        act(tournament_id=tournament.pk, actor=request.actor)
    except TournamentError as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("Gespeichert. Die öffentlichen Seiten zeigen es sofort."))
    return redirect("results_public:overall", tournament.slug)
