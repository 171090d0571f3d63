"""What happens to a registration after it was made: leaving, staying away, taking over."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.cash.queries import balances
from tournaments.cash.queries.balances import refund_allowed
from tournaments.cash.services import cash, reversals
from tournaments.cash.services.dues import set_due, update_paid_status
from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.common.locks import demand_status, lock_registration
from tournaments.desk.services.presence import set_present
from tournaments.desk.services.registrations import (
    NotInCircle,
    admission_of,
    check_not_banned,
    check_not_registered,
    is_full,
    next_number,
)
from tournaments.journal import services as journal
from tournaments.models import (
    CashEntry,
    Category,
    Person,
    Ranking,
    Receipt,
    Registration,
    Substitution,
)
from tournaments.people.services.people import check_living

Status = Registration.Status


def change_status(
    registration: Registration, status: Registration.Status, actor: Actor, reason: str = ""
) -> None:
    """Let a registration have another status. Part of a service that has locked."""
    before = registration.status
    registration.status = status
    registration.status_reason = reason.strip()
    if status not in Registration.MAY_BE_PRESENT:
        registration.present_at = None
    if status != Status.WAITING and registration.asks:
        registration.approval = ""
    registration.full_clean()
    registration.save(
        update_fields=[
            *("status", "status_reason", "number", "waiting_since", "present_at"),
            *("admission", "approval"),
        ]
    )
    journal.record(
        registration.tournament,
        actor,
        "registration_status",
        registration,
        before={"status": before},
        after={"status": status, "number": registration.number},
        reason=reason,
    )


@transaction.atomic
def withdraw(
    *,
    registration_id: int,
    actor: Actor,
    reason: str = "",
    refund_method: Receipt.Method = Receipt.Method.CASH,
    now: datetime | None = None,
) -> Receipt | None:
    """Take a registration back; what was paid is refunded where the Ausschreibung allows.

    Returns the receipt of the refund, or None if nothing is paid back. A place that becomes
    free is offered at the desk, not filled by itself.

    Raises:
        WrongStatus: if the person does not take part.
    """
    now = now or timezone.now()
    tournament, registration = lock_registration(registration_id)
    demand_status(
        registration,
        Registration.COMING,
        _("{name} ist {status} und kann nicht abgemeldet werden."),
    )
    change_status(registration, Status.WITHDRAWN, actor, reason)
    paid = balances.paid_cents(registration)
    if paid <= 0 or not refund_allowed(tournament, now):
        return None
    line = cash.ReceiptLine(CashEntry.Kind.REFUND, -paid, registration)
    return cash.book(tournament, actor, refund_method, [line], text=_("Abmeldung"))


@transaction.atomic
def take_back(*, registration_id: int, actor: Actor) -> Registration:
    """Undo a registration made by mistake: its receipts are cancelled, its number stays unused.

    Raises:
        WrongStatus: if the person no longer takes part.
        TournamentError: if the person has a seat, or a receipt is for others too.
    """
    tournament, registration = lock_registration(registration_id)
    demand_status(
        registration, Registration.COMING, _("{name} ist {status}; da ist nichts zurückzunehmen.")
    )
    _check_not_seated(registration)
    reason = _("Meldung zurückgenommen")
    receipts = tournament.receipts.filter(
        entries__registration=registration, reverses__isnull=True, reversed_by__isnull=True
    )
    # The newest first: what a later receipt passed on has to come back before.
    for receipt in receipts.distinct().order_by("-number"):
        _check_not_shared(receipt, registration)
        reversals.reverse(tournament=tournament, receipt=receipt, reason=reason, actor=actor)
    registration.refresh_from_db(fields=["status"])
    change_status(registration, Status.WITHDRAWN, actor, reason)
    return registration


def _check_not_seated(registration: Registration) -> None:
    seat = registration.seats.select_related("serie", "table").order_by("serie__number").first()
    if seat is not None:
        raise TournamentError(
            _(
                "{name} hat in {serie} einen Platz an {table}; da ist die Meldung nicht mehr "
                "zurückzunehmen. Wer geht, wird auf der Seite der Meldung abgemeldet; was mit "
                "dem Platz geschieht, steht bei der Auslosung."
            ).format(name=registration.person, serie=seat.serie, table=seat.table)
        )


def _check_not_shared(receipt: Receipt, registration: Registration) -> None:
    if receipt.entries.exclude(registration=registration).exists():
        raise TournamentError(
            _(
                "{receipt} gilt nicht nur für {name} und wird deshalb nicht mit zurückgenommen. "
                "Bitte ihn zuerst im Kassenbuch stornieren, oder {name} auf der Seite der Meldung "
                "abmelden."
            ).format(receipt=receipt, name=registration.person)
        )


@transaction.atomic
def rejoin(
    *,
    registration_id: int,
    actor: Actor,
    admission_reason: str = "",
    asks_approval: bool = False,
    now: datetime | None = None,
) -> Registration:
    """Let somebody take part after all who withdrew or had not come.

    Where the places are taken the registration waits, and in a closed tournament until the
    Spielleitung says yes, as at ``register``. A start number once given is kept. Who had not come
    is there now.

    Raises:
        NotInCircle: as ``register`` does.
        WrongStatus: if the registration is neither withdrawn nor marked as not come.
    """
    now = now or timezone.now()
    tournament, registration = lock_registration(registration_id)
    demand_status(registration, {Status.WITHDRAWN, Status.NO_SHOW}, _("{name} ist {status}."))
    check_living(registration.person)
    check_not_banned(registration.person, now)
    registration.approval = ""
    if not registration.admission:
        registration.admission = admission_of(
            tournament, registration.person, admission_reason, asks=asks_approval
        )
    if tournament.admission and not registration.admission:
        registration.approval = Registration.Approval.ASKED
    if registration.asks or is_full(tournament):
        registration.waiting_since = now
        change_status(registration, Status.WAITING, actor)
        return registration
    had_not_come = registration.status == Status.NO_SHOW
    registration.number = registration.number or next_number(tournament)
    change_status(registration, Status.REGISTERED, actor)
    update_paid_status(registration, actor)
    if had_not_come:
        set_present([registration], actor, now=now)
    return registration


@transaction.atomic
def admit(*, registration_id: int, actor: Actor) -> Registration:
    """Give somebody from the waiting list a place and a start number.

    Raises:
        WrongStatus: if the registration does not wait, or for the Spielleitung.
        TournamentError: if no place is free.
    """
    tournament, registration = lock_registration(registration_id)
    if registration.status != Status.WAITING or registration.asks:
        raise WrongStatus(
            _("{name} steht nicht auf der Warteliste.").format(name=registration.person)
        )
    if is_full(tournament):
        raise TournamentError(
            _("Alle {places} Plätze sind vergeben. Erst muss jemand abgemeldet werden.").format(
                places=tournament.places
            )
        )
    registration.number = registration.number or next_number(tournament)
    registration.waiting_since = None
    change_status(registration, Status.REGISTERED, actor)
    update_paid_status(registration, actor)
    return registration


@transaction.atomic
def mark_no_show(*, registration_id: int, actor: Actor, reason: str = "") -> Registration:
    """Note that somebody registered did not come; the start number stays unused.

    Raises:
        WrongStatus: if the person does not take part.
    """
    _tournament, registration = lock_registration(registration_id)
    demand_status(registration, Registration.TAKING_PART, _("{name} ist {status}."))
    change_status(registration, Status.NO_SHOW, actor, reason)
    return registration


@transaction.atomic
def substitute(
    *,
    registration_id: int,
    person_id: int,
    reason: str,
    actor: Actor,
    may_except: bool = False,
    now: datetime | None = None,
) -> Substitution:
    """Let another person take over a start number with all its results and payments.

    With *may_except* the reason admits to a closed tournament too who is on none of its lists.

    Raises:
        NotInCircle: if the tournament is closed to the new person (§ 1.1).
        TournamentError: if no reason is given, or the new person is banned (§ 1.4).
        Conflict: if the new person is registered already.
        WrongStatus: if there is nothing to take over.
    """
    now = now or timezone.now()
    tournament, registration = lock_registration(registration_id)
    if not reason.strip():
        raise TournamentError(_("Eine Einwechslung braucht einen Grund."))
    demand_status(
        registration,
        Registration.TAKING_PART,
        _("{name} ist {status}; ein Platz ist nicht zu übernehmen."),
    )
    joined = Person.objects.select_for_update(of=("self",)).get(pk=person_id)
    check_living(joined)
    check_not_registered(tournament, joined)
    check_not_banned(joined, now)
    registration.admission = admission_of(tournament, joined, reason if may_except else "")
    if tournament.admission and not registration.admission:
        raise NotInCircle(
            _(
                "{name} gehört nicht zum Teilnehmerkreis (§ 1.1). Einwechseln kann hier nur die "
                "Spielleitung."
            ).format(name=joined)
        )
    left, registration.person = registration.person, joined
    registration.club = joined.club
    # The own page belongs to the person who left; the new card opens a new one.
    registration.token_hash = None
    registration.save(update_fields=["person", "club", "token_hash", "admission"])
    substitution = Substitution.objects.create(
        registration=registration,
        left=left,
        joined=joined,
        reason=reason.strip(),
        created_by=actor.user,
    )
    journal.record(
        tournament,
        actor,
        "substituted",
        registration,
        before={"person": left.pk},
        after={"person": joined.pk},
        reason=reason,
    )
    return substitution


@transaction.atomic
def change_tariff(
    *,
    registration_id: int,
    category: Category,
    rankings: Sequence[Ranking],
    actor: Actor,
) -> Registration:
    """Move a registration to another Startgeld or into other rankings; the dues follow."""
    tournament, registration = lock_registration(registration_id)
    chosen = {ranking.pk for ranking in rankings}
    if category.tournament_id != tournament.pk or chosen - set(
        tournament.rankings.values_list("pk", flat=True)
    ):
        raise TournamentError(_("Diese Auswahl gehört zu einem anderen Turnier."))
    before = {
        "category": registration.category_id,
        "rankings": sorted(registration.rankings.values_list("pk", flat=True)),
        "due_cents": registration.due_cents,
    }
    registration.category = category
    registration.save(update_fields=["category"])
    registration.rankings.set(rankings)
    set_due(registration)
    journal.record(
        tournament,
        actor,
        "tariff_changed",
        registration,
        before=before,
        after={
            "category": category.pk,
            "rankings": sorted(chosen),
            "due_cents": registration.due_cents,
        },
    )
    update_paid_status(registration, actor)
    return registration
