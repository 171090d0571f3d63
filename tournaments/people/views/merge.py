"""Persons stored twice: listing, comparing and merging them."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.people.access import PeopleRequest, all_persons, get_reachable, may_manage_persons
from tournaments.people.forms.people import MergeForm
from tournaments.people.queries import people as queries
from tournaments.people.queries.duplicates import duplicate_pairs, pairs_with_persons
from tournaments.people.services.merge import hindrance, merge_persons
from tournaments.web.acting import FormStorage, posted

PER_PAGE = 20


@may_manage_persons
def duplicates(request: PeopleRequest) -> HttpResponse:
    """Show persons who may be stored twice, with the reasons."""
    page = Paginator(duplicate_pairs(request.rights.organiser), PER_PAGE).get_page(
        request.GET.get("page")
    )
    context = {"page": page, "pairs": pairs_with_persons(list(page.object_list))}
    return render(request, "tournaments/people/duplicates.html", context)


@may_manage_persons
def choose(request: PeopleRequest, pk: int) -> HttpResponse:
    """Search for the second record of a person."""
    person = get_reachable(request, all_persons(), pk=pk, anonymised_at=None, merged_into=None)
    typed = request.GET.get("q", person.last_name)
    context = {
        "person": person,
        "typed": typed,
        "others": queries.search_persons(typed, person.owner_id, limit=20, exclude=[pk]),
    }
    template = "tournaments/people/merge_choose.html"
    if request.htmx and request.htmx.target == "found":
        template += "#found"
    return render(request, template, context)


@may_manage_persons
def merge(request: PeopleRequest, keep_pk: int, drop_pk: int) -> HttpResponse:
    """Compare two persons, choose the values, and merge them."""
    # Includes a merged person, so that a repeated request shows the merge.
    keep = get_reachable(request, all_persons(), pk=keep_pk)
    drop = get_reachable(request, all_persons().filter(owner=keep.owner_id), pk=drop_pk)
    form = MergeForm(posted(request), keep=keep, drop=drop)
    with FormStorage(form) as storing:
        if form.is_valid():
            merge_persons(
                keep_id=keep_pk, drop_id=drop_pk, taken=form.dropped_fields(), actor=request.actor
            )
            messages.success(request, _("{name} ist zusammengeführt.").format(name=keep))
            return redirect("people:person", keep_pk)
    context: dict[str, Any] = {
        "keep": keep,
        "drop": drop,
        "form": form,
        "hindrance": hindrance(keep, drop) if keep != drop and not form.is_bound else "",
    }
    return render(request, "tournaments/people/merge.html", context, status=storing.status)
