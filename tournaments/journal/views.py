"""The journal: reading, proving and downloading it."""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from scoring.reading.strict_json import dump
from tournaments.common.errors import TournamentError
from tournaments.common.roles import MAY_LEAD, MAY_TAKE_MONEY
from tournaments.journal import proof
from tournaments.journal.anchors import anchors
from tournaments.journal.forms import FilterForm
from tournaments.journal.queries import journal as queries
from tournaments.journal.queries.journal import EntryInWords, Filter
from tournaments.journal.queries.seals import origin_of, paper_seal
from tournaments.models import ArchivedJournal, JournalEntry, Receipt, Registration, Tournament
from tournaments.web.access import StaffRequest, own, roles_required
from tournaments.web.acting import UNFIT
from tournaments.web.downloads import download, table_file

TEMPLATE = "tournaments/journal/journal.html"
ARCHIVED = "tournaments/journal/archived.html"
PER_PAGE = 50
AT_ONCE = 500  # rows of the file for which names are looked up together


def _page(
    request: StaffRequest, tournament: Tournament, *, status: int = 200, **more: Any
) -> HttpResponse:
    form = FilterForm(request.GET, tournament=tournament)
    selection = form.selection()
    page = Paginator(queries.entries(tournament, selection), PER_PAGE).get_page(
        request.GET.get("page")
    )
    context = {
        "form": form,
        "is_narrowed": selection != Filter(),
        "page": page,
        "rows": queries.rows(list(page.object_list)),
        "archived": ArchivedJournal.objects.filter(tournament=tournament).only("pk"),
        "origin": origin_of(tournament),
        "end": paper_seal(tournament),
        "last": JournalEntry.objects.filter(chain__tournament=tournament)
        .order_by("-number")
        .first(),
        **more,
    }
    if form.errors:
        status = UNFIT
    return render(request, TEMPLATE, context, status=status)


@require_safe
@roles_required(MAY_LEAD)
def page(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the entries, the newest first, by the chosen filter."""
    return _page(request, tournament)


@require_POST
@roles_required(MAY_LEAD)
def verify(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show whether every entry is unchanged and the data match the entries."""
    try:
        breaks = list(proof.of_tournament(tournament))
    except TournamentError as refusal:
        return _page(request, tournament, status=HTTPStatus.CONFLICT, error=str(refusal))
    count = JournalEntry.objects.filter(chain__tournament=tournament).count()
    return _page(request, tournament, is_proved=True, breaks=breaks, proved=count)


@require_safe
@roles_required(MAY_LEAD)
def anchor_file(_request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Download the signed ends of the journals of its organiser, and of the installation's."""
    return download(dump(anchors(tournament.owner_id)), f"anker-{tournament.slug}.json")


@require_safe
@roles_required(MAY_LEAD)
def archived(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Show an imported journal, the newest entry first, and whether it is unbroken."""
    chain = own(tournament, ArchivedJournal, pk=pk)
    page = Paginator(chain.entries[::-1], PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "rows": queries.archived_rows(chain, page.object_list),
        "breaks": [broken] if (broken := proof.of_archived(chain)) is not None else [],
        "origin": origin_of(tournament),
        "proved": len(chain.entries),
        "crumbs": [
            (_("Protokoll"), reverse("journal:page", args=[tournament.slug])),
            (_("Mitgebrachtes Protokoll"), ""),
        ],
    }
    return render(request, ARCHIVED, context)


@require_safe
@roles_required(MAY_LEAD)
def csv_file(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Download the filtered entries, the oldest first."""
    selection = FilterForm(request.GET, tournament=tournament).selection()
    rows = list(queries.csv_rows(_in_words(tournament, selection)))
    return table_file(rows, f"protokoll-{tournament.slug}.csv")


def _in_words(tournament: Tournament, selection: Filter) -> Iterator[EntryInWords]:
    entries = list(queries.entries(tournament, selection).order_by("number"))
    for start in range(0, len(entries), AT_ONCE):
        yield from queries.rows(entries[start : start + AT_ONCE])


def _history(
    request: StaffRequest, tournament: Tournament, about: Q, *, title: str, back: str
) -> HttpResponse:
    context = {"rows": queries.history(tournament, about), "title": title, "back": back}
    return render(request, "tournaments/journal/history.html", context)


@require_safe
@roles_required(MAY_TAKE_MONEY)
def of_receipt(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show the history of a receipt."""
    receipt = own(tournament, Receipt, number=number)
    return _history(
        request,
        tournament,
        queries.of_receipt(receipt),
        title=str(receipt),
        back=reverse("cash:receipt", args=[tournament.slug, number]),
    )


@require_safe
@roles_required(MAY_TAKE_MONEY)
def of_registration(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Show the history of a registration."""
    registrations = Registration.objects.select_related("person")
    registration = own(tournament, registrations, pk=pk)
    return _history(
        request,
        tournament,
        queries.of_registration(registration),
        title=str(registration),
        back=reverse("desk:registration", args=[tournament.slug, pk]),
    )
