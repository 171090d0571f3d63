"""Ties, and the Entscheidungsspiele that decide them."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.common.errors import TournamentError
from tournaments.common.roles import MAY_LEAD, MAY_SEE
from tournaments.models import Playoff, Tournament
from tournaments.prizes.forms import PlayoffForm
from tournaments.prizes.queries.playoffs import TieRow, open_ties, recorded_playoffs
from tournaments.prizes.queries.prizes import PrizeSheet
from tournaments.prizes.services import playoffs as services
from tournaments.results.views.results import result_tabs
from tournaments.web.access import StaffRequest, roles_required
from tournaments.web.acting import act, form_data
from tournaments.web.fields import ReasonForm

TEMPLATE = "tournaments/prizes/playoffs.html"


@require_safe
@roles_required(MAY_SEE)
def playoffs(
    request: StaffRequest,
    tournament: Tournament,
    *,
    status: int = 200,
    bound: PlayoffForm | None = None,
    withdrawing: tuple[int, ReasonForm] | None = None,
    **more: Any,
) -> HttpResponse:
    """Show the ties, whether they matter, and the recorded Entscheidungsspiele."""
    sheet = PrizeSheet(tournament)
    ties = open_ties(sheet)
    forms = [
        bound if bound is not None and _is_same(bound.tie, tie) else PlayoffForm(tie=tie)
        for tie in ties
    ]
    context = {
        "tabs": result_tabs(request, tournament, "playoffs"),
        "forms": [form for form in forms if form.tie.matters],
        "other_forms": [form for form in forms if not form.tie.matters],
        "rows": [
            (row, withdrawing[1])
            if withdrawing is not None and withdrawing[0] == row.playoff.pk
            else (row, ReasonForm(auto_id=f"id_{row.playoff.pk}_%s"))
            for row in recorded_playoffs(sheet.rankings)
        ],
        "unsettled": [state.sentence for state in sheet.rankings.states if state.sentence],
        "is_leading": request.is_leading,
        **more,
    }
    return render(request, TEMPLATE, context, status=status)


def _is_same(tie: TieRow, other: TieRow) -> bool:
    return (tie.ranking, tie.rank, tie.numbers) == (other.ranking, other.rank, other.numbers)


@act(MAY_LEAD, playoffs, to="prizes:playoffs")
def record(request: StaffRequest, tournament: Tournament, which: str, rank: int) -> str:
    """Record the outcome between players or teams that share a rank."""
    ties = open_ties(PrizeSheet(tournament))
    tie = next((row for row in ties if (row.slug, row.rank) == (which, rank)), None)
    if tie is None:
        raise TournamentError(_("Auf diesem Platz ist inzwischen niemand mehr gleich."))
    if "by_program" in request.POST:
        services.record(
            request.actor, tournament.pk, ranking=tie.ranking, order=tie.numbers, by_program=True
        )
        return _("Das Los ist gezogen.")
    data = form_data(request, PlayoffForm(request.POST, tie=tie), "bound")
    services.record(
        request.actor, tournament.pk, ranking=tie.ranking, order=data["order"], note=data["note"]
    )
    if tournament.ties_by_lot:
        return _("Das Los ist eingetragen.")
    return _("Das Entscheidungsspiel ist eingetragen.")


@act(MAY_LEAD, playoffs, to="prizes:playoffs", of=Playoff)
def withdraw(request: StaffRequest, playoff: Playoff) -> str:
    """Strike out an Entscheidungsspiel that was recorded wrongly."""
    form = ReasonForm(request.POST, auto_id=f"id_{playoff.pk}_%s")
    reason = form_data(request, form, withdrawing=(playoff.pk, form))["reason"]
    services.withdraw(request.actor, playoff.pk, reason=reason)
    if playoff.tournament.ties_by_lot:
        return _("Das Los ist gestrichen.")
    return _("Das Entscheidungsspiel ist gestrichen.")
