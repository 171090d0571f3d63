"""The page of one registration: money, tariff, withdrawal, needs."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render, resolve_url
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.money import euro
from tournaments.cash.queries.cash import person_money
from tournaments.cash.queries.overpayments import credit_in_words, overpayment_question
from tournaments.cash.services.dues import by_number
from tournaments.common.digits import number_in
from tournaments.common.formats import listed
from tournaments.common.roles import MAY_LEAD, MAY_TAKE_MONEY
from tournaments.desk.forms import desk as forms_desk
from tournaments.desk.forms.days import DaysForm
from tournaments.desk.online.services import mails, offers
from tournaments.desk.queries import registrations as queries
from tournaments.desk.queries.ranking_members import questions
from tournaments.desk.services import (
    approval,
    changes,
    exclusions,
    leaving,
    needs,
    ranking_members,
    registrations,
    tariff_changes,
)
from tournaments.models import Receipt, Registration, Separation, Tournament
from tournaments.people.queries.people import persons_for, search_persons
from tournaments.web.access import StaffRequest, own, roles_required
from tournaments.web.acting import InvalidForm, act
from tournaments.web.confirmation import AGREED, ask
from tournaments.web.fields import OptionalReasonForm, ReasonForm
from tournaments.web.idempotency import StoredAnswer

_REGISTRATIONS = Registration.objects.select_related("person", "person__club", "club", "category")


def _page(
    request: StaffRequest, tournament: Tournament, pk: int, *, status: int = 200, **more: Any
) -> HttpResponse:
    registration = own(tournament, _REGISTRATIONS, pk=pk)
    facts = queries.registration_facts(
        registration, with_needs=bool(request.roles & MAY_TAKE_MONEY)
    )
    tariff_form = forms_desk.RegistrationTariffForm(
        tournament=tournament,
        initial={"category": registration.category, "rankings": facts["chosen_rankings"]},
    )
    money = person_money(registration, has_paid=bool(facts["paid_cents"]))
    context = {
        **facts,
        **money,
        "is_leading": request.is_leading,
        "tariff_form": tariff_form,
        "payment_form": forms_desk.PaymentForm(
            initial={
                "amount_cents": facts["open_cents"] or None,
                "seen_open_cents": registration.due_cents - facts["paid_cents"],
            }
        ),
        "questions": questions(tournament, registration),
        "into_form": forms_desk.TakeIntoForm(tournament=tournament, auto_id="into_%s")
        if request.is_leading
        else None,
        "days_form": DaysForm(tournament=tournament, plays_on=registration.plays_on),
        "reason_form": ReasonForm(),
        "withdraw_form": forms_desk.WithdrawForm(
            auto_id="withdraw_%s", initial={"method": money["way_back"]}
        ),
        "table_form": forms_desk.FixedTableForm(
            initial={
                "table": registration.fixed_table,
                "reason": registration.fixed_table_reason,
            }
        ),
        "separation_form": forms_desk.SeparationForm(),
        "typed": request.GET.get("q", ""),
        "found": search_persons(
            request.GET.get("q", ""),
            tournament.owner_id,
            exclude=[registration.person_id],
            lent=True,
        ),
        **more,
    }
    return render(request, "tournaments/desk/registration.html", context, status=status)


@roles_required(MAY_TAKE_MONEY)
def page(request: StaffRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Show a registration and its acts."""
    return _page(request, tournament, pk)


_at_desk = act(MAY_TAKE_MONEY, _page, to="desk:registration", keys=("pk",), of=_REGISTRATIONS)
_leading = act(MAY_LEAD, _page, to="desk:registration", keys=("pk",), of=_REGISTRATIONS)


def _valid_data(request: StaffRequest, name: str, form: forms.Form) -> dict[str, Any]:
    """Return the data of a form, or raise its errors: some forms are folded on the page."""
    if not form.is_valid():
        request.shown = {name: form}
        raise InvalidForm(
            " ".join(
                f"{form[name].label}: {' '.join(map(str, sentences))}"
                for name, sentences in form.errors.items()
            )
        )
    return form.cleaned_data


@_at_desk
def pay(request: StaffRequest, registration: Registration) -> str | HttpResponse:
    """Take any amount; ask for confirmation if nothing is open."""
    data = _valid_data(request, "payment_form", forms_desk.PaymentForm(request.POST))
    payment = registrations.Payment(
        amount_cents=data["amount_cents"],
        method=Receipt.Method(data["method"]),
        seen_open_cents=data["seen_open_cents"],
    )
    # If the page showed open dues, the act refuses with the payment made meanwhile.
    shown_open = (data["seen_open_cents"] or 0) > 0
    question = "" if shown_open else overpayment_question([registration])
    if question and AGREED not in request.POST:
        page = resolve_url("desk:registration", request.tournament.slug, registration.pk)
        return ask(request, question, back=page)
    receipt = registrations.pay(
        request.actor,
        registration.pk,
        payment=payment,
        is_here=payment.method != Receipt.Method.BANK
        and request.tournament.has_come(timezone.now()),
    )
    sentence = _("Gebucht.")
    return f"{sentence} {credit_in_words(receipt)}".strip()


