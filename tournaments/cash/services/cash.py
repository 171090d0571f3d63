"""The cash book: every act at the till makes one receipt, and no receipt is ever changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Max
from django.utils.translation import gettext as _

from scoring.money import euro
from tournaments.cash.queries.balances import till_cents
from tournaments.common.errors import Conflict, TournamentError
from tournaments.journal.acts import Act
from tournaments.models import CashCount, CashEntry, Receipt, Registration, Tournament

PAYER_LENGTH, TEXT_LENGTH = 160, 300  # of the fields of Receipt; a full name may have 161


@dataclass(frozen=True, slots=True)
class ReceiptLine:
    """One line of a receipt; income is positive, in cents."""

    kind: CashEntry.Kind
    amount_cents: int
    registration: Registration | None = None


def check_expected_sum(cents: int, expected_cents: int) -> None:
    """Refuse to pay out another sum than the page showed.

    Raises:
        Conflict: with both sums.
    """
    if cents != expected_cents:
        raise Conflict(
            _("Auszuzahlen sind jetzt {now}, nicht {then}. Bitte die Liste ansehen.").format(
                now=euro(cents), then=euro(expected_cents)
            )
        )


def book(
    act: Act[Any],
    method: Receipt.Method,
    lines: Sequence[ReceiptLine],
    *,
    payer: str = "",
    text: str = "",
    reason: str = "",
    reverses: Receipt | None = None,
    difference_of: CashCount | None = None,
) -> Receipt:
    """Write one receipt with its lines, as a part of an act.

    The lock keeps receipt numbers unique and without gaps. *payer*, by default the person of
    the first line, and *text* may contain names and are on the receipt only; *reason* goes
    into the journal.

    Raises:
        TournamentError: if there is nothing to book, or more cash would leave the till than
            is in it.
    """
    lines = [line for line in lines if line.amount_cents]
    if not lines:
        raise TournamentError(_("Der Beleg hat keinen Betrag. Bitte einen Betrag eingeben."))
    if method == Receipt.Method.CASH:
        _check_till(act.tournament, sum(line.amount_cents for line in lines))
    if not payer and lines[0].registration is not None:
        payer = lines[0].registration.person.full_name
    last = act.tournament.receipts.aggregate(last=Max("number"))["last"] or 0
    with act.entry("receipt_reversed" if reverses else "receipt_booked", reason=reason):
        receipt = act.add(
            Receipt(
                tournament=act.tournament,
                number=last + 1,
                method=method,
                payer=payer[:PAYER_LENGTH],
                text=text[:TEXT_LENGTH],
                reverses=reverses,
                difference_of=difference_of,
                created_by=act.actor.user,
            )
        )
        act.add_all(
            CashEntry(
                receipt=receipt,
                kind=line.kind,
                amount_cents=line.amount_cents,
                registration=line.registration,
            )
            for line in lines
        )
        act.note(
            lines=[
                [line.kind, line.amount_cents, line.registration and line.registration.pk]
                for line in lines
            ]
        )
    return receipt


def _check_till(tournament: Tournament, change_cents: int) -> None:
    if change_cents >= 0:
        return
    available = till_cents(tournament)
    if available + change_cents < 0:
        raise TournamentError(
            _(
                "In der Kasse sind laut Kassenbuch nur {there}, {amount} lassen sich nicht "
                "auszahlen. Fehlt im Buch noch etwas, etwa das Wechselgeld? Dann bitte das zuerst "
                "buchen."
            ).format(there=euro(available), amount=euro(-change_cents))
        )


def spread(
    dues: Iterable[tuple[CashEntry.Kind, int]], paid_cents: int, amount_cents: int
) -> list[tuple[CashEntry.Kind, int]]:
    """Split a payment over the open *dues* in their order; the rest is credit.

    Earlier payments count for the first dues, of any kind: a Startgeld that was
    refunded and paid again is Startgeld again.

    >>> dues = [(CashEntry.Kind.STARTGELD, 1500), (CashEntry.Kind.STAKE, 300)]
    >>> [(kind.value, cents) for kind, cents in spread(dues, 1000, 1200)]
    [('startgeld', 500), ('stake', 300), ('credit', 400)]
    """
    parts = []
    covered = max(0, paid_cents)
    for kind, due_cents in dues:
        part = min(amount_cents, max(0, due_cents - covered))
        covered = max(0, covered - due_cents)
        amount_cents -= part
        parts.append((kind, part))
    parts.append((CashEntry.Kind.CREDIT, amount_cents))
    return [(kind, cents) for kind, cents in parts if cents]


def moves(
    dues: Iterable[tuple[CashEntry.Kind, int]], booked: Counter[CashEntry.Kind]
) -> list[tuple[CashEntry.Kind, int]]:
    """Return the amounts to move between the *dues* and the credit after the dues have changed.

    Credit pays dues that are not *booked*, in their order; booked amounts that are not due become
    credit. A refund was paid out of credit, or else out of booked amounts that are not due. If the
    payment behind a credit is cancelled, the dues that the credit has paid are open again.

    >>> stake = [(CashEntry.Kind.STARTGELD, 1500), (CashEntry.Kind.STAKE, 300)]
    >>> paid = Counter({CashEntry.Kind.STARTGELD: 1500, CashEntry.Kind.CREDIT: 500})
    >>> [(kind.value, cents) for kind, cents in moves(stake, paid)]
    [('stake', 300), ('credit', -300)]
    """
    dues, left = list(dues), Counter(booked)
    credit = booked[CashEntry.Kind.CREDIT] + booked[CashEntry.Kind.REFUND]
    moved: Counter[CashEntry.Kind] = Counter()
    for kind, due_cents in reversed(dues):
        refunded = min(max(0, -credit), max(0, left[kind] - due_cents))
        left[kind] -= refunded
        credit += refunded
    cancelled = min(max(0, -credit), max(0, -booked[CashEntry.Kind.CREDIT]))
    for kind, due_cents in reversed(dues):
        reopened = min(cancelled, max(0, left[kind]))
        cancelled -= reopened
        moved[kind] -= max(reopened, left[kind] - due_cents, 0)
    credit -= moved.total()
    for kind, due_cents in dues:
        part = min(max(0, credit), max(0, due_cents - left[kind] - moved[kind]))
        moved[kind] += part
        credit -= part
    moved[CashEntry.Kind.CREDIT] = -moved.total()
    return [(kind, cents) for kind, cents in moved.items() if cents]
