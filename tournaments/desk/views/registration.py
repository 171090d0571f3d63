"""The list of registrations and the page of one: money, tariff, leaving, needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournaments.cash.queries.cash import person_money
from tournaments.common.access import StaffRequest, roles_required
from tournaments.common.digits import number_in
from tournaments.common.errors import TournamentError
from tournaments.common.roles import MAY_LEAD, MAY_SEE, MAY_TAKE_MONEY
from tournaments.desk.forms import desk as forms_desk
from tournaments.desk.online.services import mails
from tournaments.desk.queries import registrations as queries
from tournaments.desk.services import changes, exclusions, needs, registrations
from tournaments.models import Person, Receipt, Registration, Separation, Tournament
from tournaments.people.queries.people import search_persons


@roles_required(MAY_SEE)
def listing(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show all registrations, or those of one status, by number or by name."""
    status, order = request.GET.get("status", ""), request.GET.get("nach", "number")
    counts: dict[str, int] = {}
    everybody = list(queries.listing(tournament, order=order))
    for one in everybody:
        counts[one.status] = counts.get(one.status, 0) + 1
    shown = list(queries.listing(tournament, status=status, order=order)) if status else everybody
    context = {
        "registrations": shown,
        "status": status,
        "order": order,
        "total": len(everybody),
        "statuses": [
            (choice, counts[choice.value])
            for choice in Registration.Status
            if choice.value in counts
        ],
        "shows_money": bool(request.roles & MAY_TAKE_MONEY),
    }
    return render(request, "tournaments/desk/list.html", context)


def _get(tournament: Tournament, pk: int) -> Registration:
    found = tournament.registrations.select_related("person", "person__club", "club", "category")
    registration = get_object_or_404(found, pk=pk)
    registration.tournament = tournament
    return registration


def _page(
    request: StaffRequest, registration: Registration, *, status: int = 200, **more: Any
) -> HttpResponse:
    facts = queries.page(registration, with_needs=bool(request.roles & MAY_TAKE_MONEY))
    tournament = registration.tournament
    tariff_form = forms_desk.TariffForm(
        tournament=tournament,
        initial={"category": registration.category, "rankings": facts["chosen_rankings"]},
    )
    context = {
        **facts,
        **person_money(registration),
        "is_leading": request.is_leading,
        "tariff_form": tariff_form,
        "payment_form": forms_desk.PaymentForm(
            initial={"amount_cents": facts["open_cents"] or None}
        ),
        "reason_form": forms_desk.ReasonForm(),
        "withdraw_form": forms_desk.WithdrawForm(auto_id="withdraw_%s"),
        "table_form": forms_desk.FixedTableForm(
            initial={
                "table": registration.fixed_table,
                "reason": registration.fixed_table_reason,
            }
        ),
        "separation_form": forms_desk.SeparationForm(),
        "typed": request.GET.get("q", ""),
        "found": search_persons(request.GET.get("q", ""), exclude=[registration.person_id]),
        **more,
    }
    return render(request, "tournaments/desk/registration.html", context, status=status)


