"""The lottery for the staff, and its public proof."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.announcement.views.public import find_tournament
from tournaments.common.digits import number_in
from tournaments.common.roles import MAY_LEAD, MAY_TAKE_MONEY
from tournaments.models import Lottery, Tournament
from tournaments.prizes.queries.lottery import participants
from tournaments.prizes.queries.prizes import PrizeSheet
from tournaments.prizes.services import lottery as services
from tournaments.results.views.results import result_tabs
from tournaments.web.access import StaffRequest, public, roles_required
from tournaments.web.acting import act, form_data
from tournaments.web.fields import ReasonForm

TEMPLATE = "tournaments/prizes/lottery.html"


@require_safe
@roles_required(MAY_TAKE_MONEY)
def lottery(
    request: StaffRequest, tournament: Tournament, *, status: int = 200, **more: Any
) -> HttpResponse:
    """Show the participants, the hash of the seed before the draw, and the winners."""
    sheet = PrizeSheet(tournament)
    lotteries = list(tournament.lotteries.all())
    if not (sheet.has_lottery or lotteries):
        raise Http404
    current = next((each for each in lotteries if not each.withdrawn_at), None)
    context = {
        "tabs": result_tabs(request, tournament, "prizes"),
        "lottery": current,
        "withdrawn": [each for each in lotteries if each.withdrawn_at],
        "there": [] if current else list(participants(tournament)),
        "winners": [
            (sheet.rankings.by_number.get(number), thing) for number, thing in current.winners
        ]
        if current
        else [],
        "reason_form": ReasonForm(),
        "is_leading": request.is_leading,
        **more,
    }
    return render(request, TEMPLATE, context, status=status)


_on_page = act(MAY_LEAD, lottery, to="prizes:lottery")
_on_one = act(MAY_LEAD, lottery, to="prizes:lottery", of=Lottery)


@_on_page
def begin(request: StaffRequest, tournament: Tournament) -> str:
    """Fix the participants, and the hash of the seed."""
    expected = request.POST.get("expected", "").split()
    services.begin(
        request.actor, tournament.pk, expected=[number_in(number) or 0 for number in expected]
    )
    return _("Wer mitmacht, steht fest. Jetzt die Prüfzahl zeigen, dann ziehen.")


@_on_one
def draw(request: StaffRequest, lottery: Lottery) -> str:
    """Draw the winners."""
    services.draw(request.actor, lottery.pk)
    return _("Gezogen.")


@_on_one
def withdraw(request: StaffRequest, lottery: Lottery) -> str:
    """Withdraw a lottery."""
    reason = form_data(request, ReasonForm(request.POST), "reason_form")["reason"]
    services.withdraw(request.actor, lottery.pk, reason=reason)
    return _("Die Verlosung ist zurückgenommen.")


@public
@require_safe
def proof(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all lotteries of a tournament to the public, by start numbers."""
    tournament = find_tournament(request, slug)
    lotteries = list(tournament.lotteries.all())
    if not (lotteries or PrizeSheet(tournament).has_lottery):
        raise Http404
    context = {"tournament": tournament, "lotteries": lotteries}
    return render(request, "tournaments/prizes/lottery_proof.html", context)
