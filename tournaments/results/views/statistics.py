"""Statistics people like, and the settlement of rule sets that are played for money."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.common.access import StaffRequest, roles_required
from tournaments.common.roles import MAY_SEE
from tournaments.models import Tournament
from tournaments.results.queries import charts
from tournaments.results.queries.rankings import Rankings
from tournaments.results.queries.settlements import settlement_sheet
from tournaments.results.queries.statistics import Statistics
from tournaments.results.views.results import result_tabs


@require_safe
@roles_required(MAY_SEE)
def statistics(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show what is told afterwards: best lists, most games, Handrommés, the closest table."""
    rankings = Rankings(tournament)
    found = Statistics(rankings)
    upto = rankings.last_whole
    rows = found.bump(upto)
    columns = [_("Serie {number}").format(number=number) for number in range(1, upto + 1)]
    chart = charts.bump(
        [charts.BumpLine(name=row.registration.person.list_name, ranks=row.ranks) for row in rows],
        columns,
        title=_("Ränge der Ersten nach jeder Serie"),
    )
    context = {
        "tabs": result_tabs(request, tournament, "statistics"),
        "statistics": found,
        "chart": chart,
        "bump_rows": rows,
        "columns": columns,
    }
    return render(request, "tournaments/results/statistics.html", context)


@require_safe
@roles_required(MAY_SEE)
def settlement(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show who pays and receives what, where the rule set settles in money."""
    sheet = settlement_sheet(Rankings(tournament))
    if sheet is None:
        raise Http404
    context = {"tabs": result_tabs(request, tournament, "settlement"), "sheet": sheet}
    return render(request, "tournaments/results/settlement.html", context)
