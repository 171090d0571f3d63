"""The page of the floor plan: move one table, or place all in rows."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from tournaments.common.roles import MAY_LEAD
from tournaments.draw.forms import LineUpForm, MoveTableForm
from tournaments.draw.queries.floor import floor_of
from tournaments.draw.services import floor as services
from tournaments.models import Tournament
from tournaments.models.floor import MOST_COLUMNS
from tournaments.web.access import StaffRequest, roles_required
from tournaments.web.acting import act, form_data


@roles_required(MAY_LEAD)
def floor(
    request: StaffRequest, tournament: Tournament, *, status: int = 200, **more: Any
) -> HttpResponse:
    """Show the floor plan with all free cells, and one more free row."""
    plan = floor_of(tournament)
    rows = [row + [0] * (MOST_COLUMNS - len(row)) for row in plan]
    context = {
        "rows": [*rows, [0] * MOST_COLUMNS] if rows else [],
        "is_leading": request.is_leading,
        "closed": services.move_table.refusal(tournament),
        "line_up_form": LineUpForm(initial={"columns": len(plan[0]) if plan else None}),
        **more,
    }
    return render(request, "tournaments/draw/floor.html", context, status=status)


_floor_act = act(MAY_LEAD, floor, to="draw:floor")


@_floor_act
def move_table(request: StaffRequest, tournament: Tournament) -> str:
    """Move a table to a cell."""
    data = form_data(request, MoveTableForm(request.POST), "move_form")
    column, row = data["cell"]
    services.move_table(
        request.actor, tournament.pk, table=data["table"], column=column - 1, row=row - 1
    )
    return ""


@_floor_act
def line_up(request: StaffRequest, tournament: Tournament) -> str:
    """Place all tables in rows."""
    data = form_data(request, LineUpForm(request.POST), "line_up_form")
    services.line_up(request.actor, tournament.pk, columns=data["columns"])
    return _("Die Tische stehen in Reihen.")
