"""The rankings, with details of each line, and as files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from scoring.payments import prizes
from scoring.payments.prizes import Recipient
from tournaments.common.digits import number_in
from tournaments.common.errors import TournamentError
from tournaments.common.ranking_names import slug_of
from tournaments.common.roles import MAY_LEAD, MAY_SEE, MAY_TAKE_MONEY
from tournaments.common.rules import rule_set_of
from tournaments.models import Team, Tournament
from tournaments.people.queries.naming import STAFF
from tournaments.results.forms import FinalForm, InviteForm, RankingSelection
from tournaments.results.queries import charts, player_results, rank_chart
from tournaments.results.queries.ranking_json import standings_json
from tournaments.results.queries.rankings import OVERALL, Rankings
from tournaments.results.queries.tables import RankingTable, shown_lines
from tournaments.results.services import quota
from tournaments.results.views.ranking_parts import ranking_context
from tournaments.web.access import StaffRequest, or_404, roles_required
from tournaments.web.cached_answers import compressed_answer, is_poll
from tournaments.web.downloads import download, table_file
from tournaments.web.polling import is_staff_page_current, polled

PAGE = "tournaments/results/ranking.html"
FILES = (("csv", "CSV"), ("xlsx", "Excel"), ("json", "JSON"))


def result_tabs(
    request: StaffRequest, tournament: Tournament, current: str
) -> list[dict[str, Any]]:
    """Return the tabs of this workplace that the current role may open."""
    tabs = [
        (_("Rangliste"), "results:ranking"),
        (_("Lose") if tournament.ties_by_lot else _("Entscheidungsspiele"), "prizes:playoffs"),
        (_("Preise"), "prizes:prizes"),
        (_("Statistik"), "results:statistics"),
    ]
    if not request.roles & MAY_TAKE_MONEY:
        tabs = [tab for tab in tabs if tab[1] != "prizes:prizes"]
    if rule_set_of(tournament).settlement is not None:
        tabs.append((_("Abrechnung"), "results:settlement"))
    return [
        {
            "label": label,
            "url": reverse(name, args=[tournament.slug]),
            "current": name.endswith(f":{current}"),
        }
        for label, name in tabs
    ]


@polled(is_staff_page_current)
@require_safe
@roles_required(MAY_SEE)
def ranking(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show a ranking; an open page polls and gets a new one only after a change."""
    if is_poll(request):
        key, part = ("ranking", tournament.pk), f"{PAGE}#ranking"
        return compressed_answer(
            request, key, tournament.revision, lambda: _ranking(request, tournament, part)
        )
    return _ranking(request, tournament, f"{PAGE}#ranking" if request.htmx else PAGE)


def _ranking(request: StaffRequest, tournament: Tournament, template: str) -> HttpResponse:
    rankings = Rankings(tournament)
    choice = RankingSelection.of(request.GET, rankings)
    table = choice.table(rankings)
    slug = slug_of(choice.ranking)
    context = {
        **ranking_context(rankings, choice, table, {"wertung": slug}),
        "tabs": result_tabs(request, tournament, "ranking"),
        "slug": slug,
        "choices": [_link(rankings, ranking, choice) for ranking in rankings.choices()],
        "serien_count": rankings.serien,
        "ranking_label": choice.ranking.describe(),
        "final_label": _("alle Listen geprüft"),
        "rows": list(shown_lines(table, STAFF)),
        "has_results": table.has_results,
        "files": FILES,
        # Lazy, because only the whole page reads it, not its polls.
        "closed_to_come": lambda: (
            [
                target
                for target in quota.coming_closed_tournaments(request.user, tournament.owner_id)
                if target != tournament
            ]
            if request.is_leading
            else []
        ),
        "final_form": FinalForm(
            initial={"name": _("{name}, Endrunde").format(name=tournament.name)}
        ),
        "plays_on": tournament.is_closed and request.is_leading,
        "invite_form": InviteForm(),
        "invite_url": reverse("results:invite", args=[tournament.slug]),
    }
    return render(request, template, context)


@require_POST
@roles_required(MAY_LEAD)
def invite(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Add the best of the ranking to the list of a closed tournament."""
    invite_and_report(request, partial(quota.invite_best, source=tournament))
    return redirect("results:ranking", tournament.slug)


@require_POST
@roles_required(MAY_LEAD)
def final(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Make a following tournament for some places of this one."""
    form = FinalForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Bitte Name, Tag und Plätze der Endrunde angeben."))
        return redirect("results:ranking", tournament.slug)
    names = ("first", "last", "name", "starts_at", "carries_points")
    options = {name: form.cleaned_data[name] for name in names}
    try:
        made, invited = quota.make_final(source=tournament, actor=request.actor, **options)
    except TournamentError as refusal:
        messages.error(request, str(refusal))
        return redirect("results:ranking", tournament.slug)
    message = _("Die Endrunde ist als Entwurf angelegt, geschlossen für diese Plätze.")
    messages.success(request, f"{message} {invited}")
    return redirect("setup:tournament", made.slug)


def invite_and_report(request: StaffRequest, invite: Callable[..., quota.InvitationCount]) -> None:
    """Invite the number of ranks in the form, and show the result as a message."""
    form = InviteForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Bitte angeben, wie viele Plätze eingeladen werden."))
        return
    target = number_in(request.POST.get("tournament", "")) or 0
    try:
        invited = invite(target_id=target, most=form.cleaned_data["most"], user=request.user)
    except TournamentError as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, str(invited))


