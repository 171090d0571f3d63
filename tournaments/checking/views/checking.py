"""Pages for checking lists: all lists, one list, its versions and its history."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.checking import queries
from tournaments.checking.forms import VerifyForm
from tournaments.checking.services import checking
from tournaments.common.errors import DoubtfulInput
from tournaments.common.roles import MAY_CHECK, MAY_LEAD
from tournaments.common.rules import rule_set_of
from tournaments.corrections.links import crumbs_of, list_url, named_case
from tournaments.corrections.services import corrections
from tournaments.hall.queries import handing_in
from tournaments.journal.queries import journal
from tournaments.lists.queries import changes as corrections_text
from tournaments.lists.queries.data import is_correctable
from tournaments.lists.services import versions as list_versions
from tournaments.models import ListVersion, Serie, Spielliste, Tournament
from tournaments.notices.queries import cases
from tournaments.web.access import StaffRequest, own, own_list, roles_required
from tournaments.web.acting import InvalidForm, act, form_data
from tournaments.web.fields import ReasonForm

TEMPLATE = "tournaments/checking/list.html"


@roles_required(MAY_CHECK)
def lists(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Redirect to the Serie with lists to check."""
    serie = queries.current_serie(tournament)
    if serie is None:
        context = {"pending": queries.open_proposals(tournament)}
        return render(request, "tournaments/checking/lists.html", context)
    return redirect("checking:serie", tournament.slug, serie.number)


@roles_required(MAY_CHECK)
def serie(request: StaffRequest, tournament: Tournament, serie: int) -> HttpResponse:
    """Show the lists of a Serie by the next step."""
    chosen = own(tournament, Serie, number=serie)
    seated = tournament.serien.filter(tables__spielliste__isnull=False).distinct()
    context = {
        "serie": chosen,
        "serien": list(seated.order_by("number")),
        "overview": queries.overview(chosen),
        "pending": queries.open_proposals(tournament),
        "is_leading": request.is_leading,
    }
    return render(request, "tournaments/checking/lists.html", context)


def _context(request: StaffRequest, spielliste: Spielliste, **more: Any) -> dict[str, Any]:
    sheet = queries.sheet(spielliste)
    is_leading = request.is_leading
    serie = spielliste.table.serie
    (handed_in,) = handing_in.rows(serie, table=spielliste.table.number)
    closed = corrections.correct_list.refusal(spielliste)
    may_change = is_leading and not closed
    sums = {f"sum_{column.seat}": column.paper_sum for column in sheet.columns}
    waiting = list(cases.undecided_of(spielliste))
    named = named_case(request)
    form = more.pop("form", None) or VerifyForm(
        rule_set=sheet.rule_set, seats=sheet.seats, initial={"version": spielliste.version, **sums}
    )
    fields = [form[f"sum_{column.seat}"] for column in sheet.columns]
    return {
        "spielliste": spielliste,
        "serie": serie,
        "sheet": sheet,
        "form": form,
        "columns": list(zip(sheet.columns, fields, strict=True)),
        "handed_in": handed_in,
        "is_leading": is_leading,
        "closed": closed,
        "may_change": may_change,
        "may_correct": may_change and is_correctable(spielliste),
        "may_verify": may_change and spielliste.status == Spielliste.Status.HANDED_IN,
        "undecided": checking.undecided_proposals(spielliste),
        "cases": waiting,
        "tied": next((case for case in waiting if case.pk == named), None),
        "corrections": queries.corrections_of(spielliste),
        "next_list": queries.next_to_check(spielliste),
        "reason_form": ReasonForm(),
        "crumbs": crumbs_of(spielliste),
        **more,
    }


