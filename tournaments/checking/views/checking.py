"""Checking lists: what waits, one list beside its paper, its versions and its past."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournaments.checking import queries
from tournaments.checking.forms.checking import ReasonForm, VerifyForm
from tournaments.checking.services import checking
from tournaments.common.access import StaffRequest, roles_required
from tournaments.common.digits import number_in
from tournaments.common.errors import Conflict, Doubtful, TournamentError, WrongStatus
from tournaments.common.roles import MAY_CHECK, MAY_LEAD
from tournaments.common.rules import rule_set_of
from tournaments.control.queries import handing_in
from tournaments.journal.queries import journal
from tournaments.lists.queries import changes as corrections_text
from tournaments.lists.queries.data import is_correctable
from tournaments.lists.services import versions as list_versions
from tournaments.models import ListVersion, Serie, Spielliste, Tournament
from tournaments.notices.queries import cases

TEMPLATE = "tournaments/checking/list.html"


def find_serie(tournament: Tournament, number: int) -> Serie:
    """Return a Serie of the tournament at hand."""
    serie = get_object_or_404(Serie, tournament=tournament, number=number)
    serie.tournament = tournament
    return serie


def find_list(tournament: Tournament, serie: int, table: int) -> Spielliste:
    """Return the list of a table."""
    spielliste = get_object_or_404(
        Spielliste.objects.select_related("table__serie__tournament", "verified_by"),
        table__serie__tournament=tournament,
        table__serie__number=serie,
        table__number=table,
    )
    spielliste.table.serie.tournament = tournament
    return spielliste


def list_url(spielliste: Spielliste, name: str = "list", **query: str) -> str:
    """Return the address of a list's page."""
    serie = spielliste.table.serie
    url = reverse(
        f"checking:{name}", args=[serie.tournament.slug, serie.number, spielliste.table.number]
    )
    return f"{url}?{urlencode(query)}" if query else url


def named_case(request: StaffRequest) -> int | None:
    """Return the key of the case that the address names for a correction to decide."""
    return number_in(request.GET.get("fall"))


def crumbs_of(spielliste: Spielliste, *further: tuple[str, str]) -> list[dict[str, str]]:
    """Return the way to a list's page, and to what lies below it."""
    serie = spielliste.table.serie
    slug = serie.tournament.slug
    return [
        {"label": str(serie), "url": reverse("checking:serie", args=[slug, serie.number])},
        {"label": str(spielliste.table), "url": list_url(spielliste)},
        *({"label": label, "url": url} for label, url in further),
    ]


