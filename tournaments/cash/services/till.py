"""Acts of the till besides the Startgeld: free bookings, Kaution, credit."""

from __future__ import annotations

from django.utils.translation import gettext as _

from scoring.money import euro
from tournaments.cash.queries import balances
from tournaments.cash.queries.balances import spare_cents
from tournaments.cash.queries.payment_ways import way_back
from tournaments.cash.queries.refunds import refunds
from tournaments.cash.services import cash
from tournaments.cash.services.dues import due_lines, update_paid_status
from tournaments.common.errors import TournamentError
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.common.states import CALLED_OFF, KEEPS_BOOK, TAKES_PART, TAKES_PEOPLE
from tournaments.journal.acts import Act, Acts
from tournaments.models import CashEntry, Receipt, Registration, Tournament

acts = Acts(MAY_TAKE_MONEY, KEEPS_BOOK)

Kind = CashEntry.Kind
# Kinds that can be booked freely, with a text; all others have an act of their own.
FREE_KINDS = (Kind.OPENING, Kind.WITHDRAWAL, Kind.BUSSGELD, Kind.PRIZE, Kind.OTHER)
# Kinds that are always expenses.
OUTGOING = frozenset({Kind.WITHDRAWAL, Kind.PRIZE, Kind.REFUND})
LARGEST_CENTS = 100_000_000


@acts.on(Tournament, "book_free")
def book_free(
    act: Act[Tournament],
    *,
    kind: CashEntry.Kind,
    amount_cents: int,
    text: str,
    is_expense: bool = False,
    method: Receipt.Method = Receipt.Method.CASH,
    payer: str = "",
    registration_id: int | None = None,
) -> Receipt:
    """Make a booking that no other act makes; *amount_cents* is positive.

    Withdrawals and prizes are expenses, and entries of the kind ``OTHER`` if *is_expense*;
    all others are income.

    Raises:
        TournamentError: if the kind has an act of its own, the amount is not positive, the
            text is missing, or more cash would leave the till than is in it.
    """
    if kind not in FREE_KINDS:
        raise TournamentError(
            _("{kind} wird bei der Meldung gebucht, nicht frei.").format(kind=kind.label)
        )
    check_amount(amount_cents)
    if not text.strip():
        raise TournamentError(_("Bitte dazuschreiben, wofür der Betrag ist."))
    goes_out = kind in OUTGOING or (kind == Kind.OTHER and is_expense)
    registration = _registration(act.tournament, registration_id)
    line = cash.ReceiptLine(kind, -amount_cents if goes_out else amount_cents, registration)
    return cash.book(act, method, [line], payer=payer.strip(), text=text.strip(), reason=text)


@acts.on(Registration, "take_kaution", when=TAKES_PEOPLE)
def take_kaution(act: Act[Registration]) -> Receipt:
    """Take the Kaution that the Ausschreibung asks for, as for a borrowed tablet.

    Raises:
        TournamentError: if there is none to take, or it was taken already.
    """
    if not act.tournament.kaution_cents:
        raise TournamentError(_("Die Ausschreibung sieht keine Kaution vor."))
    if balances.kaution_cents(act.row) > 0:
        raise TournamentError(
            _("{name} hat die Kaution schon bezahlt.").format(name=act.row.person)
        )
    line = cash.ReceiptLine(Kind.KAUTION, act.tournament.kaution_cents, act.row)
    return cash.book(act, Receipt.Method.CASH, [line])


@acts.on(Registration, "return_kaution")
def return_kaution(
    act: Act[Registration], *, method: Receipt.Method = Receipt.Method.CASH
) -> Receipt:
    """Give the Kaution back.

    Raises:
        TournamentError: if none is held, or more than is in the till.
    """
    held = balances.kaution_cents(act.row)
    if held <= 0:
        raise TournamentError(_("Von {name} liegt keine Kaution vor.").format(name=act.row.person))
    return cash.book(act, method, [cash.ReceiptLine(Kind.KAUTION, -held, act.row)])


@acts.on(Tournament, "return_all_kautionen")
def return_all_kautionen(
    act: Act[Tournament], *, expected_cents: int, method: Receipt.Method = Receipt.Method.CASH
) -> list[Receipt]:
    """Give back every Kaution that is held: all of them, or none.

    Raises:
        Conflict: if they come to another sum than the page showed.
        TournamentError: if none is held, or more than is in the till.
    """
    held = balances.kautionen(act.tournament)
    if not held:
        raise TournamentError(_("Es liegt keine Kaution mehr vor."))
    cash.check_expected_sum(sum(cents for _pk, _number, cents in held), expected_cents)
    return [return_kaution(act, pk, method=method) for pk, _number, _cents in held]


