"""The grid for a paper list, stored while it is typed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.ambiguity import AmbiguousLine
from scoring.errors import Problem
from scoring.reading.interchange import lines_to_json
from tournaments.common.errors import (
    Conflict,
    DoubtfulInput,
    InvalidInput,
    NotAllowed,
    TournamentError,
)
from tournaments.common.roles import MAY_CHECK
from tournaments.hall.forms.sheet import (
    SheetEntries,
    SheetToCopy,
    compare_sums,
    grid_rows,
    read_entries,
    read_sums,
)
from tournaments.hall.services import paper_lists
from tournaments.lists.queries.ended_lists import ended_sentences
from tournaments.lists.queries.seat_moves import name_lookup, seat_moves
from tournaments.models import Registration, Spielliste, Tournament
from tournaments.table.queries.rules import valuation
from tournaments.web.access import StaffRequest, own_list, roles_required

TEMPLATE = "tournaments/hall/grid.html"
UNPROCESSABLE = HTTPStatus.UNPROCESSABLE_ENTITY


@require_http_methods(["GET", "HEAD", "POST"])
@roles_required(MAY_CHECK)
def grid(request: StaffRequest, tournament: Tournament, number: int, table: int) -> HttpResponse:
    """Show the list as a grid, and store the typed values."""
    spielliste = own_list(tournament, number, table)
    sheet = SheetToCopy.of(spielliste)
    if request.method != "POST":
        return _page(request, sheet, sheet.stored_entries())
    entries = read_entries(request.POST, sheet)
    if request.POST.get("save") == "typing":
        return _store_while_typing(request, sheet, entries)
    return _store(request, sheet, entries)


# --- While typing ---------------------------------------------------------------------------


def _store_while_typing(
    request: StaffRequest, sheet: SheetToCopy, entries: SheetEntries
) -> JsonResponse:
    rows = sheet.read(entries)
    whole = next((index for index, row in enumerate(rows) if isinstance(row, list)), len(rows))
    lines = lines_to_json(row for row in rows[:whole] if isinstance(row, AmbiguousLine))
    # An incomplete row is no problem yet; an impossible value in it is.
    wrong = [
        problem
        for index, row in enumerate(rows)
        if isinstance(row, list)
        for problem in row
        if _cell_text(entries, problem)
    ]
    try:
        copied = paper_lists.enter_sound_lines(
            request.actor, sheet.spielliste.pk, lines=lines, version=entries.version
        )
    except TournamentError as refusal:
        return JsonResponse({"refused": str(refusal)}, status=HTTPStatus.CONFLICT)
    return JsonResponse(
        {
            "version": copied.spielliste.version,
            "stored": copied.stored,
            "problems": _places([*wrong, *copied.problems]),
            "doubts": _places(copied.doubts),
        }
    )


def _cell_text(entries: SheetEntries, problem: Problem) -> str:
    game, seat = problem.place
    return entries.cells[game - 1][seat - 1] if seat else ""


def _places(problems: Sequence[Problem]) -> list[dict[str, Any]]:
    return [
        {"game": game, "seat": seat, "message": problem.message}
        for problem in problems
        for game, seat in [problem.place]
    ]


# --- Whole list -----------------------------------------------------------------------------


def _store(request: StaffRequest, sheet: SheetToCopy, entries: SheetEntries) -> HttpResponse:
    rows = sheet.read(entries)
    sums, wrong_sums = read_sums(entries)
    wrong = [problem for row in rows if isinstance(row, list) for problem in row]
    if wrong or wrong_sums:
        return _page(
            request, sheet, entries, status=UNPROCESSABLE, problems=wrong, errors=wrong_sums
        )
    try:
        copied = paper_lists.enter_whole_list(
            request.actor,
            sheet.spielliste.pk,
            lines=lines_to_json(row for row in rows if isinstance(row, AmbiguousLine)),
            version=entries.version,
            sums=sums,
            confirmed=bool(request.POST.get("confirmed")),
            override_reason=request.POST.get("override_reason", "")[:300],
        )
    except TournamentError as refusal:
        return _refusal_page(request, sheet, entries, refusal)
    return _stored_page(request, sheet, copied.spielliste)


def _stored_page(request: StaffRequest, sheet: SheetToCopy, spielliste: Spielliste) -> HttpResponse:
    table = spielliste.table
    place = (table.serie.tournament.slug, table.serie.number, table.number)
    after = SheetToCopy.of(spielliste)
    differing = any(paper_sum.is_wrong for paper_sum in compare_sums(after, after.stored_entries()))
    text = _("{table}: {games} von {wanted} Spielen stehen in der Liste.").format(
        table=table, games=len(after.stored), wanted=sheet.games
    )
    if spielliste.status == Spielliste.Status.OPEN or differing:
        messages.success(request, text)
        return redirect("hall:grid", *place)
    messages.success(request, _("{table}: Die Liste ist vollständig.").format(table=table))
    url = reverse("hall:hand_in", args=place[:2])
    return redirect(f"{url}?tisch={table.number}")


def _refusal_page(
    request: StaffRequest, sheet: SheetToCopy, entries: SheetEntries, refusal: TournamentError
) -> HttpResponse:
    if isinstance(refusal, InvalidInput):
        return _page(request, sheet, entries, status=UNPROCESSABLE, problems=refusal.problems)
    if isinstance(refusal, DoubtfulInput):
        return _page(request, sheet, entries, status=UNPROCESSABLE, doubts=refusal.problems)
    sentences = [str(refusal)]
    if isinstance(refusal, NotAllowed):
        return _page(request, sheet, entries, status=HTTPStatus.FORBIDDEN, errors=sentences)
    is_old = isinstance(refusal, Conflict)
    if is_old:
        # The page shows typed and stored values; saving again overwrites the latter.
        entries.version = sheet.spielliste.version
    return _page(
        request, sheet, entries, status=HTTPStatus.CONFLICT, errors=sentences, show_stored=is_old
    )


# --- Context of the page ------------------------------------------------------------------


def _page(
    request: StaffRequest,
    sheet: SheetToCopy,
    entries: SheetEntries,
    *,
    status: int = 200,
    problems: Sequence[Problem] = (),
    doubts: Sequence[Problem] = (),
    errors: Sequence[str] = (),
    show_stored: bool = False,
) -> HttpResponse:
    spielliste = sheet.spielliste
    handromme = sheet.rule_set.handromme
    sums = compare_sums(sheet, entries)
    people = Registration.objects.select_related("person").in_bulk(sheet.data.people)
    results = sheet.data.counted(sheet.rule_set)
    valued = valuation(sheet.rule_set, sheet.data.size)
    context = {
        "serie": spielliste.table.serie,
        "spielliste": spielliste,
        "table_number": spielliste.table.number,
        "seats": [(seat, people[key]) for seat, key in sorted(sheet.data.seats.items())],
        "moves": seat_moves(sheet.data, name_lookup(people), results),
        "rows": grid_rows(sheet, entries, problems, doubts, sums=sums, show_stored=show_stored),
        "sums": sums,
        "version": entries.version,
        "problems": problems,
        "doubts": doubts,
        "errors": errors,
        "may_override": bool(problems) and request.is_leading,
        "knows_handromme": handromme is not None,
        "factor": handromme.factor if handromme else 1,
        "surcharge": handromme.surcharge if handromme else 0,
        "valuation": json.dumps(valued) if valued else "",
        "stored": len(sheet.stored),
        "games": sheet.games,
        "is_open": spielliste.is_at_the_table,
        "ended": ended_sentences(spielliste, sheet.rule_set, players=sheet.seats),
        "is_leading": request.is_leading,
        "show_stored": show_stored,
    }
    return render(request, TEMPLATE, context, status=status)
