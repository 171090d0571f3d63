"""Payments are booked by purpose, also after a change of dues."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.clients import Client, at
from tests.factories import COMMAND, make_member, make_person, make_tournament
from tests.tournaments.desk.online.helpers import text_of
from tournaments.announcement.queries.pot_money import takings
from tournaments.cash.queries.balances import booked_by_kind
from tournaments.cash.queries.report import by_person, report
from tournaments.cash.services import till
from tournaments.cash.services.cash import moves
from tournaments.cash.services.reversals import reverse_receipt
from tournaments.desk.services.changes import withdraw
from tournaments.desk.services.registrations import Payment, register
from tournaments.desk.services.tariff_changes import change_tariff
from tournaments.models import CashEntry, Ranking, Receipt, Registration, Role

pytestmark = pytest.mark.django_db
BANK, TEAM = Receipt.Method.BANK, Ranking.Kind.TEAM
Kind = CashEntry.Kind
S, K, E, C, R = Kind.STARTGELD, Kind.KARTENGELD, Kind.STAKE, Kind.CREDIT, Kind.REFUND


@pytest.mark.parametrize(
    ("dues", "booked", "expected"),
    [
        pytest.param((15, 0, 3), {S: 15, C: 5}, {E: 3, C: -3}, id="a stake out of credit"),
        pytest.param((15, 1, 3), {S: 15, C: 2}, {K: 1, E: 1, C: -2}, id="as far as it goes"),
        pytest.param((15, 0, 3), {S: 10}, {}, id="nothing is there to be moved"),
        pytest.param((15, 0, 0), {S: 15, E: 3}, {E: -3, C: 3}, id="a stake less"),
        pytest.param((12, 0, 3), {S: 15}, {S: -3, E: 3}, id="Startgeld becomes stake"),
        pytest.param((15, 0, 0), {S: 30, R: -15}, {}, id="paid back and paid again"),
        pytest.param((10, 0, 0), {S: 15, R: -5}, {}, id="paid back out of the Startgeld"),
        pytest.param((15, 0, 3), {S: 15, C: 5, R: -5}, {}, id="the credit went back"),
        pytest.param((15, 0, 3), {E: 3, C: -3}, {E: -3, C: 3}, id="the payment was cancelled"),
        pytest.param((15, 0, 0), {S: 15, C: -5}, {S: -5, C: 5}, id="more passed on than there was"),
        pytest.param((15, 0, 0), {}, {}, id="nothing paid"),
    ],
)  # fmt: skip
def test_moved_amounts_are_assigned_by_kind(dues, booked, expected):
    moved = dict(moves(zip((S, K, E), dues, strict=True), Counter(booked)))

    assert moved == expected


def _booked(registration: Registration) -> Counter[CashEntry.Kind]:
    return booked_by_kind([registration])[registration.pk]


def paid_too_much() -> Registration:
    """15,00 € are due, 20,00 € came by transfer; the stake of the teams is 3,00 €."""
    tournament = make_tournament(
        starts_at=timezone.now() + timedelta(hours=2), startgeld_cents=1_500, kartengeld_cents=0
    )
    tournament.rankings.create(kind=TEAM, size=4, stake_cents=300)
    payment = Payment(amount_cents=2_000, method=BANK)
    return register(COMMAND, tournament.pk, person_id=make_person().pk, payment=payment)


def join(registration: Registration, *kinds: str) -> None:
    rankings = list(registration.tournament.rankings.filter(kind__in=kinds))
    change_tariff(COMMAND, registration.pk, category=registration.category, rankings=rankings)


def test_credit_used_for_a_stake_is_a_stake_in_book_and_pot():
    registration = paid_too_much()

    join(registration, TEAM)
    till.refund_credit(COMMAND, registration.pk)

    # 20,00 € = 15,00 € Startgeld + 3,00 € stake + 2,00 € credit, which went back.
    assert _booked(registration) == {S: 1_500, E: 300, C: 200, R: -200}
    assert {each.kind: each.total_cents for each in report(registration.tournament).kinds} == {
        S: 1_500,
        E: 300,
        C: 200,
        R: -200,
    }
    assert takings(registration.tournament)[TEAM] == 300
    receipt = registration.tournament.receipts.get(method=Receipt.Method.INTERNAL)
    assert list(receipt.entries.values_list("kind", "amount_cents")) == [(E, 300), (C, -300)]


def test_a_stake_no_longer_due_becomes_credit():
    registration = paid_too_much()
    join(registration, TEAM)

    join(registration)

    assert {kind: cents for kind, cents in _booked(registration).items() if cents} == {
        S: 1_500,
        C: 500,
    }
    assert takings(registration.tournament)[TEAM] == 0


def test_a_payment_with_rebooked_credit_can_be_cancelled():
    registration = paid_too_much()
    join(registration, TEAM)

    reverse_receipt(COMMAND, registration.tournament.receipts.get(number=1).pk, reason="falsch")

    assert not any(_booked(registration).values())
    registration.refresh_from_db()
    assert registration.status == Registration.Status.REGISTERED


def test_the_desk_reports_the_taken_amount(client: Client):
    registration = paid_too_much()
    tournament = registration.tournament
    client.force_login(make_member(tournament, Role.KASSE))
    other = register(
        COMMAND, tournament.pk, person_id=make_person().pk, payment=Payment(amount_cents=1_500)
    )
    join(other, TEAM)

    page = client.post(
        at("desk:pay", tournament, other.pk), {"amount": "3,00", "seen_due_cents": 300}, follow=True
    )

    assert "3,00 € erhalten (Einsatz)" in text_of(page)


def test_the_report_explains_differences_of_paid_and_due(client: Client):
    # Paid 20,00 + 15,00 + 10,00 €; due 15,00 + 15,00 €, and nothing from the one who left too late.
    registration = paid_too_much()
    tournament = registration.tournament
    for cents in (1_500, 1_000):
        payment = Payment(amount_cents=cents)
        last = register(COMMAND, tournament.pk, person_id=make_person().pk, payment=payment)
        if cents == 1_500:
            withdraw(COMMAND, last.pk)
    client.force_login(make_member(tournament, Role.KASSE))

    sums = by_person(tournament)
    page = text_of(client.get(at("cash:report", tournament)))

    assert (sums["total"].paid_cents, sums["total"].due_cents) == (4_500, 3_000)
    assert sums["difference"] == {
        "cents": 1_500,
        "credit_cents": 500,
        "kept_cents": 1_500,
        "open_cents": 500,
    }
    assert "5,00 € Guthaben." in page
    assert "15,00 € von Personen, die nicht mehr teilnehmen" in page
    assert "5,00 € sind noch offen." in page
