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

from tournaments.announcement.services.tournaments import organisers_for_new
from tournaments.announcement.views.setup import organiser_for_new
from tournaments.common.digits import number_in
from tournaments.common.errors import NotAllowed
from tournaments.common.organisers import rights_by_organiser, roles_in, tournaments_with
from tournaments.models import Organiser, Season, User
from tournaments.results.forms import InviteForm
from tournaments.results.services import quota
from tournaments.results.views.results import invite_and_report
from tournaments.seasons import queries, services
from tournaments.seasons.forms import SeasonForm
from tournaments.seasons.honours import Honours, honours, honours_version
from tournaments.web.access import StaffRequest, account_required, public
from tournaments.web.acting import UNFIT, FormStorage, posted, redirect_done
from tournaments.web.cached_answers import cached
from tournaments.web.downloads import table_file
from tournaments.web.frame import public_frame

FILES = (("csv", "CSV"), ("xlsx", "Excel"))
EDIT = "tournaments/seasons/edit.html"


@public
def season(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the public ranking of a season."""
    season = get_object_or_404(Season, slug=slug)
    user = request.user
    context = {
        **public_frame(request),
        "season": season,
        "standing": queries.standing(season),
        "serien": queries.numbers_of_serien(season) if season.adds_points else [],
        "files": FILES,
    }
    if isinstance(user, User):
        context["may_edit"] = services.may_edit(season, user)
        context["offers"] = services.offerable_tournaments(user, season)
        context["targets"] = quota.coming_closed_tournaments(user, season.owner_id)
        context["invite_form"] = InviteForm()
        context["invite_url"] = reverse("seasons:invite", args=[slug])
        context["offered"] = set(season.offered.values_list("pk", flat=True))
        latest = tournaments_with(user).filter(seasons=season).order_by("starts_at").last()
        if latest is not None:
            context |= {"printed_in": latest, "printed_by": roles_in(user, latest)}
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
    """Show winners, cups and records of the organiser of a season, or return them as a file."""
    season = get_object_or_404(Season.objects.select_related("owner"), slug=slug)
    owner = season.owner
    shown = cached(("honours", owner.pk), honours_version(owner), partial(honours, owner))
    if ending:
        rows = list(_honour_rows(shown))
        return table_file(rows, f"ehrentafel-{slug}.{ending}", _("Ehrentafel"))
    context = {
        **public_frame(request),
        "season": season,
        "honours": shown,
        "files": FILES,
        "crumbs": [(season.name, reverse("seasons:season", args=[slug])), (_("Ehrentafel"), "")],
    }
    return render(request, "tournaments/seasons/honours.html", context)


def _honour_rows(shown: Honours) -> Iterator[list[object]]:
    yield [_("Saison"), _("Name"), _("Ergebnis"), _("Wanderpokal")]
    for winner in shown.winners:
        yield [winner.season.name, winner.winners, winner.value, winner.season.trophy]
    yield []
    yield [_("Regelwerk"), _("Rekord"), _("Ergebnis"), _("Name")]
    for record in shown.records:
        yield [record.rule_set, record.what, record.value, record.holders]


@account_required
@require_POST
def offer(request: StaffRequest, slug: str) -> HttpResponse:
    """Offer a tournament to the season of another organiser, or undo the offer."""
    season = get_object_or_404(Season, slug=slug)
    try:
        services.offer(
            season_id=season.pk,
            tournament_id=number_in(request.POST.get("tournament", "")) or 0,
            user=request.user,
            takes_back=bool(request.POST.get("zurueck")),
        )
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    return redirect_done(request, _("Gespeichert."), "seasons:season", slug)


@account_required
@require_POST
def invite(request: StaffRequest, slug: str) -> HttpResponse:
    """Add the best of a season to the list of a closed tournament."""
    season = get_object_or_404(Season, slug=slug)
    invite_and_report(request, partial(services.invite_best, season=season))
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
    held = rights_by_organiser(request.user)
    context = {
        "seasons": Season.objects.filter(owner__in=held).prefetch_related("tournaments"),
        "may_create": bool(organisers_for_new(request.user)),
    }
    return render(request, "tournaments/seasons/seasons.html", context)


@account_required
def new(request: StaffRequest) -> HttpResponse:
    """Create a season."""
    return _edit(request, organiser_for_new(request), None)


@account_required
def edit(request: StaffRequest, slug: str) -> HttpResponse:
    """Change a season."""
    season = get_object_or_404(Season.objects.select_related("owner"), slug=slug)
    if not services.may_edit(season, request.user):
        raise PermissionDenied(
            _("Diese Saison ändert, wer sie angelegt hat oder das Programm verwaltet.")
        )
    request.at_hand = season.owner
    return _edit(request, season.owner, season)


def _edit(request: StaffRequest, owner: Organiser, season: Season | None) -> HttpResponse:
    own = services.own_tournaments(request.user, owner, season)
    form = SeasonForm(posted(request), own=own, season=season)
    with FormStorage(form, refused=UNFIT) as storing:
        if form.is_valid():
            try:
                fields = {**form.cleaned_data, "user": request.user}
                stored = (
                    services.change_season(season_id=season.pk, **fields)
                    if season
                    else services.create_season(owner=owner, **fields)
                )
            except NotAllowed as refusal:
                raise PermissionDenied(str(refusal)) from refusal
            return redirect_done(request, _("Gespeichert."), "seasons:season", stored.slug)
    title = season.name if season else _("Neue Saison")
    crumbs = [(_("Saisons"), reverse("seasons:overview")), (title, "")]
    context = {"form": form, "season": season, "crumbs": crumbs}
    return render(request, EDIT, context, status=storing.status)