@roles_required(MAY_CHECK)
def list_(
    request: StaffRequest,
    tournament: Tournament,
    serie: int,
    table: int,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    """Show one list as on paper."""
    spielliste = own_list(tournament, serie, table)
    return render(request, TEMPLATE, _context(request, spielliste, **more), status=status)


@act(MAY_LEAD, list_, of=own_list)
def verify(request: StaffRequest, spielliste: Spielliste) -> HttpResponse:
    """Verify a list and redirect to the next one, or open the cell named by the command."""
    rule_set = rule_set_of(spielliste.table.serie.tournament)
    form = VerifyForm(request.POST, rule_set=rule_set, seats=spielliste.table.seats.count())
    data = form_data(request, form)
    if command := data["command"]:
        query = {"spiel": command["game"]}
        names = (("seat", "platz"), ("points", "punkte"))
        query |= {name: command[part] for part, name in names if part in command}
        if (named := named_case(request)) is not None:
            query["fall"] = str(named)
        return redirect(list_url(spielliste, "line", **query))
    request.shown = {}  # a changed list is shown with its own sums and version
    try:
        checking.verify(
            request.actor,
            spielliste.pk,
            version=data["version"],
            paper_sums=form.sums,
            despite_difference=data["despite"],
        )
    except DoubtfulInput as doubt:
        for problem in doubt.problems:
            _game, seat = problem.place
            form.add_error(f"sum_{seat}", problem.message)
        request.shown = {"form": form, "ask_despite": True}
        raise InvalidForm from doubt
    messages.success(request, _("{table} ist geprüft.").format(table=spielliste.table))
    serie, following = spielliste.table.serie, queries.next_to_check(spielliste)
    if following is None:
        return redirect("checking:serie", serie.tournament.slug, serie.number)
    return redirect(list_url(following))


@act(MAY_LEAD, list_, to="checking:list", keys=("serie", "table"), of=own_list)
def unverify(request: StaffRequest, spielliste: Spielliste) -> str:
    """Take „geprüft“ back."""
    reason = form_data(request, ReasonForm(request.POST), "reason_form")["reason"]
    checking.unverify(request.actor, spielliste.pk, reason=reason)
    return _("{table} wartet wieder auf die Prüfung.").format(table=spielliste.table)


# --- The history of a list ----------------------------------------------------------------------


@roles_required(MAY_CHECK)
def history(request: StaffRequest, tournament: Tournament, serie: int, table: int) -> HttpResponse:
    """Show the journal of a list, and its corrections."""
    spielliste = own_list(tournament, serie, table)
    context = {
        "spielliste": spielliste,
        "serie": spielliste.table.serie,
        "rows": journal.history(tournament, journal.of_list(spielliste)),
        "corrections": [
            (correction, corrections_text.changes(correction))
            for correction in queries.corrections_of(spielliste)
        ],
        "crumbs": crumbs_of(spielliste, (_("Verlauf"), "")),
    }
    return render(request, "tournaments/checking/history.html", context)


@roles_required(MAY_CHECK)
def versions(request: StaffRequest, tournament: Tournament, serie: int, table: int) -> HttpResponse:
    """Show two versions of a list side by side; by default the last two."""
    spielliste = own_list(tournament, serie, table)
    rule_set = rule_set_of(tournament)
    stored = list(spielliste.versions.order_by("version"))
    old, new = _chosen_versions(stored, request.GET.get("alt", ""), request.GET.get("neu", ""))
    changes: list[corrections_text.CellChange] = []
    cells: frozenset[tuple[int, int]] = frozenset()
    if old is not None and new is not None:
        changes = corrections_text.version_changes(old.content, new.content)
        cells = corrections_text.changed_cells(old.content, new.content)
    context = {
        "spielliste": spielliste,
        "serie": spielliste.table.serie,
        "kept": [(version, list_versions.short_hash(version)) for version in stored],
        "old": old,
        "new": new,
        "sides": [
            (side, list_versions.short_hash(side), queries.grid_of(side.content, rule_set, cells))
            for side in (old, new)
            if side is not None
        ],
        "changes": changes,
        "crumbs": crumbs_of(spielliste, (_("Stände"), "")),
    }
    return render(request, "tournaments/checking/versions.html", context)


def _chosen_versions(
    stored: list[ListVersion], old: str, new: str
) -> tuple[ListVersion | None, ListVersion | None]:
    by_version = {str(version.version): version for version in stored}
    for number in (old, new):
        if number and number not in by_version:
            raise Http404
    chosen_new = by_version[new] if new else (stored[-1] if stored else None)
    earlier = [row for row in stored if chosen_new is not None and row.version < chosen_new.version]
    chosen_old = by_version[old] if old else (earlier[-1] if earlier else None)
    return chosen_old, chosen_new
