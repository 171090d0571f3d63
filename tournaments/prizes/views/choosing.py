"""Calling people up in order of rank to choose a thing."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.announcement.queries.choosing_text import choosing_text
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.models import Tournament
from tournaments.prizes.forms import ChooserForm, ThingForm
from tournaments.prizes.queries.choosing import POT
from tournaments.prizes.queries.prizes import PrizeSheet
from tournaments.prizes.services import choosing as services
from tournaments.prizes.services import prizes
from tournaments.results.views.results import result_tabs
from tournaments.web.access import StaffRequest, roles_required
from tournaments.web.acting import InvalidForm, act, form_data
from tournaments.web.confirmation import MISSING

TEMPLATE = "tournaments/prizes/choosing.html"


@require_safe
@roles_required(MAY_TAKE_MONEY)
def choosing(
    request: StaffRequest, tournament: Tournament, *, status: int = 200, **more: Any
) -> HttpResponse:
    """Show the current chooser, the things left, and all choices; ``?wer=`` is out of turn."""
    sheet = PrizeSheet(tournament)
    if sheet.choosing is None:
        raise Http404
    number = more.get("who") or request.GET.get("wer", "")
    waiting = list(sheet.choosing.waiting_choosers) if sheet.choosing.now else []
    now = next((each for each in waiting if each.key == number), sheet.choosing.now)
    context = {
        "tabs": result_tabs(request, tournament, "prizes"),
        "choosing": sheet.choosing,
        "in_words": choosing_text(sheet.choosing.plan),
        "now": now,
        "coming": [each for each in waiting if each is not now][:3],
        "unsettled": [state.sentence for state in sheet.rankings.states if state.sentence],
        **more,
    }
    return render(request, TEMPLATE, context, status=status)


_on_page = act(MAY_TAKE_MONEY, choosing, to="prizes:choosing")


@_on_page
def choose(request: StaffRequest, tournament: Tournament) -> str:
    """Record a choice."""
    data = form_data(request, ThingForm(request.POST), who=request.POST.get("recipient", ""))
    payout = services.choose(
        request.actor, tournament.pk, recipient=data["recipient"], thing=data["thing"] or 0
    )
    return str(payout.label)


@_on_page
def pass_over(request: StaffRequest, tournament: Tournament) -> str:
    """Record that the current chooser is absent."""
    services.pass_over(request.actor, tournament.pk, recipient=_recipient(request))
    return _("Übergangen.")


@_on_page
def undo(request: StaffRequest, tournament: Tournament) -> str:
    """Undo a choice, or passing a person over."""
    recipient, ranking = _recipient(request), request.POST.get("ranking", "")
    if request.POST.get("passed"):
        services.call_again(request.actor, tournament.pk, recipient=recipient)
    else:
        prizes.take_back(
            request.actor, tournament.pk, recipient=recipient, pot=POT, ranking=ranking
        )
    return _("Zurückgenommen.")


def _recipient(request: StaffRequest) -> str:
    form = ChooserForm(request.POST)
    if not form.is_valid():
        raise InvalidForm(str(MISSING))
    return str(form.cleaned_data["recipient"])
