"""The desk: one field that finds people, Enter that registers them and takes the money."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournaments.common.access import StaffRequest, roles_required
from tournaments.common.digits import number_in
from tournaments.common.errors import NotAllowed, TournamentError
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.desk.forms.desk import NewPersonForm, split_name
from tournaments.desk.queries import desk as queries
from tournaments.desk.services import changes, registrations
from tournaments.desk.services.desk import register_new_person
from tournaments.desk.services.registrations import Payment
from tournaments.models import Club, Person, Ranking, Registration, Tournament

TEMPLATE = "tournaments/desk/desk.html"
NO_CONTENT = 204


def _context(request: StaffRequest, tournament: Tournament, **more: Any) -> dict[str, Any]:
    now = timezone.now()
    typed = request.GET.get("q", "")
    return {
        "typed": typed,
        "found": queries.find(tournament, typed),
        "counters": queries.counters(tournament),
        "recent": queries.recent(tournament),
        "revision": tournament.revision,
        "now": now,
        "is_late": tournament.is_past_deadline(now),
        "may_register_late": bool(request.is_leading),
        "is_full": registrations.is_full(tournament),
        "has_teams": tournament.rankings.filter(kind__in=Ranking.OF_TEAMS).exists(),
        "clubs": Club.objects.all() if "new_form" in more else [],
        **more,
    }


def _page(
    request: StaffRequest, tournament: Tournament, *, status: int = 200, **more: Any
) -> HttpResponse:
    template = f"{TEMPLATE}#work" if request.htmx else TEMPLATE
    return render(request, template, _context(request, tournament, **more), status=status)


@roles_required(MAY_TAKE_MONEY)
def desk(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the desk; for a request of htmx only what was found for the letters typed."""
    if request.htmx and request.htmx.target == "found":
        typed = request.GET.get("q", "")
        found = queries.find(tournament, typed)
        context = {"typed": typed, "found": found, "tournament": tournament}
        return render(request, f"{TEMPLATE}#found", context)
    done = tournament.registrations.filter(pk=number_in(request.GET.get("fertig")) or 0).first()
    if done is None:
        return _page(request, tournament)
    return _page(request, tournament, done=_done(done))


def _done(registration: Registration) -> dict[str, Any]:
    taken = sum(registration.cash_entries.values_list("amount_cents", flat=True))
    return {
        "registration": registration,
        "taken_cents": taken,
        "change": queries.change(taken),
        "open_cents": max(0, registration.due_cents - taken),
    }


@roles_required(MAY_TAKE_MONEY)
def since(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Answer with the counters and what happened last, or with nothing if nothing did."""
    if request.GET.get("since") == str(tournament.revision):
        return HttpResponse(status=NO_CONTENT)
    return render(request, f"{TEMPLATE}#state", _context(request, tournament))


@require_POST
@roles_required(MAY_TAKE_MONEY)
def register(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Register a known person and take the Startgeld by the tariff."""
    person = get_object_or_404(Person, pk=number_in(request.POST.get("person")))
    try:
        registration = registrations.register(
            tournament_id=tournament.pk,
            person_id=person.pk,
            actor=request.actor,
            payment=_payment(request),
            late_reason=_late_reason(request, tournament),
        )
    except TournamentError as refusal:
        return _refused(request, tournament, refusal, ask_late=person)
    return _back(tournament, registration)


def _payment(request: StaffRequest) -> Payment | None:
    return None if request.POST.get("unpaid") else Payment()


def _late_reason(request: StaffRequest, tournament: Tournament) -> str:
    """Return the reason for a registration after the deadline (§ 1.3).

    Raises:
        NotAllowed: if it is late and the account may not do that.
    """
    if not tournament.is_past_deadline(timezone.now()):
        return ""
    if not request.is_leading:
        raise NotAllowed(
            _("Der Meldeschluss ist vorbei (§ 1.3). Nachmelden kann nur die Spielleitung.")
        )
    return request.POST.get("late_reason", "")


def _refused(
    request: StaffRequest, tournament: Tournament, refusal: TournamentError, **more: Any
) -> HttpResponse:
    tournament.refresh_from_db()
    return _page(request, tournament, status=409, error=str(refusal), **more)


def _back(tournament: Tournament, registration: Registration) -> HttpResponse:
    url = reverse("desk:desk", args=[tournament.slug])
    return redirect(f"{url}?fertig={registration.pk}")


@require_POST
@roles_required(MAY_TAKE_MONEY)
def pay(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Take all that is open from somebody who is registered: the tick on the day."""
    registration = get_object_or_404(Registration, pk=pk, tournament=tournament)
    try:
        registrations.pay(registration_id=registration.pk, payment=Payment(), actor=request.actor)
    except TournamentError as refusal:
        return _refused(request, tournament, refusal)
    return _back(tournament, registration)


@roles_required(MAY_TAKE_MONEY)
def new_person(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Register somebody nobody knows yet, with one line."""
    if request.method != "POST":
        form = NewPersonForm(initial=split_name(request.GET.get("q", "")))
        return _page(request, tournament, new_form=form)
    form = NewPersonForm(request.POST)
    if not form.is_valid():
        return _page(request, tournament, status=422, new_form=form)
    try:
        registration = register_new_person(
            tournament_id=tournament.pk,
            actor=request.actor,
            payment=_payment(request),
            late_reason=_late_reason(request, tournament),
            **form.fields_of_person(),
        )
    except ValidationError as refusal:
        form.add_error(None, refusal)
        return _page(request, tournament, status=422, new_form=form)
    except TournamentError as refusal:
        return _refused(request, tournament, refusal, new_form=form)
    return _back(tournament, registration)


@require_POST
@roles_required(MAY_TAKE_MONEY)
def take_back(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Undo a registration that was a mistake, with its receipts."""
    registration = get_object_or_404(Registration, pk=pk, tournament=tournament)
    try:
        changes.take_back(registration_id=registration.pk, actor=request.actor)
    except TournamentError as refusal:
        return _refused(request, tournament, refusal)
    messages.success(
        request, _("Zurückgenommen: {name}.").format(name=registration.person.list_name)
    )
    return redirect("desk:desk", tournament.slug)
