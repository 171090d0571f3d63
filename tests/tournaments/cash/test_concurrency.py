"""Several people at one till: no receipt number twice or left out, no cash twice."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.concurrency import at_once
from tests.factories import COMMAND, make_registration, make_tournament
from tournaments.cash.bank.services import bank
from tournaments.cash.queries import balances
from tournaments.cash.services import till
from tournaments.cash.services.reversals import reverse_receipt
from tournaments.journal import services as journal
from tournaments.models import BankTransaction, CashEntry, Receipt, Registration, Tournament

pytestmark = pytest.mark.django_db(transaction=True)
Kind = CashEntry.Kind


def booking(
    tournament: Tournament, kind: CashEntry.Kind, amount_cents: int
) -> Callable[[], Receipt]:
    return lambda: till.book_free(
        COMMAND, tournament.pk, kind=kind, amount_cents=amount_cents, text="gleichzeitig"
    )


def refusals(answers: list[object]) -> list[str]:
    return [answer for answer in answers if isinstance(answer, str)]


def test_refused_receipts_leave_no_gaps_in_numbers():
    tournament = make_tournament()
    booking(tournament, Kind.OPENING, 1_000)()

    # Whatever the order: ten times one euro comes in, and 100 € cannot go out.
    answers = at_once(
        *[booking(tournament, Kind.OTHER, 100)] * 10,
        *[booking(tournament, Kind.WITHDRAWAL, 10_000)] * 4,
    )

    assert len(refusals(answers)) == 4
    numbers = Receipt.objects.order_by("number").values_list("number", flat=True)
    assert list(numbers) == list(range(1, 12))
    assert balances.till_cents(tournament) == 2_000
    assert list(journal.first_breaks()) == []


def test_the_last_note_leaves_the_till_once():
    tournament = make_tournament()
    booking(tournament, Kind.OPENING, 5_000)()

    answers = at_once(*[booking(tournament, Kind.WITHDRAWAL, 5_000)] * 3)

    assert len(refusals(answers)) == 2
    assert balances.till_cents(tournament) == 0


def test_two_helpers_cancel_a_receipt_once():
    tournament = make_tournament()
    receipt = booking(tournament, Kind.OPENING, 5_000)()

    answers = at_once(*[lambda: reverse_receipt(COMMAND, receipt.pk, reason="vertippt")] * 2)

    assert refusals(answers) == ["Beleg 1 ist schon storniert."]
    assert Receipt.objects.count() == 2


def test_two_helpers_return_a_kaution_once():
    tournament = make_tournament(kaution_cents=2_000)
    registration = make_registration(tournament)
    till.take_kaution(COMMAND, registration.pk)

    at_once(*[lambda: till.return_kaution(COMMAND, registration.pk)] * 2)

    assert balances.kaution_cents(registration) == balances.till_cents(tournament) == 0


def test_two_helpers_book_a_transfer_once():
    tournament = make_tournament()
    registration = make_registration(tournament, status=Registration.Status.REGISTERED)
    transfer = BankTransaction.objects.create(
        tournament=tournament, fingerprint="1", booked_on="2026-09-28", amount_cents=1_500
    )

    answers = at_once(
        *[lambda: bank.book(COMMAND, transfer.pk, registration_ids=[registration.pk])] * 2
    )

    assert refusals(answers) == ["Diese Überweisung ist schon gebucht, mit Beleg 1."]
    assert balances.paid_cents(registration) == 1_500