@acts.on(Registration, "move_credit", when=TAKES_PEOPLE)
def move_credit(
    act: Act[Registration], *, to_id: int, amount_cents: int, text: str = ""
) -> Receipt:
    """Move credit from one registration to another; no money changes hands.

    Raises:
        TournamentError: if both are the same, are in different tournaments, the second does
            not take part, or the first has less credit.
    """
    giver, receiver = act.row, _registration(act.tournament, to_id)
    check_amount(amount_cents)
    if receiver is None or receiver.pk == giver.pk:
        raise TournamentError(
            _("Umbuchen lässt sich nur auf eine andere Person in diesem Turnier.")
        )
    TAKES_PART.with_refusal(
        _("{name} ist {status}. Umbuchen lässt sich nur auf Gemeldete.")
    ).check_registration(receiver)
    spare = spare_cents(giver)
    if amount_cents > spare:
        raise TournamentError(
            _("{name} hat nur {spare} zu viel bezahlt.").format(
                name=giver.person, spare=euro(spare)
            )
        )
    debit = cash.ReceiptLine(Kind.CREDIT, -amount_cents, giver)
    credit_lines = due_lines(receiver, balances.paid_cents(receiver), amount_cents)
    receipt = cash.book(
        act,
        Receipt.Method.INTERNAL,
        [debit, *credit_lines],
        text=text.strip() or _("Umbuchung auf {name}").format(name=receiver.person.full_name),
    )
    update_paid_status(act, receiver)
    return receipt


@acts.on(Registration, "refund_credit")
def refund_credit(act: Act[Registration], *, method: Receipt.Method | None = None) -> Receipt:
    """Refund the credit of a registration, without a *method* the way the money came.

    Raises:
        TournamentError: if there is none, or more than is in the till.
    """
    spare = spare_cents(act.row)
    if not spare:
        raise TournamentError(_("{name} hat nichts zu viel bezahlt.").format(name=act.row.person))
    line = cash.ReceiptLine(Kind.REFUND, -spare, act.row)
    return cash.book(act, method or way_back(act.row), [line], text=_("Rückzahlung"))


@acts.on(Registration, "refund", when=CALLED_OFF)
def refund(act: Act[Registration], *, method: Receipt.Method) -> Receipt:
    """Refund everything that a person has paid for a tournament called off, with the Kaution.

    Raises:
        TournamentError: if there is nothing to refund, or more than is in the till.
    """
    paid, kaution = balances.paid_cents(act.row), balances.kaution_cents(act.row)
    if paid + kaution <= 0:
        raise TournamentError(_("{name} bekommt nichts zurück.").format(name=act.row.person))
    lines = [
        cash.ReceiptLine(Kind.REFUND, -paid, act.row),
        cash.ReceiptLine(Kind.KAUTION, -kaution, act.row),
    ]
    receipt = cash.book(act, method, lines, text=_("Turnier abgesagt"))
    update_paid_status(act, act.row)
    return receipt


@acts.on(Tournament, "refund_all", when=CALLED_OFF)
def refund_all(
    act: Act[Tournament], *, method: Receipt.Method, expected_cents: int
) -> list[Receipt]:
    """Refund all persons to be repaid by this *method*, or none if one refund fails.

    Raises:
        Conflict: if it comes to another sum than the page showed.
        TournamentError: if there is no refund, or more than is in the till.
    """
    due = [due_refund for due_refund in refunds(act.tournament) if due_refund.method == method]
    if not due:
        raise TournamentError(_("Hier ist nichts mehr zurückzuzahlen."))
    cash.check_expected_sum(sum(due_refund.cents for due_refund in due), expected_cents)
    return [refund(act, due_refund.registration.pk, method=method) for due_refund in due]


def check_amount(amount_cents: int) -> None:
    """Refuse an amount that cannot be booked."""
    if amount_cents <= 0:
        raise TournamentError(_("Der Betrag muss größer als null sein."))
    if amount_cents > LARGEST_CENTS:
        raise TournamentError(
            _("Der Betrag kann höchstens {most} sein.").format(most=euro(LARGEST_CENTS))
        )


def _registration(tournament: Tournament, pk: int | None) -> Registration | None:
    registration = (
        tournament.registrations.select_related("person", "category").filter(pk=pk or 0).first()
    )
    if registration is not None:
        registration.tournament = tournament
    return registration
