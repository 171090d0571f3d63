"""Registering a person and taking the Startgeld."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.money import euro
from tournaments.cash.queries import balances
from tournaments.cash.queries.tariff import suiting_category
from tournaments.cash.services import cash
from tournaments.cash.services.dues import due_cents, due_lines, payers, update_paid_status
from tournaments.common.errors import Conflict, NotAllowed, TournamentError
from tournaments.common.formats import clock
from tournaments.common.organisers import lending_to
from tournaments.common.roles import MAY_TAKE_MONEY, ONLINE
from tournaments.common.states import TAKES_PART, TAKES_PEOPLE
from tournaments.desk.queries import admission
from tournaments.desk.queries.admission import Applicant
from tournaments.desk.queries.earlier_tournament import carried_points
from tournaments.desk.queries.free_places import free_places
from tournaments.desk.queries.missed_serien import late_share, late_startgeld_cents
from tournaments.desk.services import ranking_members
from tournaments.desk.services.presence import set_present
from tournaments.journal.acts import Act, Acts
from tournaments.models import (
    Ban,
    CashEntry,
    Category,
    Person,
    Ranking,
    Receipt,
    Registration,
    Tournament,
)
from tournaments.people.queries import bans
from tournaments.people.services.people import check_living

acts = Acts(MAY_TAKE_MONEY, TAKES_PEOPLE)


class NotInCircle(TournamentError):
    """The tournament is closed, and the person is on none of its lists (§ 1.1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Payment:
    """A payment in cents; None takes all dues and the Kaution."""

    method: Receipt.Method = Receipt.Method.CASH
    amount_cents: int | None = None
    seen_open_cents: int | None = None  # the due amount that the page showed
    together: Sequence[int] = ()  # other registrations, with all dues, on the same receipt


@acts.on(Tournament, "register", by=MAY_TAKE_MONEY | ONLINE, entry="registered")
def register(
    act: Act[Tournament],
    *,
    person_id: int,
    category: Category | None = None,
    rankings: Sequence[Ranking] = (),
    declined: Sequence[Ranking] = (),
    payment: Payment | None = None,
    late_reason: str = "",
    admission_reason: str = "",
    asks_approval: bool = False,
    plays_on: str = "",
    source: Registration.Source = Registration.Source.DESK,
    is_here: bool = False,
    now: datetime | None = None,
) -> Registration:
    """Register a person, give the next start number and take the money, all or nothing.

    *is_here* ticks the person off: registered at the desk on the day. Without *category* the
    tariff line that suits the birth year is taken. Rankings without a stake include persons who
    fit, unless *declined*. *plays_on* has some of the days, "" is all of them. If all places are
    taken the registration waits, without a number and without payment; in a closed tournament
    it also waits until the Spielleitung admits a person who is on no list or has no valid pass
    (§ 1.1), or if *asks_approval* requires it. An *admission_reason* replaces the list.

    Raises:
        Conflict: if the person is registered already, perhaps by another desk.
        NotInCircle: if the tournament admits only persons on its lists (§ 1.1).
        TournamentError: if the person is banned (§ 1.4), or the deadline is past and no
            reason is given (§ 1.3).
    """
    now = now or timezone.now()
    tournament, act.reason = act.tournament, late_reason.strip()
    persons = Person.objects.select_related("club").select_for_update(of=("self",))
    person = persons.get(pk=person_id)
    act.held += [person, person.club]
    check_living(person)
    check_not_registered(tournament, person)
    check_not_banned(person, tournament, now)
    _check_deadline(tournament, now, late_reason)
    admission = admission_of(tournament, person, admission_reason, asks=asks_approval)
    asks = bool(tournament.admission and not admission)
    waits = asks or is_full(tournament)
    if category is None:
        category = suiting_category(tournament, person)
        act.held.append(category)
    all_rankings = ranking_members.rankings_of_new(tournament, person, rankings, declined)
    registration = Registration(
        tournament=tournament,
        person=person,
        category=category,
        plays_on=normalise_days(tournament, plays_on),
        late_startgeld_cents=late_startgeld_cents(category, late_share(tournament, plays_on)),
        club=person.club,
        source=source,
        late_reason=act.reason,
        admission=admission,
        approval=Registration.Approval.ASKED if asks else "",
        status=Registration.Status.WAITING if waits else Registration.Status.REGISTERED,
        waiting_since=now if waits else None,
        present_at=now if is_here and not waits else None,
        number=None if waits else next_number(tournament),
        carried_points=carried_points(tournament).get(person.pk),
        created_by=act.actor.user,
    )
    registration.due_cents = due_cents(registration, all_rankings)
    act.add(registration)
    ranking_members.choose(act, registration, all_rankings, declined, is_new=True)
    if registration.present_at:
        act.note(present=True)
    if admission_reason and admission:
        act.note(admission=admission)
    if waits:
        return registration
    owed_cents = registration.due_cents + tournament.kaution_cents
    is_free = owed_cents == 0 and (payment is None or payment.amount_cents is None)
    paying = [] if payment is None else _paying_together(act, registration, payment)
    if payment is None or is_free:
        update_paid_status(act, registration, Counter())
    else:
        paying.append(registration)
    if payment is not None and paying:
        _take_dues(act, paying, payment, is_here=is_here)
    return registration


@acts.on(
    Registration,
    "pay",
    when=TAKES_PART.with_refusal(
        gettext_lazy("{name} ist {status}. Geld nimmt die Kasse nur von Gemeldeten an.")
    ),
)
def pay(act: Act[Registration], *, payment: Payment, is_here: bool = False) -> Receipt:
    """Take money for a registration; if all dues are paid, the status becomes paid.

    *is_here* ticks off the paying registrations, as at the desk on the day.

    Raises:
        Conflict: if the dues differ from those that the page showed.
        TournamentError: if the registration does not take part or the amount is not positive.
    """
    paying = [*_paying_together(act, act.row, payment), act.row]
    return _take_dues(act, paying, payment, is_here=is_here)


def _paying_together(
    act: Act[Any], registration: Registration, payment: Payment
) -> list[Registration]:
    keys = [key for key in payment.together if key != registration.pk]
    return payers(act.tournament, keys, pay.rule.when)


def _take_dues(
    act: Act[Any], paying: Sequence[Registration], payment: Payment, *, is_here: bool
) -> Receipt:
    """Book a payment by one receipt, line by line, and update the status of each."""
    if is_here:
        set_present(act, paying)
    booked = balances.booked_by_kind(paying)
    payer = ", ".join(registration.person.full_name for registration in paying)
    lines = []
    for registration in paying:
        own_lines = _lines(act, registration, payment, booked[registration.pk].total())
        booked[registration.pk].update(
            {line.kind: line.amount_cents for line in own_lines if line.kind in balances.DUES}
        )
        lines += own_lines
    receipt = cash.book(act, payment.method, lines, payer=payer)
    for registration in paying:
        update_paid_status(act, registration, booked[registration.pk])
    return receipt


def _lines(
    act: Act[Any], registration: Registration, payment: Payment, paid_cents: int
) -> list[cash.ReceiptLine]:
    open_cents = registration.due_cents - paid_cents
    is_all = payment.amount_cents is None
    amount = open_cents if payment.amount_cents is None else payment.amount_cents
    kaution = balances.kaution_due_cents(act.tournament, registration) if is_all else 0
    if payment.seen_open_cents not in {None, open_cents}:
        raise Conflict(
            _("Für {name} sind inzwischen {open} offen. {last} Bitte noch einmal prüfen.").format(
                name=registration.person,
                open=euro(max(0, open_cents)),
                last=_last_booking(registration),
            )
        )
    if max(0, amount) + kaution <= 0:
        raise TournamentError(
            _("Für {name} ist nichts mehr offen. {last}")
            .format(name=registration.person, last=_last_booking(registration))
            .strip()
            if is_all
            else _("Der Betrag muss größer als null sein.")
        )
    lines = due_lines(registration, paid_cents, amount) if amount > 0 else []
    return [*lines, cash.ReceiptLine(CashEntry.Kind.KAUTION, kaution, registration)]


def _last_booking(registration: Registration) -> str:
    """Return the last booking of a registration, with account and time; "" without one."""
    booked = Receipt.objects.filter(entries__registration=registration).select_related("created_by")
    latest = booked.order_by("-number").first()
    if latest is None:
        return ""
    by = str(latest.created_by) if latest.created_by else _("dem Programm")
    return _("{receipt}, {time}, ist von {name}.").format(
        receipt=latest, time=clock(latest.created_at), name=by
    )


def normalise_days(tournament: Tournament, plays_on: str) -> str:
    """Return the days in order; "" if they are all days.

    Raises:
        TournamentError: if one of them is not a day of the tournament.
    """
    days = "".join(map(str, tournament.days.numbers))
    if not set(plays_on) <= set(days):
        raise TournamentError(
            _("An Tag {days} wird in diesem Turnier nicht gespielt.").format(
                days=", ".join(sorted(set(plays_on) - set(days)))
            )
        )
    return "" if set(plays_on) == set(days) else "".join(sorted(set(plays_on)))


def next_number(tournament: Tournament) -> int:
    """Return the start number after the highest one ever given; gaps stay."""
    highest: int | None = tournament.registrations.aggregate(last=Max("number"))["last"]
    return (highest or 0) + 1


def is_full(tournament: Tournament, to: Registration | None = None) -> bool:
    """Whether all places of the Ausschreibung are taken or offered; see ``free_places``."""
    return free_places(tournament, timezone.now(), to=to) == 0


def admission_of(
    tournament: Tournament, person: Person, reason: str = "", *, asks: bool = False
) -> str:
    """Return why *person* may play in a closed tournament, "" if approval is needed.

    It is also "" for open tournaments, and for closed ones without lists. A *reason* makes an
    exception; with *asks* approval is needed if no reason is given.

    Raises:
        NotInCircle: if the person is on no list and approval is not possible.
    """
    if not tournament.admission:
        return ""
    applicant = Applicant.stored(person, tournament)
    ground = reason.strip() or ("" if asks else admission.admission_ground(tournament, applicant))
    if ground or asks or tournament.admission != Tournament.Admission.LISTED:
        return ground
    raise NotInCircle(
        _(
            "{name} gehört nicht zum Teilnehmerkreis (§ 1.1): {circle}. Eine Ausnahme macht die "
            "Spielleitung mit einem Grund."
        ).format(name=person, circle=tournament.closed_circle.rstrip("."))
    )


def check_not_registered(tournament: Tournament, person: Person) -> None:
    """Refuse a person who is registered already, or belongs to an organiser that does not lend it.

    Raises:
        Conflict: if *person* has a registration in *tournament*.
        NotAllowed: if another organiser owns the person and does not share its members.
    """
    owner = tournament.owner_id
    if person.owner_id != owner and not lending_to(owner).filter(pk=person.owner_id).exists():
        raise NotAllowed(_("Diese Person gehört zu einem anderen Veranstalter."))
    registration = tournament.registrations.filter(person=person).first()
    if registration is not None:
        raise Conflict(registered_refusal(registration, person))


def registered_refusal(registration: Registration, person: Person) -> str:
    """Return the refusal of a person with a registration."""
    number = (
        ""
        if registration.number is None
        else _(" mit Nr. {number}").format(number=registration.number)
    )
    return _("{name} ist schon{number} {status}.").format(
        name=person, number=number, status=registration.get_status_display()
    )


def check_not_banned(person: Person, tournament: Tournament, now: datetime) -> None:
    """Refuse a person with a ban in force (§ 1.4)."""
    ban = bans.current(timezone.localdate(now)).filter(person=person).first()
    if ban is not None:
        raise TournamentError(ban_refusal(person, ban, tournament))


def ban_refusal(person: Person, ban: Ban, tournament: Tournament) -> str:
    """Return the refusal of a banned person; only its own organiser reads the reason."""
    if person.owner_id != tournament.owner_id:
        return _("{name} ist gesperrt (§ 1.4), bitte {organiser} fragen.").format(
            name=person, organiser=person.owner
        )
    return _(
        "{name} ist gesperrt (§ 1.4): {reason} Aufheben kann die Sperre, wer das "
        "Programm verwaltet."
    ).format(name=person, reason=ban.reason.rstrip(".") + ".")


def _check_deadline(tournament: Tournament, now: datetime, late_reason: str) -> None:
    if tournament.is_past_deadline(now) and not late_reason.strip():
        raise TournamentError(
            _(
                "Der Meldeschluss ist vorbei (§ 1.3). Nachmelden kann die Spielleitung mit "
                "einem Grund."
            )
        )
