"""Pages of clubs: searching, renaming and merging."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.models import Club
from tournaments.people.access import (
    PeopleRequest,
    get_reachable,
    may_change_persons,
    may_manage_persons,
)
from tournaments.people.forms.people import ClubForm, MergeClubForm
from tournaments.people.queries import pages
from tournaments.people.queries.people import living_persons
from tournaments.people.services import clubs as services
from tournaments.web.acting import FormStorage, posted

PER_PAGE = 50


@may_change_persons
def clubs(request: PeopleRequest) -> HttpResponse:
    """Show all clubs by name, with the number of their persons."""
    typed = request.GET.get("q", "").strip()
    shown_clubs = pages.clubs(request.rights.organiser, typed)
    page = Paginator(shown_clubs, PER_PAGE).get_page(request.GET.get("page"))
    near = [] if typed else pages.near_clubs(request.rights.organiser)
    context = {"typed": typed, "page": page, "near": near, "rights": request.rights}
    template = "tournaments/people/clubs.html"
    if request.htmx and request.htmx.target == "clubs":
        template += "#clubs"
    return render(request, template, context)


@may_change_persons
def club(request: PeopleRequest, pk: int) -> HttpResponse:
    """Rename a club."""
    club = get_reachable(request, Club.objects.all(), pk=pk)
    form = ClubForm(posted(request), initial={"name": club.name})
    with FormStorage(form, "name") as storing:
        if form.is_valid():
            renamed = services.rename_club(
                club_id=pk, name=form.cleaned_data["name"], actor=request.actor
            )
            messages.success(
                request, _("Der Verein heißt jetzt „{name}“.").format(name=renamed.name)
            )
            return redirect("people:clubs")
    return _page(request, club, form=form, status=storing.status)


@may_manage_persons
def merge(request: PeopleRequest, pk: int) -> HttpResponse:
    """Merge another club with its persons and registrations into this one."""
    club = get_reachable(request, Club.objects.all(), pk=pk)
    form = MergeClubForm(posted(request), keep=club)
    with FormStorage(form) as storing:
        if form.is_valid():
            other = form.cleaned_data["other"]
            services.merge_clubs(keep_id=pk, drop_id=other.pk, actor=request.actor)
            messages.success(
                request,
                _("„{other}“ ist jetzt Teil von „{name}“.").format(
                    other=other.name, name=club.name
                ),
            )
            return redirect("people:club", pk)
    return _page(request, club, merge_form=form, status=storing.status)


def _page(request: PeopleRequest, club: Club, *, status: int, **more: Any) -> HttpResponse:
    persons = living_persons(club.owner_id).filter(club=club)
    context = {
        "club": club,
        "form": ClubForm(initial={"name": club.name}),
        "merge_form": MergeClubForm(keep=club, initial={"other": request.GET.get("mit")}),
        "rights": request.rights,
        "persons": persons,
        **more,
    }
    return render(request, "tournaments/people/club.html", context, status=status)
