"""The list of registrations, and ticking off in the list."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.common.roles import MAY_LEAD, MAY_SEE, MAY_TAKE_MONEY
from tournaments.desk.forms.desk import PointsForm, QualifiedForm
from tournaments.desk.queries import presence as presence_queries
from tournaments.desk.queries import registrations as queries
from tournaments.desk.queries.earlier_tournament import points_moves, qualified_persons
from tournaments.desk.queries.ranking_members import questions
from tournaments.desk.services import presence, qualification, ranking_members
from tournaments.models import Ranking, Registration, Tournament
from tournaments.web.access import StaffRequest, own, roles_required
from tournaments.web.acting import act, form_data

TEMPLATE = "tournaments/desk/list.html"
NOT_HERE, ASKING = "nicht-da", "zustimmung"  # values of the filter, besides the statuses
ROW = "person-"  # prefix of the id of a row


def _shows_ticks(request: StaffRequest, tournament: Tournament, *, is_used: bool) -> bool:
    """Whether ticks are shown: on the day, until the first draw."""
    if not request.roles & MAY_TAKE_MONEY or tournament.is_read_only:
        return False
    if request.GET.get("status") == NOT_HERE:
        return True
    now, days = timezone.now(), tournament.days
    is_day = is_used or tournament.has_come(now)
    return is_day and not queries.is_drawn(tournament, since=days.first_serie(days.at(now)))


def _list(
    request: StaffRequest, tournament: Tournament, *, status: int = 200, **more: Any
) -> HttpResponse:
    chosen, order = request.GET.get("status", ""), request.GET.get("nach", "number")
    typed = request.GET.get("q", "")
    everybody = list(queries.listing(tournament, order=order))
    counts = dict.fromkeys(Registration.Status, 0)
    asking = [registration for registration in everybody if registration.asks]
    for registration in everybody:
        counts[Registration.Status(registration.status)] += not registration.asks
    counted = presence_queries.presence_of(everybody)
    if chosen == NOT_HERE:
        shown = [
            registration
            for registration in everybody
            if registration.plays_next
            and registration.plays_today
            and registration.here_since is None
        ]
    elif chosen == ASKING:
        shown = asking
    elif chosen == Registration.Status.WAITING:
        waiting = (
            registration
            for registration in everybody
            if registration.status == chosen and not registration.asks
        )
        shown = sorted(
            waiting, key=lambda registration: (registration.waiting_since, registration.pk)
        )
    else:
        shown = [registration for registration in everybody if chosen in {"", registration.status}]
    context = {
        "registrations": queries.filter_registrations(shown, typed),
        "chosen": chosen,
        "order": order,
        "typed": typed,
        "total": len(everybody),
        "statuses": [(choice, number) for choice, number in counts.items() if number],
        "presence": counted,
        "not_here": NOT_HERE,
        "asking": len(asking),
        "may_decide": bool(request.is_leading) and chosen == ASKING,
        "shows_money": bool(request.roles & MAY_TAKE_MONEY),
        "may_import": request.roles & MAY_TAKE_MONEY and not tournament.is_read_only,
        "shows_ticks": _shows_ticks(request, tournament, is_used=counted.is_used),
        "questions": questions(tournament) if request.roles & MAY_TAKE_MONEY else [],
        **more,
    }
    if context["may_import"] and tournament.takes_people:
        context["earlier"], context["qualified"] = qualified_persons(tournament)
    if request.is_leading and not tournament.is_read_only and (moves := points_moves(tournament)):
        context = {
            "points_moves": moves,
            "points_seen": qualification.fingerprint_of(moves),
            "points_form": PointsForm(moves=moves),
            **context,
        }
    is_part = request.htmx and request.htmx.target == "people"
    template = f"{TEMPLATE}#people" if is_part else TEMPLATE
    return render(request, template, context, status=status)


@roles_required(MAY_SEE)
def listing(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show all or some registrations, by number or by name."""
    return _list(request, tournament)


@act(MAY_TAKE_MONEY, _list, to="desk:list")
def register_qualified(request: StaffRequest, tournament: Tournament) -> str:
    """Register the qualified persons of the earlier tournament."""
    data = form_data(request, QualifiedForm(request.POST), "qualified_form")
    registered = qualification.register_qualified(request.actor, tournament.pk, **data)
    return ngettext(
        "{count} Person ist gemeldet.", "{count} Personen sind gemeldet.", len(registered)
    ).format(count=len(registered))


@act(MAY_LEAD, _list, to="desk:list")
def take_points(request: StaffRequest, tournament: Tournament) -> str:
    """Carry over the points of all registrations from the earlier tournament."""
    form = PointsForm(request.POST, moves=points_moves(tournament))
    data = form_data(request, form, "points_form")
    moves = qualification.take_points(request.actor, tournament.pk, **data)
    return ngettext(
        "Die Punkte der Vorrunde sind übernommen, bei {count} Person.",
        "Die Punkte der Vorrunde sind übernommen, bei {count} Personen.",
        len(moves),
    ).format(count=len(moves))


@act(MAY_TAKE_MONEY, _list, to="desk:list", of=Ranking)
def take_in_fitting(request: StaffRequest, ranking: Ranking) -> str:
    """Take all persons who fit into a ranking without a stake."""
    joined = ranking_members.take_in_fitting(request.actor, ranking.pk)
    return ngettext(
        "{count} Person ist jetzt in „{ranking}“.",
        "{count} Personen sind jetzt in „{ranking}“.",
        len(joined),
    ).format(count=len(joined), ranking=ranking)


def _is_row(request: StaffRequest) -> bool:
    return bool(request.htmx and (request.htmx.target or "").startswith(ROW))


def _row(
    request: StaffRequest, tournament: Tournament, pk: int, *, status: int = 200, **more: Any
) -> HttpResponse:
    """Return the row of one person with the counter, or the whole list if no row is swapped."""
    if not _is_row(request):
        return _list(request, tournament, status=status, **more)
    context = {
        "registration": own(tournament, queries.listing(tournament), pk=pk),
        "presence": presence_queries.present_counter(tournament),
        "shows_money": True,
        "shows_ticks": True,
        "swaps": True,
        **more,
    }
    return render(request, f"{TEMPLATE}#row", context, status=status)


_in_list = partial(act, MAY_TAKE_MONEY, _row, to="desk:list", in_place=True)


@_in_list(of=Registration)
def tick(request: StaffRequest, registration: Registration) -> str | HttpResponse:
    """Tick a person off as present."""
    presence.tick_off(request.actor, registration.pk)
    return "" if _is_row(request) else _back(request, registration.pk)


@_in_list(of=Registration.objects.select_related("person"))
def untick(request: StaffRequest, registration: Registration) -> str | HttpResponse:
    """Take a tick back."""
    presence.untick(request.actor, registration.pk)
    if _is_row(request):
        return ""
    messages.success(
        request, _("{name} ist nicht mehr abgehakt.").format(name=registration.person.list_name)
    )
    return _back(request, registration.pk)


def _back(request: StaffRequest, pk: int) -> HttpResponse:
    """Redirect to the list with its filter, or to the desk."""
    if not request.GET:
        return redirect("desk:desk", request.tournament.slug)
    url = reverse("desk:list", args=[request.tournament.slug])
    return redirect(f"{url}?{request.GET.urlencode()}#{ROW}{pk}")
