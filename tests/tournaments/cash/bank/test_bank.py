"""Transfers become receipts once they are assigned, and only once."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from tests.factories import COMMAND, START, make_person, make_tournament
from tests.worlds import world
from tournaments.cash.bank.queries import transfers as cash_bank_transfers
from tournaments.cash.bank.services import bank
from tournaments.cash.bank.services.statements import Statement, Transfer
from tournaments.cash.queries import balances
from tournaments.cash.services.reversals import reverse_receipt
from tournaments.common.errors import Conflict, TournamentError, WrongStatus
from tournaments.desk.services.changes import withdraw
from tournaments.desk.services.registrations import Payment, pay, register
from tournaments.models import BankTransaction, JournalEntry, Receipt, Registration, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Status = Registration.Status
MORNING = START - timedelta(hours=3)
FILES = Path(__file__).parent / "files"
SENT = Transfer(
    booked_on=date(2026, 9, 28), amount_cents=1_500, remitter="Anna Kühn", purpose="Nr. 1"
)


def take_in(tournament: Tournament, *transfers: Transfer) -> bank.ImportCounts:
    return bank.take_in(COMMAND, tournament.pk, statement=Statement(transfers=[*transfers]))


def enter(tournament: Tournament, name: str, **more) -> Registration:
    first, _space, last = name.partition(" ")
    return register(
        COMMAND, tournament.pk, person_id=make_person(first, last).pk, now=MORNING, **more
    )


def the_transfer() -> BankTransaction:
    return BankTransaction.objects.get()


def book(*persons: Registration) -> Receipt:
    return bank.book(COMMAND, the_transfer().pk, registration_ids=[person.pk for person in persons])


def lines(receipt: Receipt) -> list[tuple[int | None, str, int]]:
    entries = receipt.entries.order_by("pk")
    return list(entries.values_list("registration", "kind", "amount_cents"))


tournament = world(make_tournament)


@pytest.mark.parametrize(
    ("first", "then", "new", "known"),
    [
        pytest.param([SENT], [SENT, replace(SENT, purpose="Nr. 2")], 1, 1, id="they overlap"),
        pytest.param([SENT, SENT], [SENT, SENT], 0, 2, id="two alike in one are two"),
        pytest.param([SENT], [replace(SENT, remitter="ANNA  KUEHN")], 0, 1, id="other spelling"),
        pytest.param([SENT], [replace(SENT, reference="77")], 1, 0, id="reference of the bank"),
        pytest.param([SENT], [replace(SENT, amount_cents=0)], 0, 0, id="a line without money"),
    ],
)
def test_a_further_statement_adds_what_is_new(
    tournament: Tournament, first: list[Transfer], then: list[Transfer], new: int, known: int
):
    assert take_in(tournament, *first) == bank.ImportCounts(new=len(first), known=0)

    assert take_in(tournament, *then) == bank.ImportCounts(new=new, known=known)


def test_each_tournament_imports_a_statement_separately():
    take_in(make_tournament(), SENT)

    assert take_in(make_tournament(), SENT).new == 1


def test_a_transfer_pays_for_the_person_named():
    tournament = make_tournament(kartengeld_cents=150)
    registration = enter(tournament, "Anna Kühn")
    take_in(tournament, replace(SENT, amount_cents=1_700))

    receipt = book(registration)

    assert receipt.method == Receipt.Method.BANK
    assert (receipt.payer, receipt.text) == ("Anna Kühn", "Überweisung vom 28.09.2026: Nr. 1")
    # 15,00 € Startgeld, 1,50 € Kartengeld, and 0,50 € too much.
    assert lines(receipt) == [
        (registration.pk, "startgeld", 1_500),
        (registration.pk, "kartengeld", 150),
        (registration.pk, "credit", 50),
    ]
    registration.refresh_from_db()
    assert registration.status == Status.PAID
    assert balances.till_cents(tournament) == 0
    assert the_transfer().receipt == receipt
    assert not cash_bank_transfers.open_transfers(tournament)


def test_a_transfer_pays_for_several_and_the_rest_is_credited_to_the_first(tournament: Tournament):
    anna, karl = enter(tournament, "Anna Kühn"), enter(tournament, "Karl Kühn")
    register_paid = enter(tournament, "Uta Otto", payment=Payment())
    take_in(tournament, replace(SENT, amount_cents=3_400))

    receipt = book(karl, anna, register_paid, karl)

    assert lines(receipt) == [
        (karl.pk, "startgeld", 1_500),
        (anna.pk, "startgeld", 1_500),
        (karl.pk, "credit", 400),
    ]
    statuses = Registration.objects.values_list("status", flat=True)
    assert set(statuses) == {Status.PAID}


def test_a_transfer_too_small_leaves_a_person_unpaid(tournament: Tournament):
    anna, karl = enter(tournament, "Anna Kühn"), enter(tournament, "Karl Kühn")
    take_in(tournament, replace(SENT, amount_cents=2_000))

    book(anna, karl)

    anna.refresh_from_db()
    karl.refresh_from_db()
    assert (anna.status, karl.status) == (Status.PAID, Status.REGISTERED)
    assert balances.paid_cents(karl) == 500


def test_a_booked_transfer_is_not_booked_again_or_set_aside(tournament: Tournament):
    registration = enter(tournament, "Anna Kühn")
    take_in(tournament, SENT)
    book(registration)

    with pytest.raises(Conflict, match="schon gebucht, mit Beleg 1"):
        book(registration)
    with pytest.raises(Conflict, match="schon gebucht"):
        bank.set_aside(COMMAND, the_transfer().pk, reason="x")

    assert Receipt.objects.count() == 1


def test_a_cancelled_receipt_opens_its_transfer_again(tournament: Tournament):
    wrong, right = enter(tournament, "Karl Kühn"), enter(tournament, "Anna Kühn")
    take_in(tournament, SENT)
    first = book(wrong)

    reverse_receipt(COMMAND, first.pk, reason="war für Anna")
    assert list(cash_bank_transfers.open_transfers(tournament)) == [the_transfer()]
    second = book(right)

    assert the_transfer().receipt == second
    wrong.refresh_from_db()
    right.refresh_from_db()
    assert (wrong.status, right.status) == (Status.REGISTERED, Status.PAID)
    entry = JournalEntry.objects.filter(action="transfer_booked").latest("number")
    assert (entry.before, entry.after) == ({"receipt": 1}, {"receipt": 3})


def test_a_transfer_for_a_waiting_person_is_kept_as_credit():
    tournament = make_tournament(places=3)
    for name in ("Anna A", "Bernd B", "Clara C"):
        enter(tournament, name)
    waiting = enter(tournament, "Dieter D")
    take_in(tournament, SENT)

    book(waiting)

    waiting.refresh_from_db()
    assert waiting.status == Status.WAITING
    assert balances.paid_cents(waiting) == 1_500


@pytest.mark.parametrize(
    ("who", "sentence"),
    [
        pytest.param("nobody", "für wen", id="nobody"),
        pytest.param("foreign", "in diesem Turnier nicht gemeldet", id="another tournament"),
        pytest.param("gone", "ist abgemeldet.*beiseitelegen", id="withdrew"),
        pytest.param("crowd", "höchstens 12 Personen", id="too many"),
    ],
)
def test_a_transfer_is_not_booked_for(who: str, sentence: str, tournament: Tournament):
    gone = enter(tournament, "Anna Kühn")
    withdraw(COMMAND, gone.pk, now=MORNING)
    persons = {
        "nobody": [],
        "foreign": [enter(make_tournament(), "Anna Kühn")],
        "gone": [gone],
        "crowd": [enter(tournament, f"Anna Nr{n}") for n in range(13)] if who == "crowd" else [],
    }[who]
    take_in(tournament, SENT)

    with pytest.raises(TournamentError, match=sentence):
        book(*persons)

    assert the_transfer().receipt is None
    assert not Receipt.objects.exists()


def test_a_payment_in_cash_makes_a_clear_match_unclear(tournament: Tournament):
    anna = enter(tournament, "Anna Kühn")
    take_in(tournament, SENT)
    expected = {the_transfer().pk: anna.pk}
    pay(COMMAND, anna.pk, payment=Payment())

    with pytest.raises(Conflict):
        bank.book_clear(COMMAND, tournament.pk, expected=expected)


def test_a_transfer_is_set_aside_with_a_reason_and_restored(tournament: Tournament):
    take_in(tournament, SENT)
    transaction_id = the_transfer().pk

    with pytest.raises(TournamentError, match="einen Grund"):
        bank.set_aside(COMMAND, transaction_id, reason=" ")
    bank.set_aside(COMMAND, transaction_id, reason="Mitgliedsbeitrag")
    assert not cash_bank_transfers.open_transfers(tournament)
    assert take_in(tournament, SENT).new == 0
    bank.bring_back(COMMAND, transaction_id)

    assert list(cash_bank_transfers.open_transfers(tournament)) == [the_transfer()]
    with pytest.raises(WrongStatus, match="nicht beiseite"):
        bank.bring_back(COMMAND, transaction_id)
    actions = JournalEntry.objects.order_by("number").values_list("action", "reason")
    assert list(actions) == [
        ("statement_taken_in", ""),
        ("transfer_set_aside", "Mitgliedsbeitrag"),
        ("statement_taken_in", ""),
        ("transfer_brought_back", ""),
    ]


def test_the_journal_contains_no_names_of_remitters(tournament: Tournament):
    registration = enter(tournament, "Anna Kühn")
    take_in(tournament, replace(SENT, remitter="Karl Kühn", purpose="für Anna Kühn"))
    book(registration)

    told = str(list(JournalEntry.objects.values_list("before", "after", "reason")))
    assert "Kühn" not in told
