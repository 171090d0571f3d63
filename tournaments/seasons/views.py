"""Seasons: the public ranking, and pages for editing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.announcement.services.tournaments import creates_for
from tournaments.announcement.views.setup import organiser_for_new
from tournaments.common.digits import number_in
from tournaments.common.errors import NotAllowed
from tournaments.common.organisers import held_by, roles_in, tournaments_with
from tournaments.models import Organiser, Season, User
from tournaments.results.forms import InviteForm
from tournaments.results.services import quota
from tournaments.results.views.results import tell_invited
from tournaments.seasons import queries, services
from tournaments.seasons.forms import SeasonForm
from tournaments.seasons.honours import Honours, honours, version_of
from tournaments.web.access import StaffRequest, account_required, public
from tournaments.web.acting import UNFIT, FormStorage, done, posted
from tournaments.web.cached_answers import made_once
from tournaments.web.downloads import table_file
from tournaments.web.frame import public_frame

FILES = (("csv", "CSV"), ("xlsx", "Excel"))
EDIT = "tournaments/seasons/edit.html"


@public
def season(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the public ranking of a season."""
    found = get_object_or_404(Season, slug=slug)
    user = request.user
    context = {
        **public_frame(request),
        "season": found,
        "standing": queries.standing(found),
        "serien": queries.numbers_of_serien(found) if found.adds_points else [],
        "files": FILES,
    }
    if isinstance(user, User):
        context["may_edit"] = services.may_edit(found, user)
        context["offers"] = services.offerable(user, found)
        context["targets"] = quota.closed_to_come(user, found.owner_id)
        context["invite_form"] = InviteForm()
        context["invite_url"] = reverse("seasons:invite", args=[slug])
        context["offered"] = set(found.offered.values_list("pk", flat=True))
        mine = tournaments_with(user).filter(seasons=found).order_by("starts_at").last()
        if mine is not None:
            context |= {"printed_in": mine, "printed_by": roles_in(user, mine)}
    return render(request, "tournaments/seasons/season.html", context)


@public
@require_safe
def file(_request: HttpRequest, slug: str, ending: str) -> HttpResponse:
    """Download the public ranking of a season as a table."""
    rows = list(_rows(queries.standing(get_object_or_404(Season, slug=slug))))
    return table_file(rows, f"{slug}.{ending}", _("Rangliste"))


@public
@require_safe
def table_of_honour(request: HttpRequest, slug: str, ending: str = "") -> HttpResponse:
    """Show winners, cups and records of the organiser of a season, or hand them out as a table."""
    found = get_object_or_404(Season.objects.select_related("owner"), slug=slug)
    owner = found.owner
    shown = made_once(("honours", owner.pk), version_of(owner), partial(honours, owner))
    if ending:
        rows = list(_honour_rows(shown))
        return table_file(rows, f"ehrentafel-{slug}.{ending}", _("Ehrentafel"))
    context = {
        **public_frame(request),
        "season": found,
        "honours": shown,
        "files": FILES,
        "crumbs": [(found.name, reverse("seasons:season", args=[slug])), (_("Ehrentafel"), "")],
    }
    return render(request, "tournaments/seasons/honours.html", context)


def _honour_rows(shown: Honours) -> Iterator[list[object]]:
    yield [_("Saison"), _("Name"), _("Ergebnis"), _("Wanderpokal")]
    for one in shown.winners:
        yield [one.season.name, one.winners, one.value, one.season.trophy]
    yield []
    yield [_("Regelwerk"), _("Rekord"), _("Ergebnis"), _("Name")]
    for record in shown.records:
        yield [record.rule_set, record.what, record.value, record.holders]


@account_required
@require_POST
def offer(request: StaffRequest, slug: str) -> HttpResponse:
    """Offer a tournament to the season of another organiser, or take the offer back."""
    found = get_object_or_404(Season, slug=slug)
    try:
        services.offer(
            season_id=found.pk,
            tournament_id=number_in(request.POST.get("tournament", "")) or 0,
            user=request.user,
            takes_back=bool(request.POST.get("zurueck")),
        )
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    return done(request, _("Gespeichert."), "seasons:season", slug)


@account_required
@require_POST
def invite(request: StaffRequest, slug: str) -> HttpResponse:
    """Put the best of a season on the list of a closed tournament."""
    found = get_object_or_404(Season, slug=slug)
    tell_invited(request, partial(services.invite_best, season=found))
    return redirect("seasons:season", slug)


def _rows(standing: queries.SeasonSoFar) -> Iterator[list[object]]:
    """Yield the headings and the lines for spreadsheet programs."""
    names = [tournament.name for tournament in standing.counted]
    yield [_("Rang"), _("Name"), _("Verein"), *names, _("Ergebnis"), _("gestrichen")]
    for line in standing.lines:
        values = ["" if value is None else value for value, _counts in line.cells]
        struck = [
            name
            for name, (value, counts) in zip(names, line.cells, strict=True)
            if value is not None and not counts
        ]
        yield [line.rank, line.name, line.club, *values, line.value, "; ".join(struck)]


@account_required
def overview(request: StaffRequest) -> HttpResponse:
    """List the seasons of the account's organisers."""
    held = held_by(request.user)
    context = {
        "seasons": Season.objects.filter(owner__in=held).prefetch_related("tournaments"),
        "may_create": bool(creates_for(request.user)),
    }
    return render(request, "tournaments/seasons/seasons.html", context)


@account_required
def new(request: StaffRequest) -> HttpResponse:
    """Create a season."""
    return _edit(request, organiser_for_new(request), None)


@account_required
def edit(request: StaffRequest, slug: str) -> HttpResponse:
    """Change a season."""
    found = get_object_or_404(Season.objects.select_related("owner"), slug=slug)
    if not services.may_edit(found, request.user):
        raise PermissionDenied(
            _("Diese Saison ändert, wer sie angelegt hat oder das Programm verwaltet.")
        )
    request.at_hand = found.owner
    return _edit(request, found.owner, found)


def _edit(request: StaffRequest, owner: Organiser, found: Season | None) -> HttpResponse:
    own = services.own_tournaments(request.user, owner, found)
    form = SeasonForm(posted(request), own=own, season=found)
    with FormStorage(form, refused=UNFIT) as storing:
        if form.is_valid():
            try:
                fields = {**form.cleaned_data, "user": request.user}
                stored = (
                    services.change_season(season_id=found.pk, **fields)
                    if found
                    else services.create_season(owner=owner, **fields)
                )
            except NotAllowed as refusal:
                raise PermissionDenied(str(refusal)) from refusal
            return done(request, _("Gespeichert."), "seasons:season", stored.slug)
    here = found.name if found else _("Neue Saison")
    crumbs = [(_("Saisons"), reverse("seasons:overview")), (here, "")]
    context = {"form": form, "season": found, "crumbs": crumbs}
    return render(request, EDIT, context, status=storing.status)
