"""The till beyond the Startgeld: opening, deposits, credit, withdrawals, and counting it."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.utils.translation import gettext as _

from scoring.money import euro
from tournaments.actors import Actor
from tournaments.errors import TournamentError
from tournaments.models import CashCount, CashEntry, Receipt, Registration, Tournament
from tournaments.services import cash, journal
from tournaments.services.locks import lock_tournament
from tournaments.services.registrations import update_paid_status

Kind = CashEntry.Kind
# What may be booked freely, with a text; all else follows from an act of its own.
FREE_KINDS = (Kind.OPENING, Kind.WITHDRAWAL, Kind.BUSSGELD, Kind.PRIZE, Kind.OTHER)
# Money of these kinds always leaves the till.
OUTGOING = frozenset({Kind.WITHDRAWAL, Kind.PRIZE, Kind.REFUND})
LARGEST_CENTS = 100_000_000


@transaction.atomic
def book_free(
    *,
    tournament_id: int,
    kind: CashEntry.Kind,
    amount_cents: int,
    text: str,
    actor: Actor,
    method: Receipt.Method = Receipt.Method.CASH,
    payer: str = "",
    registration_id: int | None = None,
) -> Receipt:
    """Book money for which there is no other act; *amount_cents* is positive.

    Withdrawals and prizes leave the till, everything else comes in.

    Raises:
        TournamentError: if the kind has an act of its own, the amount is not positive, the
            text is missing, or more cash would leave the till than is in it.
    """
    tournament = lock_tournament(tournament_id, allow_closed=False)
    if kind not in FREE_KINDS:
        raise TournamentError(
            _("{kind} wird bei der Meldung gebucht, nicht frei.").format(kind=kind.label)
        )
    _check_amount(amount_cents)
    if not text.strip():
        raise TournamentError(_("Bitte dazuschreiben, wofür der Betrag ist."))
    signed = -amount_cents if kind in OUTGOING else amount_cents
    _check_till(tournament, method, signed)
    registration = _registration(tournament, registration_id)
    return cash.book(
        tournament=tournament,
        method=method,
        lines=[cash.Line(kind=kind, amount_cents=signed, registration=registration)],
        actor=actor,
        payer=payer or (registration.person.full_name if registration else ""),
        text=text.strip(),
    )


@transaction.atomic
def reverse_receipt(*, receipt_id: int, reason: str, actor: Actor) -> Receipt:
    """Cancel a receipt by its opposite; whoever it paid for is paid no longer.

    Raises:
        TournamentError: as ``cash.reverse`` does, or if more cash would leave the till than
            is in it.
    """
    found = Receipt.objects.only("tournament_id").get(pk=receipt_id)
    tournament = lock_tournament(found.tournament_id)
    receipt = Receipt.objects.get(pk=receipt_id)
    entries = list(receipt.entries.select_related("registration"))
    method = Receipt.Method(receipt.method)
    _check_till(tournament, method, -sum(entry.amount_cents for entry in entries))
    reversal = cash.reverse(tournament=tournament, receipt=receipt, reason=reason, actor=actor)
    for key in sorted({entry.registration_id for entry in entries if entry.registration_id}):
        registration = _registration(tournament, key)
        if registration is not None:
            update_paid_status(registration, actor)
    return reversal


@transaction.atomic
def take_kaution(*, registration_id: int, actor: Actor) -> Receipt:
    """Take the deposit that the Ausschreibung asks for, as for a borrowed tablet.

    Raises:
        TournamentError: if there is none to take, or it was taken already.
    """
    tournament, registration = _locked(registration_id)
    if not tournament.kaution_cents:
        raise TournamentError(_("Die Ausschreibung sieht keine Kaution vor."))
    if kaution_cents(registration) > 0:
        raise TournamentError(
            _("{name} hat die Kaution schon bezahlt.").format(name=registration.person)
        )
    return _book_kaution(tournament, registration, tournament.kaution_cents, actor)


@transaction.atomic
def return_kaution(*, registration_id: int, actor: Actor) -> Receipt:
    """Give the deposit back.

    Raises:
        TournamentError: if none is held.
    """
    tournament, registration = _locked(registration_id)
    held = kaution_cents(registration)
    if held <= 0:
        raise TournamentError(
            _("Von {name} liegt keine Kaution vor.").format(name=registration.person)
        )
    return _book_kaution(tournament, registration, -held, actor)


def kaution_cents(registration: Registration) -> int:
    """Return the deposit that is held for a registration."""
    held = registration.cash_entries.filter(kind=Kind.KAUTION)
    return sum(held.values_list("amount_cents", flat=True))


@transaction.atomic
def move_credit(
    *, from_id: int, to_id: int, amount_cents: int, actor: Actor, text: str = ""
) -> Receipt:
    """Move an overpayment from one person to another; no money changes hands.

    Raises:
        TournamentError: if both are the same, play in different tournaments, or the first
            has less to spare.
    """
    tournament, giver = _locked(from_id)
    receiver = _registration(tournament, to_id)
    _check_amount(amount_cents)
    if receiver is None or receiver.pk == giver.pk:
        raise TournamentError(_("Umbuchen lässt sich nur auf eine andere Person."))
    spare = cash.paid_cents(giver) - giver.due_cents
    if amount_cents > spare:
        raise TournamentError(
            _("{name} hat nur {spare} zu viel bezahlt.").format(
                name=giver.person, spare=euro(max(0, spare))
            )
        )
    receipt = cash.book(
        tournament=tournament,
        method=Receipt.Method.INTERNAL,
        lines=[
            cash.Line(kind=Kind.CREDIT, amount_cents=-amount_cents, registration=giver),
            cash.Line(kind=Kind.CREDIT, amount_cents=amount_cents, registration=receiver),
        ],
        actor=actor,
        payer=giver.person.full_name,
        text=text.strip() or _("Umbuchung auf {name}").format(name=receiver.person.full_name),
    )
    update_paid_status(receiver, actor)
    return receipt


@transaction.atomic
def refund_credit(
    *, registration_id: int, actor: Actor, method: Receipt.Method = Receipt.Method.CASH
) -> Receipt:
    """Pay back what somebody has paid too much.

    Raises:
        TournamentError: if it is nothing, or more than is in the till.
    """
    tournament, registration = _locked(registration_id)
    due = registration.due_cents if registration.takes_part else 0
    spare = cash.paid_cents(registration) - due
    if spare <= 0:
        raise TournamentError(
            _("{name} hat nichts zu viel bezahlt.").format(name=registration.person)
        )
    _check_till(tournament, method, -spare)
    return cash.book(
        tournament=tournament,
        method=method,
        lines=[cash.Line(kind=Kind.REFUND, amount_cents=-spare, registration=registration)],
        actor=actor,
        payer=registration.person.full_name,
        text=_("Rückzahlung"),
    )


@transaction.atomic
def count_till(
    *,
    tournament_id: int,
    pieces: Mapping[int, int],
    actor: Actor,
    loose_cents: int = 0,
    note: str = "",
) -> CashCount:
    """Record what was counted, note by note, beside what should be there.

    Args:
        tournament_id: whose till.
        pieces: value of a coin or note in cents -> how many there are.
        actor: who counted.
        loose_cents: what was counted as a sum only.
        note: what explains a difference.

    Raises:
        TournamentError: if a number is negative, or no account stands for the count.
    """
    tournament = lock_tournament(tournament_id)
    if actor.user is None:
        raise TournamentError(_("Ein Kassensturz braucht jemanden, der gezählt hat."))
    if loose_cents < 0 or any(number < 0 for number in pieces.values()):
        raise TournamentError(_("Gezähltes kann nicht unter null liegen."))
    counted = loose_cents + sum(value * number for value, number in pieces.items())
    count = CashCount(
        tournament=tournament,
        expected_cents=cash.till_cents(tournament),
        counted_cents=counted,
        pieces={str(value): number for value, number in pieces.items() if number},
        note=note.strip(),
        created_by=actor.user,
    )
    count.full_clean()
    count.save(force_insert=True)
    journal.record(
        tournament=tournament,
        actor=actor,
        action="till_counted",
        subject=count,
        after={"expected_cents": count.expected_cents, "counted_cents": counted},
        reason=note,
    )
    return count


def _locked(registration_id: int) -> tuple[Tournament, Registration]:
    found = Registration.objects.only("tournament_id").get(pk=registration_id)
    tournament = lock_tournament(found.tournament_id)
    registration = _registration(tournament, registration_id)
    assert registration is not None  # noqa: S101 - it is of this tournament
    return tournament, registration


def _registration(tournament: Tournament, pk: int | None) -> Registration | None:
    found = tournament.registrations.select_related("person", "category").filter(pk=pk or 0).first()
    if found is not None:
        found.tournament = tournament
    return found


def _book_kaution(
    tournament: Tournament, registration: Registration, amount_cents: int, actor: Actor
) -> Receipt:
    return cash.book(
        tournament=tournament,
        method=Receipt.Method.CASH,
        lines=[cash.Line(kind=Kind.KAUTION, amount_cents=amount_cents, registration=registration)],
        actor=actor,
        payer=registration.person.full_name,
    )


def _check_amount(amount_cents: int) -> None:
    if not 0 < amount_cents <= LARGEST_CENTS:
        raise TournamentError(_("Der Betrag muss größer als null sein."))


def _check_till(tournament: Tournament, method: Receipt.Method, signed_cents: int) -> None:
    if method != Receipt.Method.CASH or signed_cents >= 0:
        return
    there = cash.till_cents(tournament)
    if there + signed_cents < 0:
        raise TournamentError(
            _("In der Kasse sind nur {there}. {amount} lassen sich nicht entnehmen.").format(
                there=euro(there), amount=euro(-signed_cents)
            )
        )