@_at_desk
def tariff(request: StaffRequest, registration: Registration) -> str:
    """Change the Startgeld group and the rankings with a stake."""
    form = forms_desk.RegistrationTariffForm(request.POST, tournament=request.tournament)
    data = _valid_data(request, "tariff_form", form)
    tariff_changes.change_tariff(
        request.actor, registration.pk, category=data["category"], rankings=list(data["rankings"])
    )
    return _("Gespeichert.")


@_at_desk
def in_ranking(request: StaffRequest, registration: Registration) -> str:
    """Add a person to a ranking of women, juniors or seniors, or remove the person."""
    ranking_members.set_in_ranking(
        request.actor,
        registration.pk,
        ranking_id=number_in(request.POST.get("ranking")) or 0,
        takes_part=request.POST.get("takes_part") == "1",
    )
    return _("Gespeichert.")


@_leading
def take_into(request: StaffRequest, registration: Registration) -> str:
    """Take a person into a ranking that does not fit, with a reason."""
    form = forms_desk.TakeIntoForm(request.POST, tournament=request.tournament, auto_id="into_%s")
    data = _valid_data(request, "into_form", form)
    ranking_members.take_into_ranking(
        request.actor, registration.pk, ranking_id=data["ranking"].pk, reason=data["reason"]
    )
    return _("Gespeichert.")


@_at_desk
def days(request: StaffRequest, registration: Registration) -> str:
    """Set the days on which a person plays."""
    form = DaysForm(request.POST, tournament=request.tournament, plays_on=registration.plays_on)
    tariff_changes.set_days(
        request.actor, registration.pk, **_valid_data(request, "days_form", form)
    )
    return _("Gespeichert.")


@_at_desk
def withdraw(request: StaffRequest, registration: Registration) -> str:
    """Withdraw a registration, with the refund that the Ausschreibung allows."""
    form = forms_desk.WithdrawForm(request.POST, auto_id="withdraw_%s")
    data = _valid_data(request, "withdraw_form", form)
    changes.withdraw(
        request.actor,
        registration.pk,
        reason=data["reason"],
        refund_method=data["method"],
        refund_anyway=data["refund_anyway"],
    )
    return _("Abgemeldet.")


@_at_desk
def rejoin(request: StaffRequest, registration: Registration) -> str:
    """Let a person take part again after a withdrawal or no-show."""
    rejoined = changes.rejoin(
        request.actor,
        registration.pk,
        admission_reason=request.POST.get("admission_reason", "") if request.is_leading else "",
    )
    return _("Wartet auf die Zustimmung der Spielleitung.") if rejoined.asks else _("Wieder dabei.")


@_at_desk
def admit(request: StaffRequest, registration: Registration) -> HttpResponse:
    """Give a person from the waiting list a place, and mail the news."""
    admitted = changes.admit(request.actor, registration.pk)
    return _mail_news(request, admitted, _("Nachgerückt."))


@_at_desk
def end_offer(request: StaffRequest, registration: Registration) -> str:
    """Free the place that is held for a person on the waiting list."""
    offers.end_offer(request.actor, registration.pk)
    return _("Der Platz ist wieder frei.")


@_leading
def approve(request: StaffRequest, registration: Registration) -> HttpResponse:
    """Admit a person who is on no list of the closed tournament (§ 1.1)."""
    approved = approval.approve(request.actor, registration.pk)
    name = approved.person.list_name
    if approved.number is None:
        return _mail_news(
            request, approved, _("{name} steht auf der Warteliste.").format(name=name)
        )
    sentence = _("{name} ist zugelassen, Startnummer {number}.")
    return _mail_news(request, approved, sentence.format(name=name, number=approved.number))


@_leading
def refuse(request: StaffRequest, registration: Registration) -> HttpResponse:
    """Refuse a person; payments are refunded."""
    data = _valid_data(request, "reason_form", ReasonForm(request.POST))
    receipt = approval.refuse(request.actor, registration.pk, **data)
    sentence = _("{name} ist nicht zugelassen.").format(name=registration.person.list_name)
    back = receipt and _("{amount} gehen zurück ({receipt}, {method}).").format(
        amount=euro(-receipt.entries.get().amount_cents),
        receipt=receipt,
        method=receipt.get_method_display(),
    )
    return _mail_news(request, registration, f"{sentence} {back}" if back else sentence)


