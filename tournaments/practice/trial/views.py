"""Views of trial runs: beginning, margin, playing the rest, removing."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from tournaments.accounts.views.account import BACKEND
from tournaments.common.errors import Conflict, TournamentError
from tournaments.common.roles import MAY_APPOINT, MAY_LEAD, MAY_SEE
from tournaments.models import Tournament, User
from tournaments.practice.trial import queries, services
from tournaments.web.access import StaffRequest, public, roles_required
from tournaments.web.polling import is_staff_page_current, polled

PANEL = "tournaments/practice/panel.html"


@public
@require_POST
def begin(request: HttpRequest) -> HttpResponse:
    """Open the account's trial run; a visitor without an account gets a practice account."""
    try:
        user = request.user if isinstance(request.user, User) else services.guest()
        tournament = services.begin(user=user)
    except TournamentError as refusal:
        messages.error(request, str(refusal))
        return redirect("public:start")
    if request.user != user:
        login(request, user, backend=BACKEND)
    return _redirect_to_step(tournament)


@polled(is_staff_page_current)
@require_safe
@roles_required(MAY_SEE)
def panel(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Return the side panel of an open page if the tournament changed."""
    _demand_trial_run(tournament)
    context = {"trial": queries.progress_of(tournament), "here": request.htmx.current_url_abs_path}
    return render(request, PANEL, context)


@require_POST
@roles_required(MAY_LEAD)
def play_rest(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Play the missing games with made-up persons."""
    _demand_trial_run(tournament)
    number = services.play_rest(tournament_id=tournament.pk)
    sentence = ngettext(
        "{number} Tisch hat zu Ende gespielt und unterschrieben.",
        "{number} Tische haben zu Ende gespielt und unterschrieben.",
        number,
    )
    messages.success(request, sentence.format(number=number))
    return redirect("hall:current", tournament.slug)


@require_POST
@roles_required(MAY_APPOINT)
def remove(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Remove the trial run, and begin another one if requested."""
    _demand_trial_run(tournament)
    try:
        services.remove(tournament=tournament, actor=request.actor)
    except Conflict:
        raise Http404 from None
    if "again" in request.POST:
        return _redirect_to_step(services.begin(user=request.user))
    messages.success(request, _("Der Probelauf ist entfernt, mit allen erfundenen Personen."))
    return redirect("setup:tournaments")


def _redirect_to_step(tournament: Tournament) -> HttpResponse:
    """Redirect to the page of the next step, or to the overview if all are done."""
    url = queries.progress_of(tournament)["url"]
    return redirect(url or reverse("setup:tournament", args=[tournament.slug]))


def _demand_trial_run(tournament: Tournament) -> None:
    if not tournament.is_trial_run:
        raise Http404
