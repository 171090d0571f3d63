"""The desk: a field that finds persons; Enter registers them and takes the money."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.common.digits import number_in
from tournaments.common.errors import NotAllowed
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.desk.forms.desk import NewPersonForm, split_name
from tournaments.desk.online.queries.entries import count_unclear_lines
from tournaments.desk.queries import desk as queries
from tournaments.desk.queries.counters import counters
from tournaments.desk.queries.missed_serien import missed_serien
from tournaments.desk.queries.presence import present_counter
from tournaments.desk.services import changes, presence, registrations
from tournaments.desk.services.desk import Namesake, register_new_person
from tournaments.desk.services.registrations import NotInCircle, Payment
from tournaments.models import Club, Ranking, Receipt, Registration, Tournament
from tournaments.people.queries.people import persons_for
from tournaments.web.access import StaffRequest, roles_required
from tournaments.web.acting import InvalidForm, act, form_data, refused_on
from tournaments.web.cached_answers import cached
from tournaments.web.polling import is_staff_page_current, polled

TEMPLATE = "tournaments/desk/desk.html"


def _state(tournament: Tournament) -> dict[str, Any]:
    """Return counters and latest registrations, for the context of the page."""
    return {
        "counters": counters(tournament),
        "recent": queries.recent_registrations(tournament),
        "revision": tournament.revision,
        "unclear": count_unclear_lines(tournament) if tournament.online_registration else 0,
        "has_teams": tournament.rankings.filter(kind__in=Ranking.OF_TEAMS).exists(),
    }


def _joint_keys(request: StaffRequest) -> list[int]:
    """Return the keys of the registrations that pay together with the next one."""
    typed = request.POST.get("mit") or request.GET.get("mit", "")
    keys = [number_in(part) for part in typed.split(",")]
    return list(dict.fromkeys(key for key in keys if key is not None))


def _context(request: StaffRequest, tournament: Tournament, **more: Any) -> dict[str, Any]:
    now = timezone.now()
    typed = request.GET.get("q", "")
    payment = queries.joint_payment(tournament, _joint_keys(request))
    return {
        **_state(tournament),
        "together": payment,
        "mit": ",".join(map(str, payment["keys"])) if payment else "",
        "typed": typed,
        "found": queries.search(tournament, typed),
        "now": now,
        "is_late": tournament.is_past_deadline(now),
        "is_leading": bool(request.is_leading),
        "is_full": registrations.is_full(tournament),
        "blank_form": NewPersonForm(tournament=tournament),  # shown on load
        "is_new_open": "new_form" in more,
        "clubs": Club.objects.filter(owner=tournament.owner_id) if "new_form" in more else [],
        **more,
    }


def _page(
    request: StaffRequest, tournament: Tournament, *, status: int = 200, **more: Any
) -> HttpResponse:
    template = f"{TEMPLATE}#work" if request.htmx else TEMPLATE
    if "running" not in more:
        more["running"] = missed_serien(tournament)
    return render(request, template, _context(request, tournament, **more), status=status)


@roles_required(MAY_TAKE_MONEY)
def desk(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the desk; for a request of htmx only the search results."""
    if request.htmx and request.htmx.target == "found":
        typed = request.GET.get("q", "")
        results = queries.search(tournament, typed)
        mit = ",".join(map(str, _joint_keys(request)))
        context = {
            "typed": typed,
            "found": results,
            "tournament": tournament,
            "mit": mit,
            "is_full": bool(results) and registrations.is_full(tournament),
        }
        return render(request, "tournaments/desk/_results.html", context)
    key = request.GET.get("da") or request.GET.get("fertig")
    done = tournament.registrations.filter(pk=number_in(key) or 0).first() if key else None
    if done is None:
        return _page(request, tournament)
    if "da" in request.GET:
        ticked = {"registration": done, "presence": present_counter(tournament)}
        return _page(request, tournament, done=ticked)
    missed = missed_serien(tournament)
    result = queries.latest_result(done, missed.drawn)
    return _page(request, tournament, done=result, running=missed)


