"""Pages of persons: searching, viewing, adding, banning and anonymising."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournaments.models import Ban, Club, Organiser, Person
from tournaments.people.access import (
    PeopleRequest,
    all_persons,
    get_reachable,
    may_change_persons,
    may_manage_persons,
    may_see_persons,
)
from tournaments.people.forms.people import AnonymiseForm, BanForm, PersonForm
from tournaments.people.queries import bans as people_bans
from tournaments.people.queries import duplicates, pages
from tournaments.people.queries import people as queries
from tournaments.people.services import anonymise as people_anonymise
from tournaments.people.services import bans, people
from tournaments.people.services.export import export_persons
from tournaments.web.acting import UNFIT, FormStorage, posted, redirect_done
from tournaments.web.downloads import table_file
from tournaments.web.fields import ReasonForm

PER_PAGE = 50


@may_see_persons
def persons(request: PeopleRequest) -> HttpResponse:
    """Show all persons by name, or those who match a search, best match first."""
    typed = request.GET.get("q", "").strip()
    owner = request.rights.organiser
    keys = (
        queries.search_keys(typed, owner)
        if typed
        else queries.living_persons(owner).order_by("sort_key", "pk").values_list("pk", flat=True)
    )
    page = Paginator(keys, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "typed": typed,
        "page": page,
        "persons": queries.persons_by_keys(list(page.object_list)),
        "rights": request.rights,
    }
    template = "tournaments/people/persons.html"
    if request.htmx and request.htmx.target == "persons":
        template += "#persons"
    return render(request, template, context)


@may_see_persons
def person(request: PeopleRequest, pk: int) -> HttpResponse:
    """Show one person: data, registrations, bans, and history."""
    person = get_reachable(request, all_persons(), pk=pk)
    if person.merged_into is not None:
        messages.info(
            request,
            _("{name} ist mit dieser Person zusammengeführt.").format(name=person.list_name),
        )
        return redirect("people:person", person.merged_into.pk)
    context = {
        "person": person,
        "rights": request.rights,
        "registrations": person.registrations.select_related("tournament", "club").order_by(
            "-tournament__starts_at", "pk"
        ),
        "bans": person.bans.select_related("created_by", "lifted_by").order_by("-starts_on", "-pk"),
        "current_ban": people_bans.current().filter(person=person).first(),
        "history": pages.history(person),
    }
    return render(request, "tournaments/people/person.html", context)


def _is_living(person: Person) -> bool:
    """Whether the person can be changed: neither merged nor anonymised."""
    return person.merged_into_id is None and person.anonymised_at is None


@may_see_persons
def new(request: PeopleRequest) -> HttpResponse:
    """Add a person; persons who may be the same are shown before."""
    form = PersonForm(posted(request))
    look_alikes: list[queries.FoundPerson] = []
    if request.method == "POST" and form.is_valid():
        if "anyway" not in request.POST:
            look_alikes = _look_alikes(form, request.rights.organiser)
        if not look_alikes:
            stored = _store_new(request, form)
            if stored is not None:
                messages.success(request, _("{name} ist angelegt.").format(name=stored))
                return redirect("people:person", stored.pk)
    return _form_page(request, form, look_alikes=look_alikes)


def _look_alikes(form: PersonForm, owner: Organiser) -> list[queries.FoundPerson]:
    data = form.cleaned_data
    club = Club(name=data["club_name"])
    club.tidy()
    clubs = Club.objects.filter(owner=owner, sort_key=club.sort_key)
    return duplicates.look_alikes(
        data["last_name"],
        data["first_name"],
        club_id=clubs.values_list("pk", flat=True).first(),
        birth_year=data["birth_year"],
        owner=owner,
    )


def _store_new(request: PeopleRequest, form: PersonForm) -> Person | None:
    actor, owner = request.actor, request.rights.organiser
    try:
        with transaction.atomic():
            club = people.find_or_create_club(
                form.cleaned_data["club_name"], actor=actor, within=owner
            )
            return people.create_person(actor=actor, within=owner, club=club, **form.values())
    except ValidationError as problem:
        form.refuse(problem)
        return None


@may_change_persons
def edit(request: PeopleRequest, pk: int) -> HttpResponse:
    """Change the data of a person."""
    person = get_reachable(request, all_persons(), pk=pk)
    if request.method != "POST" and not _is_living(person):
        return redirect("people:person", pk)
    form = PersonForm(posted(request), instance=person)
    with FormStorage(form) as storing:
        if form.is_valid():
            try:
                stored = people.update_person(
                    person_id=pk,
                    actor=request.actor,
                    fields={**form.values(), "club_name": form.cleaned_data["club_name"]},
                    seen=form.cleaned_data["seen"],
                )
            except ValidationError as problem:
                form.refuse(problem)
            else:
                messages.success(request, _("{name} ist gespeichert.").format(name=stored))
                return redirect("people:person", pk)
    return _form_page(
        request, form, status=storing.status, person=get_reachable(request, all_persons(), pk=pk)
    )


def _form_page(
    request: PeopleRequest, form: PersonForm, *, status: int = UNFIT, **more: Any
) -> HttpResponse:
    context = {
        "form": form,
        "clubs": Club.objects.filter(owner=request.rights.organiser),
        "rights": request.rights,
        **more,
    }
    status = status if request.method == "POST" else 200
    return render(request, "tournaments/people/person_form.html", context, status=status)


@may_change_persons
def ban(request: PeopleRequest, pk: int) -> HttpResponse:
    """Ban a person from further participation (§ 1.4)."""
    person = get_reachable(request, all_persons(), pk=pk)
    if request.method != "POST" and not _is_living(person):
        return redirect("people:person", pk)
    form = BanForm(posted(request))
    with FormStorage(form) as storing:
        if form.is_valid():
            bans.ban_person(person_id=pk, actor=request.actor, **form.cleaned_data)
            return redirect_done(
                request, _("{name} ist gesperrt.").format(name=person), "people:person", pk
            )
    still_in = people_anonymise.open_tournament_of(person)
    context = {"person": person, "form": form, "still_in": still_in}
    return render(request, "tournaments/people/ban.html", context, status=storing.status)


@may_manage_persons
def lift_ban(request: PeopleRequest, pk: int) -> HttpResponse:
    """Lift a ban, with the reason."""
    bans_of_all = Ban.objects.select_related("person", "created_by")
    ban = get_reachable(request, bans_of_all, owner="person__owner", pk=pk)
    form = ReasonForm(posted(request))
    with FormStorage(form) as storing:
        if form.is_valid():
            bans.lift_ban(ban_id=pk, actor=request.actor, **form.cleaned_data)
            messages.success(
                request, _("Die Sperre von {name} ist aufgehoben.").format(name=ban.person)
            )
            return redirect("people:person", ban.person_id)
    context = {"ban": ban, "person": ban.person, "form": form}
    return render(request, "tournaments/people/lift_ban.html", context, status=storing.status)


@may_manage_persons
def anonymise(request: PeopleRequest, pk: int) -> HttpResponse:
    """Anonymise a person; the user confirms by typing the name."""
    person = get_reachable(request, all_persons(), pk=pk)
    if request.method != "POST" and not _is_living(person):
        return redirect("people:person", pk)
    form = AnonymiseForm(posted(request))
    with FormStorage(form) as storing:
        if form.is_valid():
            people_anonymise.anonymise_person(
                person_id=pk, actor=request.actor, **form.cleaned_data
            )
            return redirect_done(request, _("Die Person ist anonymisiert."), "people:person", pk)
    context = {"person": person, "form": form}
    return render(request, "tournaments/people/anonymise.html", context, status=storing.status)


@may_manage_persons
@require_POST
def export(request: PeopleRequest) -> HttpResponse:
    """Return a file of all persons; a POST, because the journal records it."""
    kind = "xlsx" if request.POST.get("format") == "xlsx" else "csv"
    rows = export_persons(request.rights.organiser, file_format=kind, actor=request.actor)
    return table_file(rows, f"{_('Personen')}.{kind}", _("Personen"))
