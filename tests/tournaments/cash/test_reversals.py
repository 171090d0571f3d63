"""Reversing a receipt books the opposite, and its persons are unpaid again."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.factories import COMMAND, START, make_person, make_tournament
from tests.worlds import world
from tournaments.cash.queries import balances
from tournaments.cash.services import till
from tournaments.cash.services.reversals import reverse_receipt
from tournaments.common.errors import TournamentError
from tournaments.desk.services.changes import withdraw
from tournaments.desk.services.exclusions import exclude
from tournaments.desk.services.registrations import Payment, pay, register
from tournaments.journal import services as journal
from tournaments.models import CashEntry, JournalEntry, Receipt, Registration, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Status = Registration.Status
MORNING = START - timedelta(hours=3)


def enter(tournament: Tournament, amount_cents: int) -> Registration:
    return register(
        COMMAND,
        tournament.pk,
        person_id=make_person().pk,
        payment=Payment(amount_cents=amount_cents),
        now=MORNING,
    )


def cancel(number: int, reason: str = "vertippt") -> Receipt:
    return reverse_receipt(COMMAND, Receipt.objects.get(number=number).pk, reason=reason)


def status_of(registration: Registration) -> str:
    registration.refresh_from_db()
    return registration.status


tournament = world(make_tournament)


def test_a_cancelled_payment_leaves_the_person_unpaid(tournament: Tournament):
    registration = enter(tournament, 2_000)

    reversal = cancel(1)

    assert (reversal.number, reversal.text) == (2, "vertippt")
    assert reversal.reverses == Receipt.objects.get(number=1)
    amounts = reversal.entries.order_by("pk").values_list("kind", "amount_cents", "registration")
    assert list(amounts) == [
        ("startgeld", -1_500, registration.pk),
        ("credit", -500, registration.pk),
    ]
    assert status_of(registration) == Status.REGISTERED
    assert balances.paid_cents(registration) == balances.till_cents(tournament) == 0


@pytest.mark.parametrize(
    ("first_cents", "status"),
    [
        pytest.param(1_000, Status.REGISTERED, id="a part is left"),
        pytest.param(1_500, Status.PAID, id="enough is left"),
    ],
)
def test_a_cancelled_further_payment_takes_only_itself(
    tournament: Tournament, first_cents: int, status: str
):
    registration = enter(tournament, first_cents)
    pay(COMMAND, registration.pk, payment=Payment(amount_cents=700))

    cancel(2)

    assert (status_of(registration), balances.paid_cents(registration)) == (status, first_cents)


def test_a_refund_paid_out_by_mistake_comes_back():
    tournament = make_tournament(refund_until=START)
    registration = enter(tournament, 1_500)
    withdraw(COMMAND, registration.pk, now=MORNING)

    cancel(2)

    assert balances.paid_cents(registration) == balances.till_cents(tournament) == 1_500
    assert status_of(registration) == Status.WITHDRAWN


def test_transferred_credit_is_reversed_first_and_restores_both_balances(
    tournament: Tournament,
):
    giver, receiver = enter(tournament, 3_000), enter(tournament, 100)
    till.move_credit(COMMAND, giver.pk, to_id=receiver.pk, amount_cents=1_400)
    assert status_of(receiver) == Status.PAID

    with pytest.raises(TournamentError, match="Bitte zuerst Beleg 3 stornieren"):
        cancel(1)
    assert Receipt.objects.count() == 3
    cancel(3)
    assert (balances.paid_cents(giver), balances.paid_cents(receiver)) == (3_000, 100)
    assert (status_of(giver), status_of(receiver)) == (Status.PAID, Status.REGISTERED)
    cancel(1)

    assert balances.paid_cents(giver) == 0


def test_an_earlier_refund_is_named_when_a_later_payment_covers_it():
    tournament = make_tournament(refund_until=START)
    registration = enter(tournament, 1_500)
    withdraw(COMMAND, registration.pk, now=MORNING)
    Registration.objects.update(status=Status.REGISTERED)
    pay(COMMAND, registration.pk, payment=Payment())
    cancel(1)  # 15 € came twice and went back once: one of them may go

    with pytest.raises(TournamentError, match="Bitte zuerst Beleg 2 stornieren"):
        cancel(3)


@pytest.mark.both
def test_a_returned_kaution_is_reversed_before_its_payment():
    tournament = make_tournament(kaution_cents=2_000)
    registration = enter(tournament, 2_500)
    till.take_kaution(COMMAND, registration.pk)
    till.return_kaution(COMMAND, registration.pk)

    with pytest.raises(TournamentError, match="Bitte zuerst Beleg 3 stornieren"):
        cancel(2)


def test_cancelled_receipts_do_not_undo_an_exclusion():
    registration = enter(make_tournament(), 1_500)
    exclude(COMMAND, registration.pk, reason="grober Verstoß")

    cancel(1)

    assert status_of(registration) == Status.EXCLUDED


def test_a_reversal_cannot_be_reversed():
    enter(make_tournament(), 1_500)
    cancel(1)

    with pytest.raises(TournamentError, match="selbst ein Storno"):
        cancel(2)


def test_a_receipt_without_its_cash_in_the_till_is_not_reversed(tournament: Tournament):
    enter(tournament, 1_500)
    till.book_free(
        COMMAND, tournament.pk, kind=CashEntry.Kind.WITHDRAWAL, amount_cents=1_000, text="zur Bank"
    )

    with pytest.raises(TournamentError, match=r"nur 5,00\s€"):
        cancel(1)


def test_the_journal_contains_actor_receipt_and_reason_of_a_reversal():
    enter(make_tournament(), 1_500)

    cancel(1, reason="falsche Person")

    entry = JournalEntry.objects.get(action="receipt_reversed")
    assert (entry.after["number"], entry.reason) == (2, "falsche Person")
    assert list(journal.first_breaks()) == []
