"""The pages of the till: their access, content and refusals."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.template.loader import render_to_string
from django.utils import timezone

from tests.clients import Client, at, plain
from tests.factories import COMMAND, make_member, make_person, make_registration, make_tournament
from tests.worlds import world
from tournaments.cash.queries import balances
from tournaments.cash.services import till
from tournaments.cash.services.reversals import reverse_receipt
from tournaments.desk.services.registrations import Payment, register
from tournaments.models import CashCount, CashEntry, Receipt, Registration, Role, Tournament

pytestmark = pytest.mark.django_db
Kind = CashEntry.Kind


def soon(**fields) -> Tournament:
    return make_tournament(starts_at=timezone.now() + timedelta(hours=2), **fields)


@world
def tournament() -> Tournament:
    return soon(kaution_cents=2_000)


@pytest.fixture
def helper(client: Client, tournament: Tournament) -> Client:
    client.force_login(make_member(tournament, Role.KASSE, name="K. Hilfe"))
    return client


def url(name: str, tournament: Tournament, *args: int) -> str:
    return at(f"cash:{name}", tournament, *args)


def opening(tournament: Tournament, cents: int = 10_000) -> Receipt:
    return till.book_free(
        COMMAND, tournament.pk, kind=Kind.OPENING, amount_cents=cents, text="Wechselgeld"
    )


def enter(tournament: Tournament, cents: int, *name: str) -> Registration:
    return register(
        COMMAND, tournament.pk, person_id=make_person(*name).pk, payment=Payment(amount_cents=cents)
    )


def test_the_book_of_a_new_tournament_asks_for_the_change(helper: Client, tournament: Tournament):
    page = helper.read(url("book", tournament))

    assert "Die Kasse ist noch nicht eröffnet" in page
    assert "Noch kein Beleg" in page


def test_the_book_shows_receipts_with_the_till_beside_them(helper: Client, tournament: Tournament):
    opening(tournament)
    enter(tournament, 1_500, "Anna", "Kühn")

    answer = helper.get(url("book", tournament))

    page = " ".join(answer.content.decode().split())
    assert "noch nicht eröffnet" not in page
    assert "<strong>Anna Kühn</strong> · Startgeld" in page
    assert [(receipt.number, cents) for receipt, cents in answer.context["rows"]] == [
        (2, 11_500),
        (1, 10_000),
    ]


def test_a_selection_shows_its_sum_and_filters(helper: Client, tournament: Tournament):
    opening(tournament)
    registration = enter(tournament, 2_000, "Anna", "Kühn")
    book = url("book", tournament)

    page = helper.read(book, {"art": "startgeld", "meldung": str(registration.pk)})

    assert "15,00\xa0€ aus 1 Beleg" in page
    assert '<span class="pill">Kühn, Anna</span>' in page
    assert "von 20,00\xa0€" in page
    group = helper.read(book, {"gruppe": registration.category_id})
    assert '<span class="pill">Erwachsene</span>' in group
    assert '<span class="pill">ohne Person</span>' in helper.read(book, {"meldung": "0"})
    assert "Zu dieser Auswahl ist nichts gebucht" in helper.read(book, {"person": "Niemand"})


def test_a_long_book_has_pages(helper: Client, tournament: Tournament):
    for _time in range(27):
        opening(tournament, 100)

    second = helper.get(url("book", tournament), {"page": 2})

    assert [(receipt.number, cents) for receipt, cents in second.context["rows"]] == [
        (2, 200),
        (1, 100),
    ]


def test_the_book_needs_a_constant_number_of_queries(
    helper: Client, tournament: Tournament, django_assert_max_num_queries
):
    opening(tournament)
    for _person in range(30):
        enter(tournament, 1_500)

    with django_assert_max_num_queries(18):
        helper.get(url("book", tournament))
    with django_assert_max_num_queries(17):
        helper.get(url("report", tournament))


def test_money_is_booked_freely(helper: Client, tournament: Tournament):
    opening(tournament)
    registration = make_registration(tournament, make_person("Anna", "Kühn"), number=7)

    answer = helper.post(
        url("book_free", tournament),
        {
            "kind": "expense",
            "amount_cents": "12,50",
            "text": "Kaffee",
            "method_": "cash",
            "number": "7",
            "payer": "",
        },
        follow=True,
    )

    assert "Beleg 2 gebucht." in answer.content.decode()
    entry = CashEntry.objects.get(receipt__number=2)
    assert (entry.kind, entry.amount_cents, entry.registration) == (
        Kind.OTHER,
        -1_250,
        registration,
    )
    assert (entry.receipt.payer, entry.receipt.created_by.name) == ("Anna Kühn", "K. Hilfe")


@pytest.mark.parametrize(
    ("data", "status", "sentence"),
    [
        pytest.param({"amount_cents": "viel"}, 422, "Bitte einen Betrag in Euro", id="no amount"),
        pytest.param({"text": ""}, 422, "Noch nicht gespeichert", id="no text"),
        pytest.param({"kind": "startgeld"}, 422, "Noch nicht gespeichert", id="other kind"),
        pytest.param({"number": "99"}, 409, "Startnummer 99 gibt es nicht", id="nobody"),
        pytest.param({"kind": "prize"}, 409, "In der Kasse sind", id="till too empty"),
    ],
)
def test_a_refused_booking_names_the_reason_and_keeps_the_input(
    helper: Client, tournament: Tournament, data: dict[str, str], status: int, sentence: str
):
    sent = {"kind": "bussgeld", "amount_cents": "5", "text": "Liste 3", "method_": "cash", **data}

    answer = helper.post(url("book_free", tournament), sent)

    assert answer.status_code == status
    page = answer.content.decode()
    assert sentence in page
    assert f'value="{sent["amount_cents"]}"' in page
    assert not Receipt.objects.exists()


def test_an_overpayment_is_moved_by_start_numbers(helper: Client, tournament: Tournament):
    giver, receiver = enter(tournament, 3_000), enter(tournament, 100)
    move = url("move_credit", tournament)
    data = {"from_number": giver.number, "to_number": receiver.number, "amount_cents": "14"}

    too_much = helper.post(move, {**data, "amount_cents": "15,01"})
    nobody = helper.post(move, {**data, "to_number": 99})
    nothing = helper.post(move, {**data, "amount_cents": ""})
    helper.post(move, data)

    assert (too_much.status_code, nobody.status_code, nothing.status_code) == (409, 409, 422)
    assert "zu viel bezahlt" in too_much.content.decode()
    receiver.refresh_from_db()
    assert receiver.status == Registration.Status.PAID


def test_a_receipt_is_a_quittung_on_paper(helper: Client, tournament: Tournament):
    enter(tournament, 1_500, "Anna", "Kühn")

    page = helper.read(url("receipt", tournament, 1))

    assert "Quittung" in page
    assert "Betrag dankend erhalten" in page
    assert "kein Beleg einer Registrierkasse" in page
    assert "Kühn, Anna" in page


def test_a_payout_is_signed_by_its_receiver(helper: Client, tournament: Tournament):
    opening(tournament)
    till.book_free(
        COMMAND,
        tournament.pk,
        kind=Kind.PRIZE,
        amount_cents=5_000,
        text="1. Platz",
        payer="Anna Kühn",
    )

    page = helper.read(url("receipt", tournament, 2))

    assert "Betrag erhalten: Datum, Unterschrift" in page
    assert "−50,00\xa0€" in page


def test_a_receipt_is_cancelled_with_a_reason(helper: Client, tournament: Tournament):
    registration = enter(tournament, 1_500)
    cancel = url("reverse", tournament, 1)

    without = helper.post(cancel, {"reason": " "})
    done = helper.post(cancel, {"reason": "vertippt"}, follow=True)
    again = helper.post(cancel, {"reason": "vertippt"})

    assert (without.status_code, again.status_code) == (422, 409)
    assert "Beleg 1 ist schon storniert" in again.content.decode()
    page = done.content.decode()
    assert "Storno zu Beleg 1" in page
    assert "Stornieren</button>" not in page
    registration.refresh_from_db()
    assert registration.status == Registration.Status.REGISTERED
    assert "storniert durch Beleg 2" in helper.read(url("receipt", tournament, 1))


def test_a_reversal_names_the_numbers_of_affected_persons(helper, tournament):
    registration = enter(tournament, 1_500)

    page = plain(helper.get(url("receipt", tournament, 1)))

    assert (
        f"hebt ihn mit allen Posten auf: Startgeld {registration.number} · {registration.person}."
        in page
    )


def test_a_closed_tournament_offers_no_cancelling(helper: Client, tournament: Tournament):
    enter(tournament, 1_500)
    page = url("receipt", tournament, 1)
    assert "Stornieren</button>" in helper.read(page)

    Tournament.objects.filter(pk=tournament.pk).update(status=Tournament.Status.CLOSED)

    assert "Stornieren" not in helper.read(page)


def test_a_count_reports_the_state_of_the_till(helper: Client, tournament: Tournament):
    opening(tournament)
    count = url("count", tournament)

    right = helper.post(count, {"piece_5000": "2"}, follow=True).content.decode()
    wrong = helper.post(count, {"loose_cents": "98,50", "note": "?"}, follow=True).content.decode()

    assert "Die Kasse stimmt." in right
    assert "Gezählt. Differenz: −1,50\xa0€" in wrong
    assert "Differenz −1,50\xa0€ zum Soll 100,00\xa0€" in wrong
    assert list(CashCount.objects.values_list("counted_cents", flat=True)) == [10_000, 9_850]


def test_the_difference_of_the_last_count_is_booked(helper: Client, tournament: Tournament):
    opening(tournament)
    helper.post(url("count", tournament), {"loose_cents": "98,50"})
    difference = url("book_difference", tournament, CashCount.objects.get().pk)

    counted = read(helper, "count", tournament)
    silent = helper.post(difference)
    done = helper.post(difference, {"reason": "nachgezählt"}, follow=True).content.decode()
    again = helper.post(difference, {"reason": "nachgezählt"})

    assert '<span class="pill red">' in counted
    assert silent.status_code == 422
    assert "Beleg 2 gebucht." in done
    assert "Differenz −1,50\xa0€: gebucht, Beleg 2" in done
    assert "Differenz −1,50\xa0€: gebucht, Beleg 2." in read(helper, "report", tournament)
    assert balances.till_cents(tournament) == 9_850
    assert again.status_code == 409
    assert "neu zählen" in again.content.decode()


@pytest.mark.parametrize(
    ("data", "status"),
    [
        pytest.param({"piece_500": "-1"}, 422, id="negative"),
        pytest.param({"piece_500": "10000"}, 422, id="too many"),
        pytest.param({"loose_cents": "viel"}, 422, id="no amount"),
        pytest.param({"piece_50000": "9999"}, 409, id="millions"),
        pytest.param({"open": "1"}, 409, id="opened with nothing"),
    ],
)
def test_an_impossible_count_is_refused(helper: Client, tournament, data, status: int):
    answer = helper.post(url("count", tournament), data)

    assert answer.status_code == status
    assert 'role="alert"' in answer.content.decode()
    assert not CashCount.objects.exists()
    assert not Receipt.objects.exists()


def test_the_report_links_to_receipts(helper: Client, tournament: Tournament):
    opening(tournament)
    registration = enter(tournament, 2_000, "Anna", "Kühn")
    helper.post(url("count", tournament), {"piece_5000": "2", "piece_2000": "1"})
    book = url("book", tournament)

    page = helper.read(url("report", tournament))

    assert "Belege 1 bis 2, ohne Lücke." in page
    assert f'<a href="{book}?art=startgeld&amp;weg=cash">15,00\xa0€</a>' in page
    assert f'<a href="{book}?art=meldung&amp;meldung={registration.pk}">20,00\xa0€</a>' in page
    assert f'<a href="{book}?art=uebriges&amp;meldung=0">100,00\xa0€</a>' in page
    assert "5,00\xa0€ Guthaben" in page
    assert "120,00\xa0€ bei einem Soll von 120,00\xa0€" in page
    assert "ersetzt keine Registrierkasse" in page


def test_report_and_book_warn_of_cash_moved_after_the_last_count(
    helper: Client, tournament: Tournament
):
    opening(tournament)
    assert "Die Kasse ist nicht gezählt." in read(helper, "report", tournament)
    helper.post(url("count", tournament), {"piece_5000": "2"})
    assert "Seitdem" not in read(helper, "report", tournament)

    registration = enter(tournament, 2_000, "Anna", "Kühn")
    reverse_receipt(
        COMMAND, registration.cash_entries.get(kind=Kind.STARTGELD).receipt.pk, reason="vertippt"
    )

    assert balances.till_cents(tournament) == 10_000
    assert "Seitdem wurde Bargeld bewegt" in read(helper, "report", tournament)
    assert "neu zählen" in read(helper, "book", tournament)


def read(helper: Client, name: str, tournament: Tournament) -> str:
    return helper.read(url(name, tournament))


def test_the_book_is_exported_as_a_table(helper: Client, tournament: Tournament):
    opening(tournament)

    answer = helper.get(url("csv", tournament))

    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert f'filename="kassenbuch-{tournament.slug}.csv"' in answer["Content-Disposition"]
    lines = answer.content.decode("utf-8-sig").splitlines()
    assert lines[0].startswith("Beleg;Datum;Uhrzeit;Art;Einnahme;Ausgabe;")
    assert ";Wechselgeld zu Beginn;100,00;;bar;100,00;" in lines[1]


@pytest.mark.parametrize(
    ("sent", "method", "till_cents"),
    [({}, Receipt.Method.CASH, 10_000), ({"method_": "bank"}, Receipt.Method.BANK, 14_000)],
    ids=["cash", "transfer"],
)
def test_all_kautionen_are_returned_at_once(
    helper: Client, tournament: Tournament, sent: dict[str, str], method: str, till_cents: int
):
    opening(tournament)
    for name in ("Anna", "Bernd"):
        registration = make_registration(tournament, make_person(name, "Kühn"))
        till.take_kaution(COMMAND, registration.pk)
    assert "40,00\xa0€ von 2 Personen" in read(helper, "book", tournament)

    seen = {"receipts": 2, "expected_cents": 4_000, **sent}

    asked = helper.post(url("return_all_kautionen", tournament), seen).content.decode()
    done = helper.post(
        url("return_all_kautionen", tournament), {**seen, "agreed": "1"}, follow=True
    )

    assert "2 Belege über zusammen 40,00\xa0€ buchen?" in asked
    assert "2 Belege gebucht." in done.content.decode()
    assert "Alle bar zurück" not in done.content.decode()
    assert list(Receipt.objects.order_by("number").values_list("method", flat=True)[3:]) == [
        method,
        method,
    ]
    assert balances.till_cents(tournament) == till_cents
    again = helper.post(url("return_all_kautionen", tournament), {**seen, "agreed": "1"})
    assert again.status_code == 409


def test_kaution_and_credit_are_settled_on_the_page_of_the_person(
    helper: Client, tournament: Tournament
):
    registration = enter(tournament, 2_000)
    kaution, refund = (
        url(name, tournament, registration.pk) for name in ("kaution", "refund_credit")
    )
    page_of_person = at("desk:registration", tournament, registration.pk)

    taken = helper.post(kaution)
    helper.post(kaution, {"back": "1"})
    helper.post(refund)

    assert taken["Location"] == page_of_person
    kinds = CashEntry.objects.order_by("pk").values_list("kind", "amount_cents")
    assert list(kinds)[2:] == [("kaution", 2_000), ("kaution", -2_000), ("refund", -500)]
    refused = helper.post(refund, follow=True).content.decode()
    assert "hat nichts zu viel bezahlt" in refused


@pytest.mark.parametrize(
    ("method", "paid_cents"),
    [
        pytest.param("bank", 1_500, id="a transfer"),
        pytest.param("beads", 2_000, id="no way"),
    ],
)
def test_a_refund_by_transfer_does_not_change_the_till(
    helper: Client, tournament: Tournament, method: str, paid_cents: int
):
    registration = enter(tournament, 2_000)

    answer = helper.post(url("refund_credit", tournament, registration.pk), {"method_": method})

    assert answer.status_code == 302
    assert balances.till_cents(tournament) == 2_000
    assert balances.paid_cents(registration) == paid_cents


@pytest.mark.parametrize(
    ("status", "held_cents", "spare_cents", "offered"),
    [
        pytest.param("paid", 0, 0, ["Kaution annehmen"], id="owes it"),
        pytest.param("paid", 2_000, 0, ["Kaution zurückgeben", "Überwiesen"], id="has left it"),
        pytest.param(
            "withdrawn", 2_000, 0, ["Kaution zurückgeben", "Überwiesen"], id="left and gone"
        ),
        pytest.param("withdrawn", 0, 500, ["Bar auszahlen", "Überwiesen"], id="credit"),
        pytest.param("withdrawn", 0, 0, [], id="nothing to do"),
    ],
)
def test_the_page_of_a_person_offers_possible_acts_only(status, held_cents, spare_cents, offered):
    tournament = soon(kaution_cents=2_000)

    html = render_to_string(
        "tournaments/cash/_person_money.html",
        {
            "tournament": tournament,
            "registration": make_registration(tournament, status=status),
            "kaution_held_cents": held_cents,
            "spare_cents": spare_cents,
        },
    )

    assert re.findall(r"<button[^>]*>\s*(.*?)\s*</button>", html) == offered