def _mail_news(request: StaffRequest, registration: Registration, sentence: str) -> HttpResponse:
    """Show a message, and mail the new state of the registration."""
    slug = request.tournament.slug
    follows = reverse("desk:registration", args=[slug, registration.pk])
    if "zustimmung" in request.GET:  # from the list of those waiting for approval
        follows = f"{reverse('desk:list', args=[slug])}?status=zustimmung"

    def tell() -> HttpResponse:
        mails.send_news(registration)
        messages.success(request, sentence)
        return redirect(follows)

    return StoredAnswer(tell, to=follows, message=sentence)


@_at_desk
def no_show(request: StaffRequest, registration: Registration) -> str:
    """Mark a registration as no-show."""
    data = _valid_data(request, "reason_form", OptionalReasonForm(request.POST))
    changes.mark_no_show(request.actor, registration.pk, **data)
    return _("Als nicht erschienen vermerkt.")


@_at_desk
def leave(request: StaffRequest, registration: Registration) -> str:
    """Note that a person left after a Serie."""
    departed = leaving.leave(request.actor, registration.pk)
    return _("{name}: {status}. Später wird ohne diese Nummer ausgelost.").format(
        name=departed.person.list_name, status=departed.get_status_display()
    )


@_at_desk
def come_back(request: StaffRequest, registration: Registration) -> str:
    """Let a person who left take part again."""
    leaving.come_back(request.actor, registration.pk)
    return _("Wieder dabei.")


@_leading
def exclude(request: StaffRequest, registration: Registration) -> str:
    """Exclude a person without refund (§ 1.4), before the first draw."""
    data = _valid_data(request, "reason_form", ReasonForm(request.POST))
    exclusions.exclude_undrawn(request.actor, registration.pk, **data)
    return _("Ausgeschlossen.")


@_leading
def include(request: StaffRequest, registration: Registration) -> str:
    """Take an exclusion back, before the first draw."""
    data = _valid_data(request, "reason_form", ReasonForm(request.POST))
    exclusions.take_back_undrawn(request.actor, registration.pk, **data)
    return _("Der Ausschluss ist zurückgenommen.")


@_at_desk
def substitute(request: StaffRequest, registration: Registration) -> str:
    """Let another person take over the start number."""
    joined = get_object_or_404(
        persons_for(request.tournament), pk=number_in(request.POST.get("person"))
    )
    data = _valid_data(request, "reason_form", ReasonForm(request.POST))
    before = set(registration.rankings.all())
    changed = changes.substitute(
        request.actor, registration.pk, person_id=joined.pk, may_except=request.is_leading, **data
    ).registration
    sentences = [_("{name} spielt weiter.").format(name=joined.list_name)]
    after = set(changed.rankings.all())
    if left_rankings := sorted(map(str, before - after)):
        sentences.append(_("Nicht mehr in: {rankings}.").format(rankings=listed(left_rankings)))
    if new_rankings := sorted(map(str, after - before)):
        sentences.append(_("Jetzt auch in: {rankings}.").format(rankings=listed(new_rankings)))
    if changed.due_cents != registration.due_cents:
        sentences.append(
            _("Zu zahlen sind jetzt {now} ({group}), bisher {then}.").format(
                now=euro(changed.due_cents),
                group=changed.category,
                then=euro(registration.due_cents),
            )
        )
    return " ".join(sentences)


@_at_desk
def fixed_table(request: StaffRequest, registration: Registration) -> str:
    """Set a fixed table for a player."""
    data = _valid_data(request, "table_form", forms_desk.FixedTableForm(request.POST))
    needs.set_fixed_table(request.actor, registration.pk, table=data["table"], why=data["reason"])
    return _("Gespeichert.")


@_at_desk
def separate(request: StaffRequest, registration: Registration) -> str:
    """Add a separation from another player."""
    data = _valid_data(request, "separation_form", forms_desk.SeparationForm(request.POST))
    needs.separate(
        request.actor,
        request.tournament.pk,
        first_id=registration.pk,
        second_id=by_number(request.tournament, data["number"]).pk,
        why=data["reason"],
    )
    return _("Gespeichert.")


def _page_of_first(
    request: StaffRequest, tournament: Tournament, separation_id: int, **shown: Any
) -> HttpResponse:
    separation = own(tournament, Separation, pk=separation_id)
    return _page(request, tournament, separation.first_id, **shown)


@act(MAY_TAKE_MONEY, _page_of_first, of=Separation)
def unseparate(request: StaffRequest, separation: Separation) -> HttpResponse:
    """Remove the separation of two players."""
    needs.unseparate(request.actor, separation.pk)
    messages.success(request, _("Gespeichert."))
    return redirect("desk:registration", request.tournament.slug, separation.first_id)
