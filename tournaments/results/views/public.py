"""The public ranking: on devices and, page by page, on the screen.

The Ausschreibung defines what is public and when (``announcement.queries.publication``). Open pages
poll with ``?since=`` and the revision that they show.
"""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournaments.announcement.queries import publication
from tournaments.announcement.views.public import find_tournament
from tournaments.common.errors import TournamentError
from tournaments.common.organisers import is_parent_head, roles_in
from tournaments.common.ranking_names import label_of, ranking_of, slug_of
from tournaments.common.roles import MAY_LEAD
from tournaments.models import Tournament, User
from tournaments.people.queries.naming import INTERNET, Readers
from tournaments.results.forms import RankingSelection
from tournaments.results.queries.rankings import Rankings
from tournaments.results.queries.tables import shown_lines
from tournaments.results.services import publication as publication_service
from tournaments.results.views.ranking_parts import counted_rankings, ranking_context
from tournaments.web.access import StaffRequest, or_404, public, roles_required
from tournaments.web.cached_answers import cached, compressed_answer, is_poll, query_of
from tournaments.web.compression import cached_page, tournament_version
from tournaments.web.frame import public_frame
from tournaments.web.polling import is_public_page_current, polled

PAGE = "tournaments/results/public.html"
HELD_BACK = (publication.Mode.HIDDEN_LAST, publication.Mode.FINAL)


@polled(is_public_page_current)
@cached_page(tournament_version)
@public
def ranking(request: HttpRequest, slug: str, which: str = "einzel") -> HttpResponse:
    """Show the public part of one ranking."""
    tournament = find_tournament(request, slug)

    def draw(rankings: Rankings, whole: publication.PublicPart | None) -> str:
        context = public_ranking(rankings, which, request.GET, visible=whole)
        return SafeString(render(request, f"{PAGE}#lines", context).content.decode())

    def part(*, sees_all: bool = False) -> dict[str, Any]:
        rankings, version = counted_rankings(tournament)
        all_of_it = publication.PublicPart(upto=rankings.serien, running=False, note="")
        whole = all_of_it if sees_all else None
        key = ("lines of the public ranking", tournament.pk, which, query_of(request), whole)
        drawn = cached(key, version, lambda: draw(rankings, whole))
        of_now = {"tournament": tournament, "which": which, "revision": tournament.revision}
        return {**of_now, "drawn": drawn}

    if is_poll(request):
        key = ("public ranking", tournament.pk, which)
        ranking = f"{PAGE}#ranking"
        return compressed_answer(
            request, key, tournament.revision, lambda: render(request, ranking, part())
        )
    user = request.user
    looks = tournament.is_read_only and isinstance(user, User) and is_parent_head(user, tournament)
    context = part(sees_all=looks)
    above = reverse("public:tournament", args=[slug])
    frame = {
        **public_frame(request),
        "crumbs": [(_("Ausschreibung"), above), (_("Rangliste"), "")],
        "may_release": _may_release(request, tournament),
        "ranking_label": label_of(or_404(ranking_of(which))),
    }
    return render(request, PAGE, {**frame, **context})


def _may_release(request: HttpRequest, tournament: Tournament) -> bool:
    """Whether the reader of the page may release a ranking that is held back."""
    if tournament.public_ranking not in HELD_BACK or tournament.is_read_only:
        return False
    user = request.user
    roles = roles_in(user, tournament) if isinstance(user, User) else frozenset()
    return bool(roles & MAY_LEAD)


def public_ranking(
    rankings: Rankings,
    which: str,
    asked: QueryDict | None = None,
    readers: Readers = INTERNET,
    visible: publication.PublicPart | None = None,
) -> dict[str, Any]:
    """Return a ranking for the page or the screen, with the names for *readers*.

    *asked* is the query of an address, which may select another stand than the default; *visible*
    is the part to show, by default the public one.

    Before the first result there are no lines, because registrations are not public.

    Raises:
        Http404: if the tournament has no such ranking.
    """
    tournament = rankings.tournament
    chosen = ranking_of(which)
    if chosen is None or not rankings.has(chosen):
        raise Http404
    visible = visible or publication.visible_ranking(tournament, rankings.serien)
    most = visible.upto
    choice = RankingSelection.of(asked or QueryDict(), rankings, ranking=chosen, most=most)
    table = choice.table(rankings)
    is_shown = 0 < choice.upto <= most and table.has_results
    is_over = choice.upto == rankings.serien or chosen.is_of_part
    return {
        **ranking_context(rankings, choice, table, {}),
        "tournament": tournament,
        "rows": list(shown_lines(table, readers)) if is_shown else [],
        "is_left_empty": 0 < choice.upto <= most and table.is_left_empty,
        "which": which,
        "ranking_label": label_of(chosen),
        "final_label": _("endgültig") if is_over else _("alle Listen geprüft"),
        "choices": _choices(rankings, choice) if most else [],
        "visible": visible,
    }


def _choices(rankings: Rankings, choice: RankingSelection) -> list[dict[str, Any]]:
    """Return links to the rankings that are public, at the same stand."""
    begun = min(choice.most, rankings.last_begun)
    live = "?laufend=1" if choice.running else ""
    page = "results_public:ranking"
    slug = rankings.tournament.slug
    return [
        {
            "label": label_of(ranking),
            "url": reverse(page, args=[slug, slug_of(ranking)]) + live,
            "is_current": ranking == choice.ranking,
        }
        for ranking in rankings.choices()
        if not ranking.is_of_part or rankings.span(ranking)[0] <= begun
    ]


@roles_required(MAY_LEAD)
@require_POST
def release(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Release a ranking that was held back until the prize-giving, or hold it back again."""
    act = (
        publication_service.hold_back_results
        if request.POST.get("zurueck")
        else publication_service.release_results
    )
    try:
        act(request.actor, tournament.pk)
    except TournamentError as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("Gespeichert. Die öffentlichen Seiten zeigen es sofort."))
    return redirect("results_public:overall", tournament.slug)