def _link(
    rankings: Rankings, ranking: prizes.PrizeRanking, choice: RankingSelection
) -> dict[str, Any]:
    """Return the link to another ranking at the same stand."""
    query: dict[str, str | int] = {"wertung": slug_of(ranking)}
    if choice.running:
        query["laufend"] = 1
    elif choice.upto != rankings.last_whole:
        query["nach"] = choice.upto
    return {
        "label": ranking.describe(),
        "url": f"?{urlencode(query)}",
        "is_current": ranking == choice.ranking,
    }


@require_safe
@roles_required(MAY_SEE)
def file(request: StaffRequest, tournament: Tournament, ending: str) -> HttpResponse:
    """Download a ranking as a table or for another program."""
    rankings = Rankings(tournament)
    choice = RankingSelection.of(request.GET, rankings)
    name = f"rangliste-{tournament.slug}-{slug_of(choice.ranking)}-{choice.upto}.{ending}"
    if ending == "json":
        data = standings_json(rankings, choice.ranking, choice.upto)
        return download(json.dumps(data, ensure_ascii=False, indent=1), name)
    return table_file(list(_rows(choice.table(rankings))), name, _("Rangliste"))


def _rows(table: RankingTable) -> Iterable[list[object]]:
    """Yield the headings and the lines of a file for spreadsheet programs."""
    is_of_teams = table.ranking.recipient is not Recipient.PLAYER
    yield [
        _("Rang"),
        _("Mannschaft") if is_of_teams else _("Startnummer"),
        _("Name") if not is_of_teams else _("Mitglieder"),
        _("Verein"),
        *table.columns,
        _("beendete Spiele"),
        _("Handrommés"),
        *([_("Augen"), _("Wertpunkte")] if table.order.most_first else [_("Punkte")]),
        *([_("Stand"), _("Vergleich")] if table.compares else []),
        _("Entscheidung"),
        *([_("umgerechnet")] if table.scaled_sentence else []),
        *([_("zählt nicht")] if table.has_struck else []),
    ]
    for line in table.lines:
        standing = line.standing
        members = "; ".join(member.person.list_name for member in line.members)
        yield [
            standing.rank if line.has_place else "",
            line.name if is_of_teams else standing.number,
            members if is_of_teams else line.name,
            line.club,
            *("" if cell.points is None else cell.points for cell in line.cells),
            standing.games_won,
            standing.handromme,
            *([standing.augen if line.has_result else ""] if table.order.most_first else []),
            standing.total if line.has_result else "",
            *([line.so_far, line.compared if line.has_result else ""] if table.compares else []),
            line.decided,
            *([line.scaled] if table.scaled_sentence else []),
            *([line.struck] if table.has_struck else []),
        ]


@require_safe
@roles_required(MAY_SEE)
def player(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show the lists of a player, game by game, and the course of the points."""
    rankings = Rankings(tournament)
    registration = or_404(rankings.by_number.get(number))
    lists = [
        played for played in player_results.played_lists(rankings, registration) if played.games
    ]
    start = rankings.carried(registration)
    context = {
        "tabs": result_tabs(request, tournament, "ranking"),
        "registration": registration,
        "lists": lists,
        "ranks": player_results.ranks(rankings, registration),
        "rank_chart": rank_chart.of_player(
            number, player_results.ranks_after_each(rankings, rankings.serien)
        ),
        "best": player_results.best_game(lists),
        "chart": charts.course(
            charts.course_of(lists, start=start),
            title=_("Verlauf von {name}").format(name=registration.person.full_name),
            start=start,
        ),
        "crumbs": _crumbs(tournament, registration.person.list_name),
    }
    return render(request, "tournaments/results/player.html", context)


@require_safe
@roles_required(MAY_SEE)
def team(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Show the results of each member of a team."""
    rankings = Rankings(tournament)
    team = get_object_or_404(
        Team.objects.select_related("ranking"), pk=pk, ranking__tournament=tournament
    )
    kept = rankings.stored_rankings
    alike = (
        ranking for ranking in rankings.choices() if kept.get(ranking.category) == team.ranking
    )
    of_team = or_404(next(alike, None))
    upto, running = rankings.stand()
    standing = rankings.table(of_team, upto=upto, running=running)
    line = next(line for line in standing.lines if line.team == team)
    members = {member.number: member for member in line.members}
    overall = rankings.table(OVERALL, upto=upto, running=running)
    context = {
        "tabs": result_tabs(request, tournament, "ranking"),
        "team": team,
        "line": line,
        "missing": (team.ranking.size or 0) - len(members),
        "rows": [row for row in overall.lines if row.standing.number in members],
        "columns": overall.columns,
        "crumbs": _crumbs(tournament, team.name, wertung=slug_of(of_team)),
    }
    return render(request, "tournaments/results/team.html", context)


def _crumbs(tournament: Tournament, label: str, *, wertung: str = "") -> list[tuple[str, str]]:
    url = reverse("results:ranking", args=[tournament.slug])
    return [(_("Rangliste"), f"{url}?wertung={wertung}" if wertung else url), (label, "")]
