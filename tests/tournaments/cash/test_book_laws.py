"""Invariants of the cash book after any acts, allowed or refused."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from itertools import pairwise

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from tests.factories import COMMAND, START, make_person, make_tournament, make_user
from tournaments.cash.queries import balances
from tournaments.cash.queries import cash as queries
from tournaments.cash.queries import report as cash_report
from tournaments.cash.services import counts as till_counts
from tournaments.cash.services import till
from tournaments.cash.services.reversals import reverse_receipt
from tournaments.common.actors import Actor
from tournaments.common.errors import TournamentError
from tournaments.desk.services.changes import withdraw
from tournaments.desk.services.registrations import Payment, pay, register
from tournaments.journal import services as journal
from tournaments.models import CashCount, CashEntry, JournalEntry, Receipt, Registration

Kind, Method = CashEntry.Kind, Receipt.Method
MORNING = START - timedelta(hours=3)

AMOUNTS = st.integers(min_value=-100, max_value=4_000)
WHO = st.integers(min_value=0, max_value=2)
METHODS = st.sampled_from([Method.CASH, Method.CARD, Method.BANK])
ACTS = st.one_of(
    st.tuples(st.just("free"), st.sampled_from(till.FREE_KINDS), AMOUNTS, METHODS, st.booleans()),
    st.tuples(st.just("pay"), WHO, AMOUNTS, METHODS),
    st.tuples(st.just("move"), WHO, WHO, AMOUNTS),
    st.tuples(st.just("refund"), WHO, METHODS),
    st.tuples(st.just("kaution"), WHO, st.booleans()),
    st.tuples(st.just("withdraw"), WHO),
    st.tuples(st.just("reverse"), st.integers(min_value=1, max_value=25)),
    st.tuples(st.just("count"), st.integers(min_value=0, max_value=20)),
)


class TestBook(TestCase):
    """A tournament with three persons and random acts."""

    def setUp(self) -> None:
        self.tournament = make_tournament(
            kartengeld_cents=150, kaution_cents=1_000, refund_until=START + timedelta(days=36_500)
        )
        self.helper = Actor.account(make_user())
        self.persons = [
            register(COMMAND, self.tournament.pk, person_id=make_person().pk, now=MORNING).pk
            for _person in range(3)
        ]

    def do(self, act: tuple) -> None:
        name, *facts = act
        # A refused act changes nothing; if it did, the invariants below would fail.
        with suppress(TournamentError):
            getattr(self, f"do_{name}")(*facts)

    def do_free(self, kind, amount_cents, method, is_expense):
        till.book_free(
            COMMAND,
            self.tournament.pk,
            kind=kind,
            amount_cents=amount_cents,
            text="wofür",
            method=method,
            is_expense=is_expense,
        )

    def do_pay(self, who, amount_cents, method):
        payment = Payment(amount_cents=amount_cents, method=method)
        pay(COMMAND, self.persons[who], payment=payment)

    def do_move(self, giver, receiver, amount_cents):
        till.move_credit(
            COMMAND, self.persons[giver], to_id=self.persons[receiver], amount_cents=amount_cents
        )

    def do_refund(self, who, method):
        till.refund_credit(COMMAND, self.persons[who], method=method)

    def do_kaution(self, who, back):
        act = till.return_kaution if back else till.take_kaution
        act(COMMAND, self.persons[who])

    def do_withdraw(self, who):
        withdraw(COMMAND, self.persons[who], now=MORNING)

    def do_reverse(self, number):
        receipt = self.tournament.receipts.filter(number=number).first()
        if receipt is not None:
            reverse_receipt(COMMAND, receipt.pk, reason="Storno")

    def do_count(self, tens):
        till_counts.count_till(self.helper, self.tournament.pk, pieces={1000: tens})

    @settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(acts=st.lists(ACTS, max_size=25))
    def test_the_book_keeps_its_invariants(self, acts):
        for act in acts:
            self.do(act)

        self.check_receipts()
        self.check_sums()
        self.check_statuses()
        assert list(journal.first_breaks()) == []

    def check_receipts(self):
        receipts = list(self.tournament.receipts.order_by("number").prefetch_related("entries"))
        assert [receipt.number for receipt in receipts] == list(range(1, len(receipts) + 1))
        journalled = JournalEntry.objects.filter(subject_type="receipt").order_by("number")
        assert [entry.after["number"] for entry in journalled] == [
            receipt.number for receipt in receipts
        ]
        balance = 0
        for receipt in receipts:
            amounts = [entry.amount_cents for entry in receipt.entries.all()]
            assert amounts, f"{receipt} is empty"
            if receipt.method == Method.INTERNAL:
                assert sum(amounts) == 0
            if receipt.method == Method.CASH:
                balance += sum(amounts)
            assert balance >= 0, f"the till was below zero after {receipt}"
        assert balance == balances.till_cents(self.tournament)
        assert all(earlier.created_at <= later.created_at for earlier, later in pairwise(receipts))

    def check_sums(self):
        entries = CashEntry.objects.values_list("amount_cents", "receipt__method")
        in_cash = sum(cents for cents, method in entries if method == Method.CASH)
        everything = sum(cents for cents, _method in entries)
        assert balances.till_cents(self.tournament) == in_cash
        report = cash_report.report(self.tournament)
        assert report.cash_cents == in_cash
        assert report.total_cents == everything
        total = cash_report.by_person(self.tournament)["total"]
        assert total.paid_cents + total.kaution_cents + total.other_cents == everything
        by_kind = [
            queries.sums(self.tournament, queries.Selection(kind=kind))["cents"] for kind in Kind
        ]
        assert sum(by_kind) == everything
        for count in CashCount.objects.all():
            assert count.difference_cents == count.counted_cents - count.expected_cents

    def check_statuses(self):
        for registration in self.tournament.registrations.all():
            paid = balances.paid_cents(registration)
            assert paid >= 0
            assert balances.kaution_cents(registration) in {0, 1_000}
            if registration.takes_part:
                is_paid = registration.status == Registration.Status.PAID
                assert is_paid == (paid >= registration.due_cents)