@roles_required(MAY_TAKE_MONEY)
def page(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Show everything about one registration and what can be done with it."""
    return _page(request, _get(tournament, pk))


def _act(
    request: StaffRequest,
    registration: Registration,
    act: Callable[[dict[str, Any]], object],
    *,
    done: str,
    form: forms.Form | None = None,
    form_name: str = "",
) -> HttpResponse:
    """Do one thing with a registration; a refusal comes back on its page."""
    if form is not None and not form.is_valid():
        # Some of the forms lie folded up: what is wrong stands above all of them.
        wrong = " ".join(
            f"{form[name].label}: {' '.join(map(str, sentences))}"
            for name, sentences in form.errors.items()
        )
        return _page(request, registration, status=422, error=wrong, **{form_name: form})
    try:
        act(form.cleaned_data if form is not None else {})
    except TournamentError as refusal:
        return _page(
            request, _get(registration.tournament, registration.pk), status=409, error=str(refusal)
        )
    messages.success(request, done)
    return redirect("desk:registration", registration.tournament.slug, registration.pk)


@require_POST
@roles_required(MAY_TAKE_MONEY)
def pay(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Take any amount, part of what is due or more."""
    registration = _get(tournament, pk)
    return _act(
        request,
        registration,
        lambda data: registrations.pay(
            registration_id=pk,
            payment=registrations.Payment(
                amount_cents=data["amount_cents"], method=Receipt.Method(data["method"])
            ),
            actor=request.actor,
        ),
        done=_("Gebucht."),
        form=forms_desk.PaymentForm(request.POST),
        form_name="payment_form",
    )


@require_POST
@roles_required(MAY_TAKE_MONEY)
def tariff(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Change the Startgeld group and the rankings with a stake."""
    return _act(
        request,
        _get(tournament, pk),
        lambda data: changes.change_tariff(
            registration_id=pk,
            category=data["category"],
            rankings=list(data["rankings"]),
            actor=request.actor,
        ),
        done=_("Gespeichert."),
        form=forms_desk.TariffForm(request.POST, tournament=tournament),
        form_name="tariff_form",
    )


@require_POST
@roles_required(MAY_TAKE_MONEY)
def withdraw(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Take a registration back, with the refund that the Ausschreibung allows."""
    return _act(
        request,
        _get(tournament, pk),
        lambda data: changes.withdraw(
            registration_id=pk,
            reason=data["reason"],
            refund_method=data["method"],
            actor=request.actor,
        ),
        done=_("Abgemeldet."),
        form=forms_desk.WithdrawForm(request.POST, auto_id="withdraw_%s"),
        form_name="withdraw_form",
    )


@require_POST
@roles_required(MAY_TAKE_MONEY)
def rejoin(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Let somebody who withdrew or had not come take part after all."""
    return _act(
        request,
        _get(tournament, pk),
        lambda _data: changes.rejoin(registration_id=pk, actor=request.actor),
        done=_("Wieder dabei."),
    )


@require_POST
@roles_required(MAY_TAKE_MONEY)
def admit(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Give somebody from the waiting list a place, and tell who sent the registration in."""

    def act(_data: dict[str, Any]) -> object:
        admitted = changes.admit(registration_id=pk, actor=request.actor)
        return mails.send_news(admitted)

    return _act(request, _get(tournament, pk), act, done=_("Nachgerückt."))


@require_POST
@roles_required(MAY_TAKE_MONEY)
def no_show(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Note that somebody did not come."""
    return _act(
        request,
        _get(tournament, pk),
        lambda data: changes.mark_no_show(
            registration_id=pk, reason=data["reason"], actor=request.actor
        ),
        done=_("Als nicht erschienen vermerkt."),
        form=forms_desk.OptionalReasonForm(request.POST),
        form_name="reason_form",
    )


@require_POST
@roles_required(MAY_LEAD)
def exclude(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Exclude somebody without refund (§ 1.4), before the first draw."""
    return _act(
        request,
        _get(tournament, pk),
        lambda data: exclusions.exclude_undrawn(
            registration_id=pk, reason=data["reason"], actor=request.actor
        ),
        done=_("Ausgeschlossen."),
        form=forms_desk.ReasonForm(request.POST),
        form_name="reason_form",
    )


@require_POST
@roles_required(MAY_LEAD)
def include(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Take an exclusion back, before the first draw."""
    return _act(
        request,
        _get(tournament, pk),
        lambda data: exclusions.take_back_undrawn(
            registration_id=pk, reason=data["reason"], actor=request.actor
        ),
        done=_("Der Ausschluss ist zurückgenommen."),
        form=forms_desk.ReasonForm(request.POST),
        form_name="reason_form",
    )


@require_POST
@roles_required(MAY_TAKE_MONEY)
def substitute(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Let another person take over the start number."""
    joined = get_object_or_404(Person, pk=number_in(request.POST.get("person")))
    return _act(
        request,
        _get(tournament, pk),
        lambda data: changes.substitute(
            registration_id=pk, person_id=joined.pk, reason=data["reason"], actor=request.actor
        ),
        done=_("{name} spielt weiter.").format(name=joined.list_name),
        form=forms_desk.ReasonForm(request.POST),
        form_name="reason_form",
    )


@require_POST
@roles_required(MAY_TAKE_MONEY)
def fixed_table(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Note a table that somebody needs."""
    return _act(
        request,
        _get(tournament, pk),
        lambda data: needs.set_fixed_table(
            registration_id=pk, table=data["table"], reason=data["reason"], actor=request.actor
        ),
        done=_("Gespeichert."),
        form=forms_desk.FixedTableForm(request.POST),
        form_name="table_form",
    )


@require_POST
@roles_required(MAY_TAKE_MONEY)
def separate(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Note whom somebody must not sit with."""

    def act(data: dict[str, Any]) -> object:
        other = tournament.registrations.filter(number=data["number"]).first()
        if other is None:
            raise TournamentError(
                _("Die Startnummer {number} gibt es nicht.").format(number=data["number"])
            )
        return needs.separate(
            first_id=pk, second_id=other.pk, reason=data["reason"], actor=request.actor
        )

    return _act(
        request,
        _get(tournament, pk),
        act,
        done=_("Gespeichert."),
        form=forms_desk.SeparationForm(request.POST),
        form_name="separation_form",
    )


@require_POST
@roles_required(MAY_TAKE_MONEY)
def unseparate(request: StaffRequest, tournament: Tournament, separation_id: int) -> HttpResponse:
    """Let two people sit together again."""
    separation = get_object_or_404(Separation, pk=separation_id, tournament=tournament)
    return _act(
        request,
        _get(tournament, separation.first_id),
        lambda _data: needs.unseparate(separation_id=separation_id, actor=request.actor),
        done=_("Gespeichert."),
    )
