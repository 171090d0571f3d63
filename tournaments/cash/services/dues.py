"""The dues of a registration, and whether they are paid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.translation import gettext as _

from tournaments.cash.queries import balances
from tournaments.cash.services import cash
from tournaments.common.errors import TournamentError
from tournaments.common.states import States
from tournaments.journal.acts import Act
from tournaments.models import CashEntry, Ranking, Receipt, Registration, Tournament


def dues(
    registration: Registration, rankings: Iterable[Ranking] | None = None
) -> list[tuple[CashEntry.Kind, int]]:
    """Return the dues by kind, in cents and in the order of payment.

    *rankings* are those that a new registration will be in.
    """
    stakes = stake_cents(registration) if rankings is None else _stakes(rankings)
    return [
        (CashEntry.Kind.STARTGELD, registration.startgeld_cents),
        (CashEntry.Kind.KARTENGELD, registration.tournament.kartengeld_cents),
        (CashEntry.Kind.STAKE, stakes),
    ]


def stake_cents(registration: Registration) -> int:
    """Return the stakes of the rankings of a registration."""
    return _stakes(registration.rankings.all())


def _stakes(rankings: Iterable[Ranking]) -> int:
    return sum(ranking.stake_cents for ranking in rankings)


def due_cents(registration: Registration, rankings: Iterable[Ranking] | None = None) -> int:
    """Return the sum of the dues."""
    return sum(cents for _kind, cents in dues(registration, rankings))


def due_lines(
    registration: Registration, paid_cents: int, amount_cents: int
) -> list[cash.ReceiptLine]:
    """Return the lines of a payment after *paid_cents* were paid before; as ``cash.spread``."""
    return [
        cash.ReceiptLine(kind, cents, registration)
        for kind, cents in cash.spread(dues(registration), paid_cents, amount_cents)
    ]


def payers(tournament: Tournament, keys: Sequence[int], when: States) -> list[Registration]:
    """Return the registrations to pay for, each once and in the order of *keys*.

    Raises:
        TournamentError: if one is not of the tournament.
        WrongStatus: if the states of the act take no money for one.
    """
    unique_keys = list(dict.fromkeys(keys))
    registrations = tournament.registrations.select_related("person", "category").in_bulk(
        unique_keys
    )
    if len(registrations) < len(unique_keys):
        raise TournamentError(_("Diese Person ist in diesem Turnier nicht gemeldet."))
    for registration in registrations.values():
        registration.tournament = tournament
        when.check_registration(registration)
    return [registrations[key] for key in unique_keys]


def by_number(tournament: Tournament, number: int) -> Registration:
    """Return the registration with a start number.

    Raises:
        TournamentError: if there is none.
    """
    registration = tournament.registrations.filter(number=number).first()
    if registration is None:
        raise TournamentError(_("Die Startnummer {number} gibt es nicht.").format(number=number))
    return registration


def set_due(act: Act[Any], registration: Registration) -> None:
    """Store the sum of the dues."""
    registration.due_cents = due_cents(registration)
    act.store(registration)


def update_paid_status(
    act: Act[Any], registration: Registration, booked: Counter[CashEntry.Kind] | None = None
) -> None:
    """Set the status by the payments: a seat needs all dues but the stakes (§ 1.3).

    Payments are rebooked under the current dues, without moving money. *booked* is read from the
    database if it is not given.
    """
    if not registration.takes_part:
        return
    if booked is None:
        booked = balances.booked_by_kind([registration])[registration.pk]
    open_cents = registration.due_cents - booked.total()
    is_paid = open_cents <= 0 or open_cents <= stake_cents(registration)
    has_seat = is_paid or registration.pays_later
    with act.entry("registration_status", registration):
        registration.pays_later = not is_paid and registration.pays_later
        registration.status = (
            Registration.Status.PAID if has_seat else Registration.Status.REGISTERED
        )
        act.store(registration)
    moves = cash.moves(_stored_dues(registration), booked)
    if moves:
        cash.book(
            act,
            Receipt.Method.INTERNAL,
            [cash.ReceiptLine(kind, cents, registration) for kind, cents in moves],
            text=_("Umgebucht auf das, was jetzt zu zahlen ist"),
        )


def _stored_dues(registration: Registration) -> list[tuple[CashEntry.Kind, int]]:
    """Return the dues as stored, by kind: the stakes are the rest of the sum."""
    startgeld = min(registration.startgeld_cents, registration.due_cents)
    rest = registration.due_cents - startgeld
    kartengeld = min(registration.tournament.kartengeld_cents, rest)
    return [
        (CashEntry.Kind.STARTGELD, startgeld),
        (CashEntry.Kind.KARTENGELD, kartengeld),
        (CashEntry.Kind.STAKE, rest - kartengeld),
    ]
