"""The draw: choosing how, drawing, making it known."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournaments.common import jobs
from tournaments.common.access import StaffRequest, roles_required
from tournaments.common.roles import MAY_LEAD, MAY_TAKE_MONEY
from tournaments.desk.queries.desk import tables_in_words
from tournaments.draw.forms import BeginForm, PublishForm
from tournaments.draw.queries import seating as queries
from tournaments.draw.queries.task import allowed_sizes, entrants
from tournaments.draw.services import drafts, draws
from tournaments.draw.views.page import (
    act,
    find_job,
    find_serie,
    page,
    required_draft,
)
from tournaments.models import Tournament


@roles_required(MAY_TAKE_MONEY)
def serien(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the Serien and what is to be done next."""
    players = len(entrants(tournament))
    context = {
        "rows": queries.overview(tournament),
        "players": players,
        "tables": tables_in_words(players, allowed_sizes(tournament)),
    }
    return render(request, "tournaments/draw/serien.html", context)


@roles_required(MAY_TAKE_MONEY)
def serie(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show one Serie: to be drawn, as a draft, or as it was made known."""
    return page(request, find_serie(tournament, number))


@require_POST
@roles_required(MAY_LEAD)
def begin(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Fix the field and the hash of the seed."""
    found = find_serie(tournament, number)
    return act(
        request,
        found,
        lambda data: draws.begin(serie_id=found.pk, actor=request.actor, **data),
        form=BeginForm(request.POST, serie=found),
        form_name="begin_form",
    )


@require_POST
@roles_required(MAY_LEAD)
def carry_out(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Have the seats drawn, in a process of its own."""
    found = find_serie(tournament, number)

    def do(_data: dict[str, Any]) -> object:
        draft = required_draft(found)
        running = find_job(draft)
        if running is not None and not running.is_over:
            return running
        return jobs.start(
            kind="draw",
            actor=request.actor,
            tournament=tournament,
            draw=draft.pk,
        )

    return act(request, found, do)


@require_POST
@roles_required(MAY_LEAD)
def crossing(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Seat club mates across (§ 2.1.2)."""
    found = find_serie(tournament, number)
    return act(
        request,
        found,
        lambda _data: drafts.apply_crossing(draw_id=required_draft(found).pk, actor=request.actor),
        done=_("Vereinsmitglieder sitzen über Kreuz, soweit es geht (§ 2.1.2)."),
    )


@require_POST
@roles_required(MAY_LEAD)
def publish(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Make the seats known everywhere at once."""
    found = find_serie(tournament, number)
    return act(
        request,
        found,
        lambda data: draws.publish(
            draw_id=required_draft(found).pk,
            actor=request.actor,
            reason=data["reason"],
        ),
        form=PublishForm(request.POST),
        form_name="publish_form",
        done=_("Die Sitzordnung ist bekannt gegeben."),
    )
