"""Changing the status of a registration: withdrawal, place, no-show, substitution."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.cash.queries import balances
from tournaments.cash.queries.balances import refund_allowed
from tournaments.cash.queries.payment_ways import way_back
from tournaments.cash.queries.tariff import cheapest_suiting
from tournaments.cash.services import cash, reversals
from tournaments.cash.services.dues import set_due, update_paid_status
from tournaments.common.errors import NotAllowed, TournamentError, WrongStatus
from tournaments.common.roles import MAY_LEAD, MAY_TAKE_MONEY, ONLINE
from tournaments.common.states import EXPECTED, TAKES_PART, TAKES_PEOPLE
from tournaments.desk.queries.missed_serien import late_share, late_startgeld_cents
from tournaments.desk.services import ranking_members
from tournaments.desk.services.presence import set_present
from tournaments.desk.services.registrations import (
    NotInCircle,
    admission_of,
    check_not_banned,
    check_not_registered,
    is_full,
    next_number,
)
from tournaments.desk.services.tariff_changes import TARIFF, set_category
from tournaments.journal.acts import Act, Acts
from tournaments.models import CashEntry, Person, Receipt, Registration, Substitution
from tournaments.people.services.people import check_living

acts = Acts(MAY_TAKE_MONEY, TAKES_PEOPLE)

Status = Registration.Status
STATUS = "registration_status"  # the kind of the journal entry


def change_status(
    act: Act[Any], registration: Registration, status: Registration.Status, reason: str = ""
) -> Registration:
    """Set the status of a registration."""
    registration.status = status
    registration.status_reason = reason.strip()
    if status not in Registration.MAY_BE_PRESENT:
        registration.present_at, registration.pays_later = None, False
        registration.unticked_at = registration.gone_after = None
    if status != Status.WAITING:
        registration.offered_until, registration.ask_by_phone = None, False
        registration.approval = "" if registration.asks else registration.approval
    return act.store(registration)


@acts.on(
    Registration,
    "withdraw",
    by=MAY_TAKE_MONEY | ONLINE,
    when=EXPECTED.with_refusal(
        gettext_lazy("{name} ist {status} und kann nicht abgemeldet werden.")
    ),
    entry=STATUS,
)
def withdraw(
    act: Act[Registration],
    *,
    refund_method: Receipt.Method | None = None,
    refund_anyway: bool = False,
    now: datetime | None = None,
) -> Receipt | None:
    """Withdraw a registration; payments are refunded if the Ausschreibung allows it.

    Returns the receipt of the refund, or None without refund. A free place is shown at the
    desk; `online.services.offers` offers it if the Ausschreibung says so.

    Args:
        refund_method: by default the method of the payment.
        refund_anyway: also refund what the Ausschreibung does not allow any more.

    Raises:
        NotAllowed: if *refund_anyway* comes from the internet.
        TournamentError: if *refund_anyway* has no reason.
    """
    is_due_back = refund_allowed(act.row, now or timezone.now())
    if refund_anyway and not is_due_back:
        if act.actor.kind in ONLINE:
            raise NotAllowed(_("Das Startgeld zahlt nur der Tisch der Anmeldung zurück."))
        if not act.reason.strip():
            raise TournamentError(
                _(
                    "Das Startgeld geht nicht mehr von selbst zurück. Soll es trotzdem zurück, "
                    "bitte einen Grund angeben."
                )
            )
    change_status(act, act.row, Status.WITHDRAWN, act.reason)
    paid = balances.paid_cents(act.row)
    if paid <= 0 or not (is_due_back or refund_anyway):
        return None
    line = cash.ReceiptLine(CashEntry.Kind.REFUND, -paid, act.row)
    return cash.book(act, refund_method or way_back(act.row), [line], text=_("Abmeldung"))


@acts.on(
    Registration,
    "take_back",
    when=EXPECTED.with_refusal(gettext_lazy("{name} ist {status}; da ist nichts zurückzunehmen.")),
    entry=STATUS,
)
def take_back(act: Act[Registration]) -> Registration:
    """Undo a registration made by mistake: its receipts are cancelled, its number stays unused.

    Raises:
        TournamentError: if the person has a seat, or a receipt is shared with others.
    """
    _check_not_seated(act.row)
    act.reason = _("Meldung zurückgenommen")
    receipts = act.tournament.receipts.filter(
        entries__registration=act.row, reverses__isnull=True, reversed_by__isnull=True
    )
    # The newest first, because a later receipt may have moved the money.
    for receipt in receipts.distinct().order_by("-number"):
        _check_not_shared(receipt, act.row)
        reversals.reverse(act, receipt, act.reason)
    act.row.refresh_from_db(fields=["status"])
    act.row.remember(["status"])
    return change_status(act, act.row, Status.WITHDRAWN, act.reason)


def _check_not_seated(registration: Registration) -> None:
    seat = registration.seats.select_related("serie", "table").order_by("serie__number").first()
    if seat is not None:
        raise TournamentError(
            _(
                "{name} hat in {serie} einen Platz an {table}; da ist die Meldung nicht mehr "
                "zurückzunehmen. Wer geht, wird auf der Seite der Meldung als gegangen vermerkt "
                "oder abgemeldet; was mit dem Platz geschieht, steht bei der Auslosung."
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


@acts.on(
    Registration,
    "rejoin",
    by=MAY_TAKE_MONEY | ONLINE,
    when=TAKES_PEOPLE.with_states(Status.WITHDRAWN, Status.NO_SHOW),
    entry=STATUS,
)
def rejoin(
    act: Act[Registration],
    *,
    admission_reason: str = "",
    now: datetime | None = None,
) -> Registration:
    """Let a person take part again after a withdrawal or no-show.

    If all places are taken the registration waits, and in a closed tournament it waits for
    the approval of the Spielleitung, as at ``register``. A start number is kept. After a no-show
    the person is ticked off.

    Raises:
        NotInCircle: as ``register`` does.
    """
    now = now or timezone.now()
    tournament, registration = act.tournament, act.row
    check_living(registration.person)
    check_not_banned(registration.person, tournament, now)
    ranking_members.follow(act, [registration])
    registration.approval = ""
    if not registration.admission:
        registration.admission = admission_of(tournament, registration.person, admission_reason)
    if tournament.admission and not registration.admission:
        registration.approval = Registration.Approval.ASKED
    if registration.asks or is_full(tournament):
        registration.waiting_since = now
        return change_status(act, registration, Status.WAITING)
    had_not_come = registration.status == Status.NO_SHOW
    give_place(act, registration)
    if had_not_come:
        set_present(act, [registration], now=now)
    return registration


def give_place(act: Act[Any], registration: Registration, reason: str = "") -> None:
    """Give a registration a place and a start number; paid if nothing is open."""
    registration.number = registration.number or next_number(act.tournament)
    registration.waiting_since = None
    share = (
        late_share(act.tournament, registration.plays_on)
        if registration.status == Status.WAITING
        else None
    )
    change_status(act, registration, Status.REGISTERED, reason)
    # A person with a payment, as after a withdrawal without a refund, was in time.
    if share is not None and balances.paid_cents(registration) <= 0:
        registration.late_startgeld_cents = late_startgeld_cents(registration.category, share)
        set_due(act, registration)
    update_paid_status(act, registration)


@acts.on(Registration, "admit", entry=STATUS)
def admit(act: Act[Registration]) -> Registration:
    """Give a person from the waiting list a place and a start number.

    Raises:
        WrongStatus: if the person is not on the waiting list, or waits for approval.
        TournamentError: if no place is free.
    """
    if act.row.status != Status.WAITING or act.row.asks:
        raise WrongStatus(_("{name} steht nicht auf der Warteliste.").format(name=act.row.person))
    if is_full(act.tournament, act.row):
        raise TournamentError(
            _(
                "Alle {places} Plätze sind vergeben oder angeboten. Erst muss jemand abgemeldet "
                "werden."
            ).format(places=act.tournament.places)
        )
    give_place(act, act.row)
    return act.row


@acts.on(Registration, "mark_no_show", when=TAKES_PART, entry=STATUS)
def mark_no_show(act: Act[Registration]) -> Registration:
    """Mark a registration as no-show; its start number stays unused.

    Raises:
        WrongStatus: if the person has played.
    """
    seat = act.row.seats.played().select_related("serie", "table").order_by("serie__number").first()
    if seat is not None:
        raise WrongStatus(
            _(
                "{name} hat in {serie} an {table} gespielt und ist also erschienen. Wer geht, wird "
                "auf der Seite der Meldung als „gegangen“ vermerkt."
            ).format(name=act.row.person, serie=seat.serie, table=seat.table)
        )
    return change_status(act, act.row, Status.NO_SHOW, act.reason)


@acts.on(
    Registration,
    "let_pay_later",
    by=MAY_LEAD,
    when=TAKES_PEOPLE.with_states(Status.REGISTERED),
    entry=STATUS,
)
def let_pay_later(act: Act[Registration]) -> Registration:
    """Give a seat to a person whose Startgeld is open; it stays due."""
    act.row.pays_later = True
    act.note(pays_later=True)
    return change_status(act, act.row, Status.PAID)


@acts.on(
    Registration,
    "substitute",
    when=TAKES_PART.with_refusal(
        gettext_lazy("{name} ist {status}; ein Platz ist nicht zu übernehmen.")
    ),
    entry="substituted",
    reason=gettext_lazy("Eine Einwechslung braucht einen Grund."),
)
def substitute(
    act: Act[Registration], *, person_id: int, may_except: bool = False, now: datetime | None = None
) -> Substitution:
    """Let another person take over a start number with all its results and payments.

    A substitute who does not fit leaves the rankings and the Startgeldgruppe; the dues follow.

    With *may_except* the reason admits a person who is on no list of a closed tournament.

    Raises:
        NotInCircle: if the new person is on no list of a closed tournament (§ 1.1).
        TournamentError: if the new person is banned (§ 1.4).
        Conflict: if the new person is registered already.
    """
    tournament, registration = act.tournament, act.row
    joined = Person.objects.select_for_update(of=("self",)).get(pk=person_id)
    check_living(joined)
    check_not_registered(tournament, joined)
    check_not_banned(joined, tournament, now or timezone.now())
    registration.admission = admission_of(tournament, joined, act.reason if may_except else "")
    if tournament.admission and not registration.admission:
        raise NotInCircle(
            _(
                "{name} gehört nicht zum Teilnehmerkreis (§ 1.1). Einwechseln kann hier nur die "
                "Spielleitung."
            ).format(name=joined)
        )
    left, registration.person = registration.person, joined
    left_hides_name, registration.hides_name = registration.hides_name, False
    registration.club = joined.club
    # The own page belongs to the person who left; the new Startkarte opens another.
    registration.token_hash, registration.shows_history = None, False
    registration.gone_after = None  # the substitute plays on
    act.store(registration)
    substitution = act.add(
        Substitution(
            registration=registration,
            left=left,
            joined=joined,
            left_hides_name=left_hides_name,
            reason=act.reason,
            created_by=act.actor.user,
        )
    )
    with act.entry(TARIFF, registration):
        changed = ranking_members.follow_substitute(act, registration)
        if registration.category.suits(joined.birth_year) is False:
            suiting = cheapest_suiting(tournament.categories.all(), joined.birth_year)
            set_category(registration, suiting or registration.category)
            changed = True
        if changed:
            set_due(act, registration)
    if changed:
        update_paid_status(act, registration)
    return substitution
