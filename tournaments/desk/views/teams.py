"""The page on which desk and Spielleitung form teams and tandems."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from scoring.money import euro
from tournaments.cash.queries import balances
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.desk.forms.teams import MemberForm, NameForm, TeamForm
from tournaments.desk.queries import teams as queries
from tournaments.desk.services import teams as services
from tournaments.models import Ranking, Registration, Team, TeamMember, TeamWish, Tournament
from tournaments.web.access import StaffRequest, roles_required
from tournaments.web.acting import InvalidForm, act, form_data

TEMPLATE = "tournaments/desk/teams.html"


@roles_required(MAY_TAKE_MONEY)
def page(
    request: StaffRequest,
    tournament: Tournament,
    *,
    status: int = 200,
    new_form: TeamForm | None = None,
    **more: Any,
) -> HttpResponse:
    """Show the teams of every ranking that has some."""
    formations = queries.team_formations(tournament)
    context = {
        "sections": [
            {"formation": formation, "form": _form_for(formation.ranking, new_form)}
            for formation in formations
        ],
        **more,
    }
    template = f"{TEMPLATE}#teams" if request.htmx else TEMPLATE
    return render(request, template, context, status=status)


def _form_for(ranking: Ranking, new_form: TeamForm | None) -> TeamForm:
    fresh = TeamForm(ranking=ranking)
    return new_form if new_form is not None and new_form.prefix == fresh.prefix else fresh


def append_dues(sentence: str, people: Sequence[Registration]) -> str:
    """Return the confirmation, with the amounts that these people owe now."""
    for registration in people:
        registration.refresh_from_db(fields=["due_cents"])
    owing = [
        (registration, registration.due_cents - balances.paid_cents(registration))
        for registration in people
        if registration.takes_part
    ]
    parts = [f"{registration} {euro(cents)}" for registration, cents in owing if cents > 0]
    if not parts:
        return sentence
    return _("{done} Jetzt zu zahlen: {dues}.").format(done=sentence, dues="; ".join(parts))


_on_page = partial(act, MAY_TAKE_MONEY, page, to="teams:teams", in_place=True)


@_on_page(of=Ranking)
def create(request: StaffRequest, ranking: Ranking) -> str:
    """Form a team of players given by start number or name."""
    form = TeamForm(request.POST, ranking=ranking)
    name = form_data(request, form, "new_form")["name"]
    people = [
        services.find_registration(request.tournament, typed) for typed in form.member_texts()
    ]
    team = services.create_team(
        request.actor,
        ranking.pk,
        name=name,
        registration_ids=[registration.pk for registration in people],
    )
    return append_dues(_("„{team}“ ist angelegt.").format(team=team), people)


@_on_page(of=Team)
def add(request: StaffRequest, team: Team) -> str:
    """Add a player to a team."""
    form = MemberForm(request.POST)
    if not form.is_valid():
        raise InvalidForm(_("Bitte eine Startnummer oder einen Namen eingeben."))
    typed = form.cleaned_data["person"]
    request.shown = {"typed": typed, "typed_for": team.pk}
    registration = services.find_registration(request.tournament, typed)
    services.add_member(request.actor, team.pk, registration_id=registration.pk)
    sentence = _("{name} spielt in „{team}“.").format(name=registration.person.list_name, team=team)
    return append_dues(sentence, [registration])


@_on_page(of=TeamMember.objects.select_related("registration__person", "team"))
def remove(request: StaffRequest, member: TeamMember) -> str:
    """Remove a player from a team."""
    services.remove_member(request.actor, member.pk)
    return _("{name} ist nicht mehr in „{team}“.").format(
        name=member.registration.person.list_name, team=member.team
    )


@_on_page(of=Team)
def rename(request: StaffRequest, team: Team) -> str:
    """Rename a team."""
    form = NameForm(request.POST)
    if not form.is_valid():
        raise InvalidForm(_("Die Mannschaft braucht einen Namen mit höchstens 80 Zeichen."))
    renamed = services.rename_team(request.actor, team.pk, name=form.cleaned_data["name"])
    return _("Die Mannschaft heißt jetzt „{team}“.").format(team=renamed)


@_on_page(of=Team)
def dissolve(request: StaffRequest, team: Team) -> str:
    """Dissolve a team."""
    services.dissolve_team(request.actor, team.pk)
    return _("„{team}“ ist aufgelöst.").format(team=team)


@_on_page(of=TeamWish)
def take_wish(request: StaffRequest, wish: TeamWish) -> str:
    """Carry out a wish."""
    team = services.take_wish(request.actor, wish.pk)
    members = Registration.objects.filter(team_members__team=team).select_related("person")
    return append_dues(_("Übernommen: „{team}“.").format(team=team), list(members))


@_on_page(of=TeamWish)
def drop_wish(request: StaffRequest, wish: TeamWish) -> str:
    """Discard a wish."""
    services.drop_wish(request.actor, wish.pk)
    return _("Weggelegt.")
