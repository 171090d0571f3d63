"""The till beyond the Startgeld: free bookings, deposits, credit."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from scoring.money import euro
from tournaments.cash.queries import balances
from tournaments.cash.queries.balances import spare_cents
from tournaments.cash.services import cash
from tournaments.cash.services.dues import due_lines, update_paid_status
from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError
from tournaments.common.locks import demand_status, lock_registration, lock_tournament
from tournaments.models import CashEntry, Receipt, Registration, Tournament

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
    is_expense: bool = False,
    method: Receipt.Method = Receipt.Method.CASH,
    payer: str = "",
    registration_id: int | None = None,
) -> Receipt:
    """Book money for which there is no other act; *amount_cents* is positive.

    Withdrawals and prizes leave the till, and what is of no other kind does if
    *is_expense* says so; everything else comes in.

    Raises:
        TournamentError: if the kind has an act of its own, the amount is not positive, the
            text is missing, or more cash would leave the till than is in it.
    """
    tournament = lock_tournament(tournament_id)
    if kind not in FREE_KINDS:
        raise TournamentError(
            _("{kind} wird bei der Meldung gebucht, nicht frei.").format(kind=kind.label)
        )
    check_amount(amount_cents)
    if not text.strip():
        raise TournamentError(_("Bitte dazuschreiben, wofür der Betrag ist."))
    goes_out = kind in OUTGOING or (kind == Kind.OTHER and is_expense)
    registration = _registration(tournament, registration_id)
    line = cash.ReceiptLine(kind, -amount_cents if goes_out else amount_cents, registration)
    return cash.book(
        tournament, actor, method, [line], payer=payer.strip(), text=text.strip(), reason=text
    )


@transaction.atomic
def take_kaution(*, registration_id: int, actor: Actor) -> Receipt:
    """Take the deposit that the Ausschreibung asks for, as for a borrowed tablet.

    Raises:
        TournamentError: if there is none to take, or it was taken already.
    """
    tournament, registration = lock_registration(registration_id)
    if not tournament.kaution_cents:
        raise TournamentError(_("Die Ausschreibung sieht keine Kaution vor."))
    if balances.kaution_cents(registration) > 0:
        raise TournamentError(
            _("{name} hat die Kaution schon bezahlt.").format(name=registration.person)
        )
    return _book_kaution(tournament, registration, tournament.kaution_cents, actor)


@transaction.atomic
def return_kaution(*, registration_id: int, actor: Actor) -> Receipt:
    """Give the deposit back.

    Raises:
        TournamentError: if none is held, or more than is in the till.
    """
    tournament, registration = lock_registration(registration_id)
    held = balances.kaution_cents(registration)
    if held <= 0:
        raise TournamentError(
            _("Von {name} liegt keine Kaution vor.").format(name=registration.person)
        )
    return _book_kaution(tournament, registration, -held, actor)


@transaction.atomic
def move_credit(
    *, from_id: int, to_id: int, amount_cents: int, actor: Actor, text: str = ""
) -> Receipt:
    """Move an overpayment from one person to another; no money changes hands.

    Raises:
        TournamentError: if both are the same, play in different tournaments, the second does
            not take part, or the first has less to spare.
    """
    tournament, giver = lock_registration(from_id)
    receiver = _registration(tournament, to_id)
    check_amount(amount_cents)
    if receiver is None or receiver.pk == giver.pk:
        raise TournamentError(
            _("Umbuchen lässt sich nur auf eine andere Person in diesem Turnier.")
        )
    demand_status(
        receiver,
        Registration.TAKING_PART,
        _("{name} ist {status}. Umbuchen lässt sich nur auf Gemeldete."),
    )
    spare = spare_cents(giver)
    if amount_cents > spare:
        raise TournamentError(
            _("{name} hat nur {spare} zu viel bezahlt.").format(
                name=giver.person, spare=euro(spare)
            )
        )
    taken = cash.ReceiptLine(Kind.CREDIT, -amount_cents, giver)
    given = due_lines(receiver, balances.paid_cents(receiver), amount_cents)
    receipt = cash.book(
        tournament,
        actor,
        Receipt.Method.INTERNAL,
        [taken, *given],
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
    tournament, registration = lock_registration(registration_id)
    spare = spare_cents(registration)
    if not spare:
        raise TournamentError(
            _("{name} hat nichts zu viel bezahlt.").format(name=registration.person)
        )
    line = cash.ReceiptLine(Kind.REFUND, -spare, registration)
    return cash.book(tournament, actor, method, [line], text=_("Rückzahlung"))


def check_amount(amount_cents: int) -> None:
    """Refuse what cannot be the amount of a booking."""
    if amount_cents <= 0:
        raise TournamentError(_("Der Betrag muss größer als null sein."))
    if amount_cents > LARGEST_CENTS:
        raise TournamentError(
            _("Der Betrag kann höchstens {most} sein.").format(most=euro(LARGEST_CENTS))
        )


def _registration(tournament: Tournament, pk: int | None) -> Registration | None:
    found = tournament.registrations.select_related("person", "category").filter(pk=pk or 0).first()
    if found is not None:
        found.tournament = tournament
    return found


def _book_kaution(
    tournament: Tournament, registration: Registration, amount_cents: int, actor: Actor
) -> Receipt:
    line = cash.ReceiptLine(Kind.KAUTION, amount_cents, registration)
    return cash.book(tournament, actor, Receipt.Method.CASH, [line])
