"""The page on which the desk and the Spielleitung form teams and tandems."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournaments.common.access import StaffRequest, roles_required
from tournaments.common.errors import TournamentError
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.desk.forms.teams import MemberForm, NameForm, TeamForm
from tournaments.desk.queries import teams as queries
from tournaments.desk.services import teams as services
from tournaments.models import Ranking, Team, TeamMember, TeamWish, Tournament

TEMPLATE = "tournaments/desk/teams.html"
CONFLICT, UNFIT = 409, 422


def _page(
    request: StaffRequest,
    tournament: Tournament,
    *,
    status: int = 200,
    new_form: TeamForm | None = None,
    **more: Any,
) -> HttpResponse:
    drafts = queries.drafts(tournament)
    context = {
        "sections": [
            {"draft": draft, "form": _form_for(draft.ranking, new_form)} for draft in drafts
        ],
        **more,
    }
    template = f"{TEMPLATE}#teams" if request.htmx else TEMPLATE
    return render(request, template, context, status=status)


def _form_for(ranking: Ranking, new_form: TeamForm | None) -> TeamForm:
    fresh = TeamForm(ranking=ranking)
    return new_form if new_form is not None and new_form.prefix == fresh.prefix else fresh


@roles_required(MAY_TAKE_MONEY)
def page(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the teams of every ranking that keeps some."""
    return _page(request, tournament)


def _act(
    request: StaffRequest,
    tournament: Tournament,
    act: Callable[[], str],
    **when_refused: Any,
) -> HttpResponse:
    """Do one thing and say what was done; a refusal comes back on the page."""
    try:
        done = act()
    except TournamentError as refusal:
        return _page(request, tournament, status=CONFLICT, error=str(refusal), **when_refused)
    if request.htmx:
        return _page(request, tournament, done=done)
    messages.success(request, done)
    return redirect("teams:teams", tournament.slug)


@require_POST
@roles_required(MAY_TAKE_MONEY)
def create(request: StaffRequest, tournament: Tournament, ranking_id: int) -> HttpResponse:
    """Form a team of people named by start number or name."""
    ranking = get_object_or_404(Ranking, pk=ranking_id, tournament=tournament)
    form = TeamForm(request.POST, ranking=ranking)
    if not form.is_valid():
        return _page(request, tournament, status=UNFIT, new_form=form)

    def act() -> str:
        people = [services.find_registration(tournament, typed) for typed in form.typed()]
        team = services.create_team(
            ranking_id=ranking.pk,
            name=form.cleaned_data["name"],
            registration_ids=[one.pk for one in people],
            actor=request.actor,
        )
        return _("„{team}“ ist angelegt.").format(team=team)

    return _act(request, tournament, act, new_form=form)


def _team(tournament: Tournament, pk: int) -> Team:
    return get_object_or_404(Team, pk=pk, ranking__tournament=tournament)


@require_POST
@roles_required(MAY_TAKE_MONEY)
def add(request: StaffRequest, tournament: Tournament, team_id: int) -> HttpResponse:
    """Let somebody play in a team."""
    team = _team(tournament, team_id)
    form = MemberForm(request.POST)
    if not form.is_valid():
        sentence = _("Bitte eine Startnummer oder einen Namen eingeben.")
        return _page(request, tournament, status=UNFIT, error=sentence)
    typed = form.cleaned_data["person"]

    def act() -> str:
        registration = services.find_registration(tournament, typed)
        services.add_member(team_id=team.pk, registration_id=registration.pk, actor=request.actor)
        return _("{name} spielt in „{team}“.").format(name=registration.person.list_name, team=team)

    return _act(request, tournament, act, typed=typed, typed_for=team.pk)


@require_POST
@roles_required(MAY_TAKE_MONEY)
def remove(request: StaffRequest, tournament: Tournament, member_id: int) -> HttpResponse:
    """Take somebody out of a team."""
    found = TeamMember.objects.select_related("registration__person", "team")
    member = get_object_or_404(found, pk=member_id, ranking__tournament=tournament)

    def act() -> str:
        services.remove_member(member_id=member.pk, actor=request.actor)
        return _("{name} ist nicht mehr in „{team}“.").format(
            name=member.registration.person.list_name, team=member.team
        )

    return _act(request, tournament, act)


@require_POST
@roles_required(MAY_TAKE_MONEY)
def rename(request: StaffRequest, tournament: Tournament, team_id: int) -> HttpResponse:
    """Give a team another name."""
    team = _team(tournament, team_id)
    form = NameForm(request.POST)
    if not form.is_valid():
        sentence = _("Die Mannschaft braucht einen Namen mit höchstens 80 Zeichen.")
        return _page(request, tournament, status=UNFIT, error=sentence)

    def act() -> str:
        renamed = services.rename_team(
            team_id=team.pk, name=form.cleaned_data["name"], actor=request.actor
        )
        return _("Die Mannschaft heißt jetzt „{team}“.").format(team=renamed)

    return _act(request, tournament, act)


@require_POST
@roles_required(MAY_TAKE_MONEY)
def dissolve(request: StaffRequest, tournament: Tournament, team_id: int) -> HttpResponse:
    """Take a team apart."""
    team = _team(tournament, team_id)

    def act() -> str:
        services.dissolve_team(team_id=team.pk, actor=request.actor)
        return _("„{team}“ ist aufgelöst.").format(team=team)

    return _act(request, tournament, act)


def _wish(tournament: Tournament, pk: int) -> TeamWish:
    return get_object_or_404(TeamWish, pk=pk, ranking__tournament=tournament)


@require_POST
@roles_required(MAY_TAKE_MONEY)
def take_wish(request: StaffRequest, tournament: Tournament, wish_id: int) -> HttpResponse:
    """Do what somebody wished when registering."""
    wish = _wish(tournament, wish_id)

    def act() -> str:
        team = services.take_wish(wish_id=wish.pk, actor=request.actor)
        return _("Übernommen: „{team}“.").format(team=team)

    return _act(request, tournament, act)


@require_POST
@roles_required(MAY_TAKE_MONEY)
def drop_wish(request: StaffRequest, tournament: Tournament, wish_id: int) -> HttpResponse:
    """Put a wish away."""
    wish = _wish(tournament, wish_id)

    def act() -> str:
        services.drop_wish(wish_id=wish.pk, actor=request.actor)
        return _("Weggelegt.")

    return _act(request, tournament, act)
