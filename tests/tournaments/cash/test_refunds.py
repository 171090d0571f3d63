"""Refunds of a called-off tournament: to the cent, each with its receipt."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.clients import Client, at
from tests.factories import COMMAND, make_member, make_person, make_tournament
from tests.tournaments.desk.online.helpers import text_of
from tests.tournaments.printing.helpers import words
from tests.worlds import world
from tournaments.announcement.services import tournaments
from tournaments.cash.queries import payment_ways
from tournaments.cash.queries.balances import till_cents
from tournaments.cash.queries.refunds import refund_cents, refund_list, refunds
from tournaments.cash.services import till
from tournaments.cash.services.reversals import reverse_receipt
from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.desk.services.changes import withdraw
from tournaments.desk.services.registrations import Payment, pay, register
from tournaments.models import CashEntry, Receipt, Registration, Role, Tournament

pytestmark = pytest.mark.django_db
CASH, CARD, BANK = Receipt.Method.CASH, Receipt.Method.CARD, Receipt.Method.BANK
Kind = CashEntry.Kind


def enter(tournament: Tournament, name: str, cents: int, method: Receipt.Method) -> Registration:
    payment = Payment(amount_cents=cents, method=method)
    person = make_person("Anna", name)
    return register(COMMAND, tournament.pk, person_id=person.pk, payment=payment)


def called_off() -> Tournament:
    """Return five registrations: in cash with Kaution, in part, by transfer, left late, unpaid.

    The till has 100,00 € of change, 15,00 + 20,00 + 7,55 + 15,00 €.
    """
    tournament = make_tournament(
        starts_at=timezone.now() + timedelta(hours=2), kaution_cents=2_000, name="Herbstturnier"
    )
    change: dict[str, Any] = {"kind": Kind.OPENING, "amount_cents": 10_000, "text": "Wechselgeld"}
    till.book_free(COMMAND, tournament.pk, **change)
    in_cash = enter(tournament, "Bar", 1_500, CASH)
    till.take_kaution(COMMAND, in_cash.pk)
    enter(tournament, "Teil", 755, CASH)
    enter(tournament, "Überwiesen", 1_500, BANK)
    late = enter(tournament, "Weg", 1_500, CASH)
    withdraw(COMMAND, late.pk)
    register(COMMAND, tournament.pk, person_id=make_person("Anna", "Ohne").pk)
    return tournaments.call_off(COMMAND, tournament.pk, reason="Sturm")


tournament = world(called_off)


def by_name(tournament: Tournament, name: str) -> Registration:
    return tournament.registrations.get(person__last_name=name)


def test_payments_are_refunded_by_the_way_they_came(tournament: Tournament):
    refund_of = {
        refund.registration.person.last_name: (refund.cents, refund.kaution_cents, refund.method)
        for refund in refunds(tournament)
    }

    assert refund_of == {
        "Bar": (3_500, 2_000, CASH),
        "Teil": (755, 0, CASH),
        "Überwiesen": (1_500, 0, BANK),
        "Weg": (1_500, 0, CASH),
    }
    assert refund_list(tournament)["ways"] == [(CASH, 3, 5_755), (BANK, 1, 1_500)]


def test_card_payments_are_refunded_to_the_card(client: Client):
    tournament = make_tournament(starts_at=timezone.now() + timedelta(hours=2))
    registration = enter(tournament, "Karte", 1_500, CARD)
    tournaments.call_off(COMMAND, tournament.pk, reason="Sturm")
    client.force_login(make_member(tournament, Role.KASSE))
    page = at("cash:refunds", tournament)
    assert "1 Person auf die Karte erstattet: 15,00\xa0€" in client.read(page)

    client.post(at("cash:refund", tournament, registration.pk), {"method_": "card"})

    assert [receipt.method for receipt in tournament.receipts.all()] == [CARD, CARD]
    assert not refunds(tournament)


def test_a_kaution_in_cash_makes_the_whole_refund_cash():
    tournament = make_tournament(starts_at=timezone.now() + timedelta(hours=2), kaution_cents=2_000)
    registration = enter(tournament, "Karte", 1_500, CARD)
    till.take_kaution(COMMAND, registration.pk)

    (refund,) = refunds(tournament)

    assert (refund.cents, refund.method) == (3_500, CASH)


def two(first: int, how: Receipt.Method) -> tuple[Registration, Registration]:
    """Return two persons with dues of 15 €: the first has paid in this way, the other nothing."""
    tournament = make_tournament(
        starts_at=timezone.now() + timedelta(hours=2),
        refund_until=timezone.now() + timedelta(hours=1),
    )
    giver = enter(tournament, "Gibt", first, how)
    return giver, register(COMMAND, tournament.pk, person_id=make_person("Anna", "Nimmt").pk)


@pytest.mark.parametrize("how", [CASH, CARD, BANK])
def test_moved_credit_is_refunded_by_its_original_way(how):
    giver, taker = two(3_000, how)
    till.move_credit(COMMAND, giver.pk, to_id=taker.pk, amount_cents=1_500)
    tournaments.call_off(COMMAND, giver.tournament_id, reason="Sturm")

    assert [(refund.cents, refund.method) for refund in refunds(giver.tournament)] == [
        (1_500, how)
    ] * 2


def test_credit_moved_twice_or_back_is_traced():
    giver, taker = two(3_000, CASH)
    third = enter(giver.tournament, "Dritte", 1_500, BANK)
    moved = till.move_credit(COMMAND, giver.pk, to_id=taker.pk, amount_cents=1_500)
    reverse_receipt(COMMAND, moved.pk, reason="falsch")

    assert (payment_ways.way_back(giver), payment_ways.way_back(third)) == (CASH, BANK)
    assert taker.pk not in payment_ways.ways_back(giver.tournament)
    till.move_credit(COMMAND, giver.pk, to_id=third.pk, amount_cents=1_500)
    till.move_credit(COMMAND, third.pk, to_id=taker.pk, amount_cents=1_500)
    # The third got cash last, which was moved on: their own transfer is left.
    assert (payment_ways.way_back(taker), payment_ways.way_back(third)) == (CASH, BANK)


def test_the_newest_money_moves_first_and_a_refund_returns_by_its_way():
    giver, taker = two(1_500, BANK)
    pay(COMMAND, giver.pk, payment=Payment(amount_cents=1_500, method=CASH))

    till.refund_credit(COMMAND, giver.pk, method=CASH)
    assert payment_ways.way_back(giver) == BANK
    pay(COMMAND, giver.pk, payment=Payment(amount_cents=1_500, method=CASH))
    till.move_credit(COMMAND, giver.pk, to_id=taker.pk, amount_cents=1_500)

    assert (payment_ways.way_back(giver), payment_ways.way_back(taker)) == (BANK, CASH)


@pytest.mark.parametrize("how", [CASH, CARD, BANK])
def test_withdrawals_and_refunds_return_money_by_the_way_it_came(how):
    giver, taker = two(4_000, how)
    till.move_credit(COMMAND, giver.pk, to_id=taker.pk, amount_cents=1_500)

    over = till.refund_credit(COMMAND, giver.pk)
    back = withdraw(COMMAND, taker.pk)

    assert back is not None
    assert (over.method, over.entries.get().amount_cents) == (how, -1_000)
    assert (back.method, back.entries.get().amount_cents) == (how, -1_500)


def test_the_page_presets_the_original_way(client: Client):
    giver, taker = two(3_000, CARD)
    till.move_credit(COMMAND, giver.pk, to_id=taker.pk, amount_cents=1_500)
    client.force_login(make_member(giver.tournament, Role.KASSE))

    page = client.read(at("desk:registration", giver.tournament, taker.pk))

    assert '<option value="card" selected>' in page


def test_one_act_refunds_all_cash_with_a_receipt_each(tournament: Tournament):
    receipts = till.refund_all(COMMAND, tournament.pk, method=CASH, expected_cents=5_755)

    assert [(receipt.payer, receipt.method) for receipt in receipts] == [
        ("Anna Bar", CASH),
        ("Anna Teil", CASH),
        ("Anna Weg", CASH),
    ]
    assert list(receipts[0].entries.values_list("kind", "amount_cents")) == [
        (Kind.REFUND, -1_500),
        (Kind.KAUTION, -2_000),
    ]
    assert till_cents(tournament) == 10_000
    assert [refund.method for refund in refunds(tournament)] == [BANK]
    assert by_name(tournament, "Bar").status == Registration.Status.REGISTERED
    assert by_name(tournament, "Weg").status == Registration.Status.WITHDRAWN


def test_all_refunds_leave_only_the_change_in_the_book(tournament: Tournament):
    till.refund_all(COMMAND, tournament.pk, method=CASH, expected_cents=5_755)
    till.refund_all(COMMAND, tournament.pk, method=BANK, expected_cents=1_500)

    entries = CashEntry.objects.filter(receipt__tournament=tournament)
    assert sum(entries.values_list("amount_cents", flat=True)) == 10_000
    assert refunds(tournament) == []
    for method in (CASH, BANK):
        with pytest.raises(TournamentError, match="nichts mehr zurückzuzahlen"):
            till.refund_all(COMMAND, tournament.pk, method=method, expected_cents=0)


def test_one_person_is_refunded_by_another_way_and_only_once(tournament: Tournament):
    registration = by_name(tournament, "Teil")

    receipt = till.refund(COMMAND, registration.pk, method=BANK)

    assert receipt.entries.get().amount_cents == -755
    with pytest.raises(TournamentError, match="Anna Teil bekommt nichts zurück"):
        till.refund(COMMAND, registration.pk, method=CASH)


def test_a_refund_by_mistake_is_cancelled(tournament: Tournament):
    registration = by_name(tournament, "Überwiesen")
    receipt = till.refund(COMMAND, registration.pk, method=BANK)

    reverse_receipt(COMMAND, receipt.pk, reason="vertippt")

    registration.refresh_from_db()
    assert registration.status == Registration.Status.PAID
    assert registration.pk in {refund.registration.pk for refund in refunds(tournament)}


def test_refunds_above_the_till_are_refused_whole(tournament: Tournament):
    taken: dict[str, Any] = {"kind": Kind.WITHDRAWAL, "amount_cents": 12_000, "text": "zur Bank"}
    till.book_free(COMMAND, tournament.pk, **taken)

    with pytest.raises(TournamentError, match="In der Kasse sind"):
        till.refund_all(COMMAND, tournament.pk, method=CASH, expected_cents=5_755)

    assert len(refunds(tournament)) == 4


def test_a_tournament_not_called_off_refuses_mass_refunds(tournament: Tournament):
    tournaments.undo_calling_off(COMMAND, tournament.pk, reason="doch")
    tournament.refresh_from_db()

    assert refund_list(tournament)["refunds"] == []
    with pytest.raises(WrongStatus):
        till.refund_all(COMMAND, tournament.pk, method=CASH, expected_cents=5_755)
    with pytest.raises(WrongStatus):
        till.refund(COMMAND, by_name(tournament, "Bar").pk, method=CASH)


# --- The page and the paper ---------------------------------------------------------------------


def test_the_page_lists_and_refunds(client: Client, tournament: Tournament):
    client.force_login(make_member(tournament, Role.KASSE))
    url = at("cash:refunds", tournament)
    page = text_of(client.get(url)).replace("\xa0", " ")
    assert "3 Personen bar auszahlen: 57,55 €" in page
    assert "1 Person überwiesen: 15,00 €" in page
    assert "davon Kaution 20,00 €" in page

    address = at("cash:refund", tournament, by_name(tournament, "Teil").pk)
    assert "gebucht." in text_of(client.post(address, follow=True))
    everybody = at("cash:refund_all", tournament)
    two = {"receipts": 2, "expected_cents": 5_000, "agreed": 1}
    assert "2 Belege gebucht." in text_of(client.post(everybody, two, follow=True))
    by_bank = {"receipts": 1, "expected_cents": 1_500, "method_": "bank"}
    done = client.post(everybody, by_bank, follow=True)

    assert "Alle haben ihr Geld zurück." in text_of(done)
    assert client.post(everybody, two).status_code == 409


def test_many_refunds_need_a_confirmed_sum(client: Client, tournament: Tournament):
    client.force_login(make_member(tournament, Role.KASSE))
    everybody, seen = at("cash:refund_all", tournament), {"receipts": 3, "expected_cents": 5_755}

    asked = client.post(everybody, {**seen, "method_": "cash"})

    page = text_of(asked).replace("\xa0", " ")
    assert "3 Belege über zusammen 57,55 € buchen?" in page
    assert '<input type="hidden" name="method_" value="cash">' in page
    assert len(refunds(tournament)) == 4
    answered = client.post(everybody, {**seen, "agreed": "1"}, follow=True)
    assert "3 Belege gebucht." in text_of(answered)
    assert [refund.method for refund in refunds(tournament)] == [BANK]


def test_a_changed_sum_of_refunds_is_refused(client: Client, tournament: Tournament):
    client.force_login(make_member(tournament, Role.KASSE))
    till.refund(COMMAND, by_name(tournament, "Teil").pk, method=CASH)

    answer = client.post(
        at("cash:refund_all", tournament),
        {"receipts": 3, "expected_cents": 5_755, "agreed": "1"},
    )

    assert answer.status_code == 409
    said = "Auszuzahlen sind jetzt 50,00 €, nicht 57,55 €."
    assert said in text_of(answer).replace("\xa0", " ")
    assert len(refunds(tournament)) == 3


def test_a_form_without_the_shown_sum_books_nothing(client: Client, tournament: Tournament):
    client.force_login(make_member(tournament, Role.KASSE))

    assert client.post(at("cash:refund_all", tournament), {"agreed": "1"}).status_code == 422
    assert len(refunds(tournament)) == 4


def test_own_page_and_entry_page_include_the_kaution(tournament: Tournament):
    paid, part = by_name(tournament, "Bar"), by_name(tournament, "Teil")

    assert refund_cents([paid.pk]) == 3_500
    assert refund_cents([paid.pk, part.pk]) == 4_255


def test_the_desk_of_a_called_off_tournament_undoes_nothing(client: Client, tournament: Tournament):
    client.force_login(make_member(tournament, Role.KASSE))

    page = text_of(client.get(at("desk:desk", tournament)))

    assert "Zurücknehmen" not in page
    assert "Vierertisch" not in page
    assert "Meldeschluss" not in page


def test_the_refund_page_explains_its_purpose(client: Client):
    planned = make_tournament()
    client.force_login(make_member(planned, Role.KASSE))

    page = text_of(client.get(at("cash:refunds", planned)))

    assert "wenn das Turnier abgesagt ist" in page


def test_the_list_is_printed_to_be_signed(tournament: Tournament):
    said = words(tournament, "rueckzahlungen").replace("\xa0", " ")

    assert "Das Turnier ist abgesagt: Sturm" in said
    assert "Bar, Anna" in said
    assert "72,55 €" in said