@polled(is_staff_page_current)
@roles_required(MAY_TAKE_MONEY)
def since(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Return the counters and latest registrations if they changed."""
    state = cached(("desk", tournament.pk), tournament.revision, lambda: _state(tournament))
    is_late = tournament.is_past_deadline(timezone.now())
    return render(request, f"{TEMPLATE}#state", {**state, "is_late": is_late})


@act(MAY_TAKE_MONEY, _page)
def register(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Register a known person and take the Startgeld by the tariff."""
    person = get_object_or_404(persons_for(tournament), pk=number_in(request.POST.get("person")))
    request.shown = {"ask_late": person}
    try:
        registration = registrations.register(
            request.actor,
            tournament.pk,
            person_id=person.pk,
            payment=_payment(request),
            late_reason=late_reason(request, tournament),
            admission_reason=_admission_reason(request),
            plays_on=request.POST.get("plays_on", ""),
            is_here=tournament.has_come(timezone.now()),
        )
    except NotInCircle:
        request.shown["asks_admission"] = True
        raise
    return _back(request, tournament, registration)


def _payment(request: StaffRequest) -> Payment | None:
    if request.POST.get("unpaid") or request.POST.get("together"):
        return None
    is_by_card = request.POST.get("method_") == Receipt.Method.CARD
    return Payment(
        method=Receipt.Method.CARD if is_by_card else Receipt.Method.CASH,
        together=_joint_keys(request),
    )


def late_reason(request: StaffRequest, tournament: Tournament) -> str:
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


def _admission_reason(request: StaffRequest) -> str:
    """Return the reason for admitting a person who is on no list (§ 1.1)."""
    return request.POST.get("admission_reason", "") if request.is_leading else ""


def _back(
    request: StaffRequest, tournament: Tournament, registration: Registration
) -> HttpResponse:
    """Redirect to the result of an act, or to the joint payment."""
    together = _joint_keys(request)
    if request.POST.get("together") and registration.takes_part:
        return _redirect_to_desk(tournament, [*together, registration.pk])
    has_paid = registration.takes_part and _payment(request) is not None
    return _redirect_to_desk(tournament, [] if has_paid else together, fertig=registration.pk)


def _redirect_to_desk(
    tournament: Tournament, together: Sequence[int], **shown: int
) -> HttpResponse:
    query = {**shown, **({"mit": ",".join(map(str, together))} if together else {})}
    return redirect(f"{reverse('desk:desk', args=[tournament.slug])}?{urlencode(query)}")


@act(MAY_TAKE_MONEY, _page, of=Registration)
def pay(request: StaffRequest, registration: Registration) -> HttpResponse:
    """Take all open dues of a registration, and of those who pay together with it."""
    if payment := _payment(request):
        registrations.pay(
            request.actor,
            registration.pk,
            payment=payment,
            is_here=request.tournament.has_come(timezone.now()),
        )
    return _back(request, request.tournament, registration)


@act(MAY_TAKE_MONEY, _page, of=Registration)
def arrive(request: StaffRequest, registration: Registration) -> HttpResponse:
    """Tick off a person at the desk who paid before."""
    presence.tick_off(request.actor, registration.pk)
    return _redirect_to_desk(request.tournament, _joint_keys(request), da=registration.pk)


@roles_required(MAY_TAKE_MONEY)
@refused_on(_page)
def new_person(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Register a new person from one line; the list of clubs loads when the form opens."""
    if request.htmx and request.htmx.target == "clubs":
        return render(
            request,
            "tournaments/desk/_new_person.html#clubs",
            {"clubs": Club.objects.filter(owner=tournament.owner_id)},
        )
    if request.method != "POST":
        form = NewPersonForm(initial=split_name(request.GET.get("q", "")), tournament=tournament)
        return _page(request, tournament, new_form=form)
    form = NewPersonForm(request.POST, tournament=tournament)
    form_data(request, form, "new_form")
    try:
        registration = register_new_person(
            request.actor,
            tournament.pk,
            payment=_payment(request),
            late_reason=late_reason(request, tournament),
            admission_reason=_admission_reason(request),
            is_here=tournament.has_come(timezone.now()),
            **form.cleaned_data,
        )
    except ValidationError as refusal:
        form.add_error(None, refusal)
        raise InvalidForm from refusal
    except Namesake:
        request.shown["asks_namesake"] = True
        raise
    except NotInCircle:
        request.shown["asks_admission"] = True
        raise
    return _back(request, tournament, registration)


@act(MAY_TAKE_MONEY, _page, to="desk:desk", of=Registration)
def take_back(request: StaffRequest, registration: Registration) -> str:
    """Undo a registration made by mistake, with its receipts."""
    changes.take_back(request.actor, registration.pk)
    return _("Zurückgenommen: {name}.").format(name=registration.person.list_name)
