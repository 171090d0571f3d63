"""Transfers from account statements: imported once, and booked when confirmed."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.cash.bank.queries.matching import names_person
from tournaments.cash.bank.queries.transfers import PAYING, matches
from tournaments.cash.bank.services.statements import Statement, Transfer, tidy
from tournaments.cash.queries import balances
from tournaments.cash.services import cash
from tournaments.cash.services.dues import due_lines, payers, update_paid_status
from tournaments.common.errors import Conflict, TournamentError, WrongStatus
from tournaments.common.names import fold
from tournaments.common.roles import MAY_TAKE_MONEY
from tournaments.common.states import KEEPS_BOOK, TAKES_PEOPLE
from tournaments.journal.acts import Act, Acts
from tournaments.models import BankTransaction, CashEntry, Receipt, Registration, Tournament
from tournaments.people.services.anonymise import ANONYMISED, AnonymisedPerson, when_anonymised

acts = Acts(MAY_TAKE_MONEY, KEEPS_BOOK)

MOST_PERSONS = 12
_PAYERS = TAKES_PEOPLE.with_states(*PAYING).with_refusal(
    gettext_lazy(
        "{name} ist {status}. Geld nimmt die Kasse nur von Gemeldeten an; bitte die "
        "Überweisung mit einem Grund beiseitelegen."
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportCounts:
    """The numbers of new and known transfers in a file."""

    new: int
    known: int


@acts.on(Tournament, "take_in", entry="statement_taken_in")
def take_in(act: Act[Tournament], *, statement: Statement) -> ImportCounts:
    """Store the transfers of a statement that are not known yet; nothing is booked.

    The import is idempotent: a statement read twice, or an overlap, adds nothing.
    """
    tournament = act.tournament
    counts: Counter[str] = Counter()
    by_fingerprint: dict[str, Transfer] = {}
    for transfer in statement.transfers:
        if not transfer.amount_cents:  # a line without an amount
            continue
        content = _content(transfer)
        # Two persons may send equal transfers on one day: these are numbered.
        fingerprint = hashlib.sha256(f"{content}|{counts[content]}".encode()).hexdigest()
        by_fingerprint[fingerprint] = transfer
        counts[content] += 1
    known = set(tournament.bank_transactions.values_list("fingerprint", flat=True))
    new = [
        BankTransaction(
            tournament=tournament,
            fingerprint=fingerprint,
            booked_on=transfer.booked_on,
            amount_cents=transfer.amount_cents,
            remitter=transfer.remitter,
            purpose=transfer.purpose,
        )
        for fingerprint, transfer in by_fingerprint.items()
        if fingerprint not in known
    ]
    act.add_all(new)
    act.note(new=len(new), known=len(by_fingerprint) - len(new))
    return ImportCounts(new=len(new), known=len(by_fingerprint) - len(new))


def _content(transfer: Transfer) -> str:
    text = f"{transfer.remitter} {transfer.purpose}"
    return "|".join(
        [
            transfer.booked_on.isoformat(),
            str(transfer.amount_cents),
            transfer.reference,
            # Without the spelling: a bank writes ä as ae in one format and as ä in another.
            "".join(char for char in fold(text) if char.isalnum()),
        ]
    )


@acts.on(BankTransaction, "book_transfer", when=TAKES_PEOPLE)
def book(act: Act[BankTransaction], *, registration_ids: Sequence[int]) -> Receipt:
    """Book a transfer for one or more registrations: the dues of each, in this order.

    The rest is credit of the first.

    Raises:
        Conflict: if it is booked already.
        TournamentError: if no registration is named, or one of them cannot pay.
    """
    return _book(act, act.row, _payers(act.tournament, registration_ids))


@acts.on(Tournament, "book_clear", when=TAKES_PEOPLE)
def book_clear(act: Act[Tournament], *, expected: Mapping[int, int]) -> list[Receipt]:
    """Book all clear matches that the page showed, or none.

    Args:
        expected: transfer -> registration, by their keys, as the page showed them.

    Raises:
        Conflict: if one of them has changed since.
        TournamentError: if there is none.
    """
    if not expected:
        raise TournamentError(_("Es ist keine Überweisung eindeutig zugeordnet."))
    matches_by_key = matches(act.tournament)
    for key, registration_id in expected.items():
        if key not in matches_by_key or matches_by_key[key].clear != registration_id:
            raise Conflict(
                _("Inzwischen hat sich etwas geändert. Bitte die Zuordnungen noch einmal ansehen.")
            )
    transfers = BankTransaction.objects.select_related("receipt").in_bulk(list(expected))
    return [
        _book(act, transfers[key], _payers(act.tournament, [registration_id]))
        for key, registration_id in sorted(expected.items())
    ]


@acts.on(
    BankTransaction,
    "set_aside",
    entry="transfer_set_aside",
    reason=gettext_lazy("Zum Beiseitelegen braucht es einen Grund."),
)
def set_aside(act: Act[BankTransaction]) -> BankTransaction:
    """Mark a transfer as not for the tournament, or as sent back.

    Raises:
        Conflict: if it is booked.
    """
    _check_open(act.row)
    act.row.set_aside_reason = act.reason
    return act.store(act.row)


@acts.on(BankTransaction, "bring_back", entry="transfer_brought_back")
def bring_back(act: Act[BankTransaction]) -> BankTransaction:
    """Reopen a transfer that was set aside.

    Raises:
        WrongStatus: if it is not set aside.
    """
    if not act.row.set_aside_reason:
        raise WrongStatus(_("Diese Überweisung liegt nicht beiseite."))
    act.row.set_aside_reason = ""
    return act.store(act.row)


@when_anonymised
def forget_remitters(forgotten: AnonymisedPerson) -> None:
    """Remove remitter and purpose of transfers that were booked for the persons or name them.

    Receipts keep the payer's name: cash books are kept whole.
    """
    ids = forgotten.persons
    paid_for = Registration.objects.filter(Q(person__in=ids) | Q(substitutions__left__in=ids))
    booked = set(
        Receipt.objects.filter(entries__registration__in=paid_for).values_list("pk", flat=True)
    )
    transfers = BankTransaction.objects.filter(tournament__in=forgotten.tournaments)
    keys = [
        transfer.pk
        for transfer in transfers
        if transfer.receipt_id in booked
        or any(
            names_person(f"{transfer.remitter} {transfer.purpose}", name)
            for name in forgotten.full_names
        )
    ]
    mine = BankTransaction.objects.filter(pk__in=keys)
    mine.update(remitter=ANONYMISED, purpose="")
    mine.exclude(set_aside_reason="").update(set_aside_reason=ANONYMISED)


def _check_open(transfer: BankTransaction) -> None:
    if (
        transfer.receipt is not None
        and not Receipt.objects.filter(reverses=transfer.receipt).exists()
    ):
        raise Conflict(
            _("Diese Überweisung ist schon gebucht, mit Beleg {number}.").format(
                number=transfer.receipt.number
            )
        )


def _payers(tournament: Tournament, registration_ids: Sequence[int]) -> list[Registration]:
    if not registration_ids:
        raise TournamentError(_("Bitte angeben, für wen die Überweisung ist."))
    if len(set(registration_ids)) > MOST_PERSONS:
        raise TournamentError(
            _("Eine Überweisung lässt sich auf höchstens {n} Personen verteilen.").format(
                n=MOST_PERSONS
            )
        )
    return payers(tournament, registration_ids, _PAYERS)


def _book(act: Act[Any], transfer: BankTransaction, paid_for: Sequence[Registration]) -> Receipt:
    _check_open(transfer)
    receipt = cash.book(
        act,
        Receipt.Method.BANK,
        _lines(transfer.amount_cents, paid_for),
        payer=transfer.remitter or paid_for[0].person.full_name,
        text=tidy(
            _("Überweisung vom {day}:").format(
                day=formats.date_format(transfer.booked_on, "SHORT_DATE_FORMAT")
            ),
            transfer.purpose,
            length=cash.TEXT_LENGTH,
        ),
    )
    earlier = transfer.receipt
    with act.entry("transfer_booked", transfer):
        transfer.receipt, transfer.set_aside_reason = receipt, ""
        act.store(transfer)
        act.note(before={"receipt": earlier.number} if earlier else {}, receipt=receipt.number)
    for registration in paid_for:
        update_paid_status(act, registration)
    return receipt


def _lines(amount_cents: int, paid_for: Sequence[Registration]) -> list[cash.ReceiptLine]:
    lines: list[cash.ReceiptLine] = []
    for registration in paid_for:
        paid = balances.paid_cents(registration)
        part = min(amount_cents, max(0, registration.due_cents - paid))
        lines += due_lines(registration, paid, part)
        amount_cents -= part
    return [*lines, cash.ReceiptLine(CashEntry.Kind.CREDIT, amount_cents, paid_for[0])]
