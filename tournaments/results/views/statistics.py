"""Statistics, and the settlement of rule sets that are played for money."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.announcement.queries import publication
from tournaments.announcement.views.public import find_tournament
from tournaments.common.digits import number_in
from tournaments.common.roles import MAY_SEE
from tournaments.models import Tournament
from tournaments.people.queries.naming import INTERNET, STAFF, Readers
from tournaments.results.queries import rank_chart
from tournaments.results.queries.rank_chart import serie_labels
from tournaments.results.queries.rankings import Rankings
from tournaments.results.queries.settlements import settlement_sheet
from tournaments.results.queries.statistics import Statistics
from tournaments.results.views.results import result_tabs
from tournaments.web.access import StaffRequest, or_404, public, roles_required
from tournaments.web.compression import cached_page, tournament_version
from tournaments.web.frame import public_frame

PAGE = "tournaments/results/statistics.html"


@require_safe
@roles_required(MAY_SEE)
def statistics(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the statistics: best lists, most games, Handrommés, the closest tables."""
    tabs = result_tabs(request, tournament, "statistics")
    statistics = Statistics(Rankings(tournament))
    return render(request, PAGE, {"tabs": tabs, **_context(request, statistics, STAFF)})


@cached_page(tournament_version)
@public
def public_statistics(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the statistics of the Serien whose ranking is public, with names by consent."""
    tournament = find_tournament(request, slug)
    rankings = Rankings(tournament)
    visible = publication.visible_ranking(tournament, rankings.serien)
    context = {
        **public_frame(request),
        **_context(request, Statistics(rankings, upto=visible.upto), INTERNET),
        "tournament": tournament,
        "crumbs": [
            (_("Ausschreibung"), reverse("public:tournament", args=[slug])),
            (_("Rangliste"), reverse("results_public:overall", args=[slug])),
            (_("Statistik"), ""),
        ],
        "visible": visible,
    }
    return render(request, PAGE, context)


def _context(request: HttpRequest, statistics: Statistics, readers: Readers) -> dict[str, Any]:
    typed_number = request.GET.get("zeige", "")
    readers = readers.among(statistics.rankings.registrations.values())
    own = number_in(typed_number)
    rows = statistics.bump(also=own)
    lines = [
        rank_chart.BumpLine(
            name=readers.listed(registration),
            ranks=ranks,
            link=f"?zeige={registration.number}#bump",
            is_lit=registration.number == own,
        )
        for registration, ranks in rows
    ]
    columns = serie_labels(statistics.last_whole)
    title = _("Ränge der Ersten nach jeder Serie")
    return {
        "statistics": statistics,
        "readers": readers,
        "chart": rank_chart.bump(lines, columns, title=title),
        "bump_rows": rows,
        "columns": columns,
        "asked": typed_number,
        "is_unknown": bool(typed_number) and not any(line.is_lit for line in lines),
        "cards": _cards(statistics),
    }


def _cards(statistics: Statistics) -> list[dict[str, Any]]:
    """Return the cards of the page: for each count its first players."""
    without = (
        _("Ohne alle, denen ein Tischwechsel mehr Spiele brachte, als eine Liste hat (§ 2.2.1).")
        if statistics.leaves_out_more
        else ""
    )
    counted: list[tuple[str, str, list[tuple[Any, int]], str]] = [
        (
            "best",
            _("Beste Listen"),
            [(row, row.result.points) for row in statistics.best_lists],
            "",
        ),
        (
            "close",
            _("Knappste Tische"),
            [(row, row.points) for row in statistics.closest_tables],
            _("Punkte zwischen dem besten und dem letzten Ergebnis am Tisch."),
        ),
        (
            "games",
            _("Die meisten Spiele beendet"),
            [(row, row.count) for row in statistics.most_games],
            without,
        ),
        (
            "hands",
            _("Handrommés"),
            [(row, row.count) for row in statistics.most_handrommes],
            without,
        ),
        ("high", _("Höchste Hände"), [(row, row.points) for row in statistics.highest_hands], ""),
    ]
    return [
        {"id": ident, "title": title, "note": note, "rows": rows}
        for ident, title, rows, note in counted
    ]


@require_safe
@roles_required(MAY_SEE)
def settlement(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the settlement, if the rule set is played for money."""
    sheet = or_404(settlement_sheet(Rankings(tournament)))
    context = {
        "tabs": result_tabs(request, tournament, "settlement"),
        "sheet": sheet,
        "readers": STAFF.among(registration for registration, _cents in sheet["persons"]),
    }
    return render(request, "tournaments/results/settlement.html", context)