@roles_required(MAY_CHECK)
def lists(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the Serie that has something to check."""
    serie = queries.current_serie(tournament)
    if serie is None:
        context = {"pending": queries.pending(tournament)}
        return render(request, "tournaments/checking/lists.html", context)
    return redirect("checking:serie", tournament.slug, serie.number)


@roles_required(MAY_CHECK)
def serie(request: StaffRequest, tournament: Tournament, serie: int) -> HttpResponse:
    """Show the lists of a Serie by what is to be done with them."""
    found = find_serie(tournament, serie)
    seated = tournament.serien.filter(tables__spielliste__isnull=False).distinct()
    context = {
        "serie": found,
        "serien": list(seated.order_by("number")),
        "overview": queries.overview(found),
        "pending": queries.pending(tournament),
        "is_leading": request.is_leading,
    }
    return render(request, "tournaments/checking/lists.html", context)


def _context(request: StaffRequest, spielliste: Spielliste, **more: Any) -> dict[str, Any]:
    sheet = queries.sheet(spielliste)
    is_leading = request.is_leading
    serie = spielliste.table.serie
    (handed_in,) = handing_in.rows(serie, table=spielliste.table.number)
    is_open = serie.closed_at is None and not serie.tournament.is_read_only
    known = {f"sum_{column.seat}": column.paper_sum for column in sheet.columns}
    waiting = list(cases.undecided_of(spielliste))
    named = named_case(request)
    form = more.pop("form", None) or VerifyForm(
        seats=sheet.seats, initial={"version": spielliste.version, **known}
    )
    sums = [form[f"sum_{column.seat}"] for column in sheet.columns]
    return {
        "spielliste": spielliste,
        "serie": serie,
        "sheet": sheet,
        "form": form,
        "columns": list(zip(sheet.columns, sums, strict=True)),
        "handed_in": handed_in,
        "is_leading": is_leading,
        "may_change": is_leading and is_open,
        "may_correct": is_leading and is_open and is_correctable(spielliste),
        "may_verify": is_leading and is_open and spielliste.status == Spielliste.Status.HANDED_IN,
        "undecided": checking.proposed(spielliste),
        "cases": waiting,
        "tied": next((case for case in waiting if case.pk == named), None),
        "corrections": queries.corrections_of(spielliste),
        "next_list": queries.next_to_check(spielliste),
        "reason_form": ReasonForm(),
        "crumbs": crumbs_of(spielliste),
        **more,
    }


def _page(
    request: StaffRequest, spielliste: Spielliste, *, status: int = 200, **more: Any
) -> HttpResponse:
    return render(request, TEMPLATE, _context(request, spielliste, **more), status=status)


@roles_required(MAY_CHECK)
def list_(request: StaffRequest, tournament: Tournament, serie: int, table: int) -> HttpResponse:
    """Show one list as it stands on paper."""
    return _page(request, find_list(tournament, serie, table))


@require_POST
@roles_required(MAY_LEAD)
def verify(request: StaffRequest, tournament: Tournament, serie: int, table: int) -> HttpResponse:
    """Record that a list is right, and go on to the next; or open what is to be corrected."""
    spielliste = find_list(tournament, serie, table)
    seats = spielliste.table.seats.count()
    form = VerifyForm(request.POST, seats=seats)
    if not form.is_valid():
        return _page(request, spielliste, status=422, form=form)
    if command := form.cleaned_data["command"]:
        query = {"spiel": command["game"]}
        names = (("seat", "platz"), ("points", "punkte"))
        query |= {name: command[part] for part, name in names if part in command}
        if (named := named_case(request)) is not None:
            query["fall"] = str(named)
        return redirect(list_url(spielliste, "line", **query))
    try:
        checking.verify(
            spielliste_id=spielliste.pk,
            version=form.cleaned_data["version"],
            paper_sums=form.sums,
            despite_difference=form.cleaned_data["despite"],
            actor=request.actor,
        )
    except Doubtful as doubt:
        for problem in doubt.problems:
            _game, seat = problem.place
            form.add_error(f"sum_{seat}", problem.message)
        return _page(request, spielliste, status=422, form=form, ask_despite=True)
    except (Conflict, WrongStatus) as refusal:
        spielliste = find_list(tournament, serie, table)
        return _page(request, spielliste, status=409, error=str(refusal))
    messages.success(request, _("{table} ist geprüft.").format(table=spielliste.table))
    following = queries.next_to_check(spielliste)
    if following is None:
        return redirect("checking:serie", tournament.slug, serie)
    return redirect("checking:list", tournament.slug, serie, following.table.number)


@require_POST
@roles_required(MAY_LEAD)
def unverify(request: StaffRequest, tournament: Tournament, serie: int, table: int) -> HttpResponse:
    """Take „geprüft“ back."""
    spielliste = find_list(tournament, serie, table)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        return _page(request, spielliste, status=422, reason_form=form)
    try:
        checking.unverify(
            spielliste_id=spielliste.pk, reason=form.cleaned_data["reason"], actor=request.actor
        )
    except TournamentError as refusal:
        spielliste = find_list(tournament, serie, table)
        return _page(request, spielliste, status=409, error=str(refusal))
    messages.success(
        request, _("{table} wartet wieder auf die Prüfung.").format(table=spielliste.table)
    )
    return redirect(list_url(spielliste))


# --- The past of a list -----------------------------------------------------------------------


@roles_required(MAY_CHECK)
def history(request: StaffRequest, tournament: Tournament, serie: int, table: int) -> HttpResponse:
    """Show what the journal says about a list, and how it was corrected."""
    spielliste = find_list(tournament, serie, table)
    context = {
        "spielliste": spielliste,
        "serie": spielliste.table.serie,
        "rows": journal.history(tournament, journal.of_list(spielliste)),
        "corrections": [
            (one, corrections_text.changes(one)) for one in queries.corrections_of(spielliste)
        ],
        "crumbs": crumbs_of(spielliste, (_("Verlauf"), "")),
    }
    return render(request, "tournaments/checking/history.html", context)


@roles_required(MAY_CHECK)
def versions(request: StaffRequest, tournament: Tournament, serie: int, table: int) -> HttpResponse:
    """Show two versions of a list side by side; the last two unless others are asked for."""
    spielliste = find_list(tournament, serie, table)
    rule_set = rule_set_of(tournament)
    kept = list(spielliste.versions.order_by("version"))
    old, new = _two_of(kept, request.GET.get("alt", ""), request.GET.get("neu", ""))
    context = {
        "spielliste": spielliste,
        "serie": spielliste.table.serie,
        "kept": [(one, list_versions.short_hash(one)) for one in kept],
        "old": old,
        "new": new,
        "sides": [
            (one, list_versions.short_hash(one), *queries.kept_list(one.content, rule_set))
            for one in (old, new)
            if one is not None
        ],
        "changes": corrections_text.version_changes(old.content, new.content)
        if old is not None and new is not None
        else [],
        "crumbs": crumbs_of(spielliste, (_("Fassungen"), "")),
    }
    return render(request, "tournaments/checking/versions.html", context)


def _two_of(
    kept: list[ListVersion], old: str, new: str
) -> tuple[ListVersion | None, ListVersion | None]:
    by_version = {str(one.version): one for one in kept}
    for asked in (old, new):
        if asked and asked not in by_version:
            raise Http404
    chosen_new = by_version[new] if new else (kept[-1] if kept else None)
    earlier = [one for one in kept if chosen_new is not None and one.version < chosen_new.version]
    chosen_old = by_version[old] if old else (earlier[-1] if earlier else None)
    return chosen_old, chosen_new
