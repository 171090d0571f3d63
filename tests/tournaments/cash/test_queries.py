"""Every sum on the pages is the sum of the receipts that its link shows."""

from __future__ import annotations

import csv
from datetime import date, timedelta
from io import StringIO

import pytest
from django.utils import timezone

from tests.factories import COMMAND, START, make_person, make_tournament, make_user
from tests.worlds import world
from tournaments.cash.queries import balances
from tournaments.cash.queries import cash as queries
from tournaments.cash.queries import report as cash_report
from tournaments.cash.queries.cash import NOBODY, Selection
from tournaments.cash.services import till
from tournaments.cash.services.reversals import reverse_receipt
from tournaments.common.actors import Actor
from tournaments.desk.services.registrations import Payment, pay, register
from tournaments.machine.sheets import csv_bytes
from tournaments.models import CashEntry, Receipt, Registration, Role, Tournament
from tournaments.models.schedule import evening_of

pytestmark = pytest.mark.django_db
Kind, Method = CashEntry.Kind, Receipt.Method
MORNING = START - timedelta(hours=3)


class Book:
    """A small book, every amount of which the tests know.

    1 Wechselgeld 100,00 · 2 Anna pays 20,00 (15 + 1.50 + 3.50 credit) · 3 Junior Karl 8.00 of
    9.50 by transfer · 4 Kaution of Anna 10,00 · 5 coffee −12,50 · 6 Bernd pays 16.50,
    7 cancelled · 8 Anna's 1.50 moved to Karl
    """

    def __init__(self) -> None:
        self.tournament = make_tournament(kartengeld_cents=150, kaution_cents=1_000)
        self.juniors = self.tournament.categories.create(
            name="Junioren", startgeld_cents=800, born_from=2005, position=1
        )
        self.free(Kind.OPENING, 10_000, "Wechselgeld")
        self.anna = self.enter("Anna", "Kühn")
        self.pay(self.anna, 2_000)
        self.karl = self.enter("Karl", "Voß", birth_year=2008)
        self.pay(self.karl, 800, Method.BANK)
        till.take_kaution(COMMAND, self.anna.pk)
        self.free(Kind.OTHER, 1_250, "Kaffee", is_expense=True)
        self.bernd = self.enter("Bernd", "Öz")
        self.pay(self.bernd, 1_650)
        reverse_receipt(COMMAND, Receipt.objects.get(number=6).pk, reason="vertippt")
        till.move_credit(COMMAND, self.anna.pk, to_id=self.karl.pk, amount_cents=150)

    def free(self, kind: CashEntry.Kind, cents: int, text: str, **more) -> None:
        till.book_free(
            COMMAND, self.tournament.pk, kind=kind, amount_cents=cents, text=text, **more
        )

    def enter(self, first: str, last: str, **person) -> Registration:
        return register(
            COMMAND,
            self.tournament.pk,
            person_id=make_person(first, last, **person).pk,
            now=MORNING,
        )

    def pay(
        self, registration: Registration, cents: int, method: Receipt.Method = Method.CASH
    ) -> None:
        payment = Payment(amount_cents=cents, method=method)
        pay(COMMAND, registration.pk, payment=payment)


@world
def book() -> Book:
    return Book()


def shown(tournament: Tournament, selection: Selection) -> list[tuple[int, int]]:
    receipts = queries.receipts(tournament, selection)
    return [(receipt.number, receipt.shown_cents) for receipt in receipts]


def test_the_report_by_kind_and_way(book: Book):
    report = cash_report.report(book.tournament)

    assert report.ways == [Method.CASH, Method.BANK, Method.INTERNAL]
    assert {kind.kind: tuple(kind.by_way.values()) for kind in report.kinds} == {
        "opening": (10_000, 0, 0),
        "startgeld": (1_500, 800, 0),
        "kartengeld": (150, 0, 150),
        "credit": (350, 0, -150),
        "kaution": (1_000, 0, 0),
        "other": (-1_250, 0, 0),
    }
    # 100 + 20 + 10 − 12.50 in the till, 8 on the account
    assert list(report.by_way.values()) == [11_750, 800, 0]
    assert (report.cash_cents, report.total_cents) == (11_750, 12_550)
    assert report.is_open
    assert report.last_count is None


def test_the_report_of_an_empty_book_is_empty():
    report = cash_report.report(make_tournament())

    assert report.kinds == []
    assert (report.cash_cents, report.is_open) == (0, False)
    assert report.ways == [Method.CASH, Method.BANK]


def test_card_payments_are_a_separate_way_outside_the_till(book: Book):
    registration = book.enter("Dora", "Weiß")

    book.pay(registration, 1_650, Method.CARD)

    report = cash_report.report(book.tournament)
    assert report.ways == [Method.CASH, Method.CARD, Method.BANK, Method.INTERNAL]
    assert list(report.by_way.values()) == [11_750, 1_650, 800, 0]
    assert balances.till_cents(book.tournament) == 11_750
    assert queries.sums(book.tournament, Selection(method="card"))["cents"] == 1_650


def test_the_startgeld_by_group_counts_paid_registrations(book: Book):
    groups = cash_report.startgeld_by_category(book.tournament)

    assert [(group["name"], group["persons"], group["cents"]) for group in groups] == [
        ("Erwachsene", 1, 1_500),
        ("Junioren", 1, 800),
    ]


def test_the_report_by_person(book: Book):
    sums = cash_report.by_person(book.tournament)

    rows = [
        (
            person_sum.due_cents,
            person_sum.paid_cents,
            person_sum.open_cents,
            person_sum.credit_cents,
            person_sum.kaution_cents,
        )
        for person_sum in sums["persons"]
    ]
    assert rows == [
        (1_650, 1_850, 0, 200, 1_000),
        (950, 950, 0, 0, 0),
        (1_650, 0, 1_650, 0, 0),
    ]
    assert sums["nobody"].other_cents == 10_000 - 1_250
    total = sums["total"]
    assert (total.due_cents, total.paid_cents, total.kaution_cents, total.other_cents) == (
        (4_250, 2_800, 1_000, 8_750)
    )


@pytest.mark.parametrize(
    ("selection", "receipts"),
    [
        pytest.param(Selection(kind="startgeld"), [(7, -1_500), (6, 1_500), (3, 800), (2, 1_500)]),
        pytest.param(Selection(kind="credit"), [(8, -150), (2, 350)]),
        pytest.param(Selection(kind="startgeld", method="bank"), [(3, 800)]),
        pytest.param(Selection(method="internal"), [(8, 0)]),
        pytest.param(
            Selection(method="cash"),
            [(7, -1_650), (6, 1_650), (5, -1_250), (4, 1_000), (2, 2_000), (1, 10_000)],
        ),
        pytest.param(Selection(kind="uebriges"), [(5, -1_250), (1, 10_000)]),
        pytest.param(Selection(person="1"), [(8, -150), (4, 1_000), (2, 2_000)]),
        pytest.param(Selection(person="voss, karl"), [(8, 150), (3, 800)]),
        pytest.param(Selection(person="Oez"), [(7, -1_650), (6, 1_650)]),
        pytest.param(Selection(person="Öz"), [(7, -1_650), (6, 1_650)]),
        pytest.param(Selection(person="99"), []),
        pytest.param(Selection(registration=NOBODY), [(5, -1_250), (1, 10_000)]),
    ],
    ids=str,
)
def test_a_selection_shows_its_receipts(book: Book, selection, receipts):
    assert shown(book.tournament, selection) == receipts
    assert queries.sums(book.tournament, selection) == {
        "cents": sum(cents for _number, cents in receipts),
        "receipts": len(receipts),
    }


def test_every_sum_of_the_report_equals_its_receipts(book: Book):
    tournament = book.tournament
    report = cash_report.report(tournament)
    sums = [
        (Selection(kind=kind.kind, method=method), cents)
        for kind in report.kinds
        for method, cents in (
            *((way.value, cents) for way, cents in kind.by_way.items()),
            ("", kind.total_cents),
        )
    ]
    sums += [(Selection(method="cash"), report.cash_cents), (Selection(), report.total_cents)]
    sums += [
        (Selection(kind="startgeld", category=category_sum["pk"]), category_sum["cents"])
        for category_sum in cash_report.startgeld_by_category(tournament)
    ]
    by_person = cash_report.by_person(tournament)
    for person_sum in by_person["persons"]:
        assert person_sum.registration is not None
        key = person_sum.registration.pk
        sums += [
            (Selection(kind="meldung", registration=key), person_sum.paid_cents),
            (Selection(kind="kaution", registration=key), person_sum.kaution_cents),
            (Selection(kind="uebriges", registration=key), person_sum.other_cents),
        ]
    sums.append((Selection(kind="uebriges", registration=0), by_person["nobody"].other_cents))
    sums.append((Selection(kind="meldung"), by_person["total"].paid_cents))

    for selection, cents in sums:
        assert queries.sums(tournament, selection)["cents"] == cents, selection
        assert sum(part for _number, part in shown(tournament, selection)) == cents, selection


def test_days_are_german_local_days(book: Book):
    today = evening_of(timezone.now())  # until 5:00 the evening before

    assert queries.sums(book.tournament, Selection(day=today))["receipts"] == 8
    for other in (today - timedelta(days=1), today + timedelta(days=1), date(2000, 1, 1)):
        assert shown(book.tournament, Selection(day=other)) == []


def test_every_receipt_shows_the_till_balance(book: Book):
    newest_first = list(queries.receipts(book.tournament))

    whole = queries.with_balances(book.tournament, newest_first)
    part = queries.with_balances(book.tournament, newest_first[3:5])

    assert [(receipt.number, cents) for receipt, cents in whole] == [
        (8, 11_750),
        (7, 11_750),
        (6, 13_400),
        (5, 11_750),
        (4, 13_000),
        (3, 12_000),
        (2, 12_000),
        (1, 10_000),
    ]
    assert part == whole[3:5]
    assert queries.with_balances(book.tournament, []) == []


def test_each_tournament_has_its_own_book(book: Book):
    other = make_tournament()

    assert not queries.receipts(other).exists()
    assert queries.sums(other, Selection()) == {"cents": 0, "receipts": 0}
    assert cash_report.by_person(other)["persons"] == []


def test_the_file_has_the_columns_of_a_paper_cash_book(book: Book):
    receipts = queries.receipts(book.tournament).order_by("number")

    content = csv_bytes(queries.csv_rows(receipts))
    rows = list(csv.DictReader(StringIO(content.decode("utf-8-sig")), delimiter=";"))

    assert [(row["Beleg"], row["Art"], row["Einnahme"], row["Ausgabe"]) for row in rows] == [
        ("1", "Wechselgeld zu Beginn", "100,00", ""),
        ("2", "Startgeld", "15,00", ""),
        ("2", "Kartengeld", "1,50", ""),
        ("2", "Guthaben", "3,50", ""),
        ("3", "Startgeld", "8,00", ""),
        ("4", "Kaution", "10,00", ""),
        ("5", "Sonstiges", "", "12,50"),
        ("6", "Startgeld", "15,00", ""),
        ("6", "Kartengeld", "1,50", ""),
        ("7", "Startgeld", "", "15,00"),
        ("7", "Kartengeld", "", "1,50"),
        ("8", "Guthaben", "", "1,50"),
        ("8", "Kartengeld", "1,50", ""),
    ]
    assert rows[3]["Kassenbestand"] == "120,00"
    assert rows[4]["Kassenbestand"] == ""  # by transfer
    assert rows[10]["Kassenbestand"] == "117,50"
    assert (rows[9]["Storno zu Beleg"], rows[9]["Text"]) == ("6", "vertippt")
    assert (rows[1]["Startnummer"], rows[1]["Person"]) == ("1", "Kühn, Anna")
    assert (rows[1]["Name auf dem Beleg"], rows[1]["Zahlungsweg"]) == ("Anna Kühn", "bar")
    at = timezone.localtime(receipts[0].created_at)
    assert (rows[0]["Datum"], rows[0]["Uhrzeit"]) == (f"{at:%d.%m.%Y}", f"{at:%H:%M}")


def test_the_book_provides_the_facts_of_a_person_page(book: Book):
    assert queries.person_money(book.anna, has_paid=True) == {
        "kaution_held_cents": 1_000,
        "spare_cents": 200,
        "way_back": Receipt.Method.CASH,
    }


def test_the_span_covers_the_whole_book(book: Book):
    span = cash_report.span(book.tournament)

    assert span["receipts"] == 8
    assert span["last"] == Receipt.objects.get(number=8).created_at
    assert cash_report.span(make_tournament()) == {"receipts": 0, "last": None}


def test_the_file_names_bookers_and_has_plain_amounts_and_no_formulas():
    tournament = make_tournament()
    helper = make_user(name="K. Hilfe")
    till.book_free(
        Actor.account(helper, frozenset({Role.KASSE})),
        tournament.pk,
        kind=Kind.OTHER,
        amount_cents=123_456,
        text="=1+1",
    )

    _head, *rows = queries.csv_rows(queries.receipts(tournament))

    assert (rows[0][4], rows[0][-1]) == ("1234,56", "K. Hilfe")
    assert b";'=1+1;" in csv_bytes(rows)


def test_a_receipt_names_person_and_purpose_once():
    tournament = make_tournament()
    said: dict[str, bool] = {}
    for text in ("", "Bußgeld Serie 1, Tisch 4", "Serie 1, Tisch 4", "Bußgeld, erlassen"):
        receipt = Receipt.objects.create(
            tournament=tournament,
            number=len(said) + 1,
            method="cash",
            payer="Serie 1, Tisch 4",
            text=text,
        )
        CashEntry.objects.create(receipt=receipt, kind=CashEntry.Kind.BUSSGELD, amount_cents=390)
        said[text] = receipt.repeats_itself

    assert list(said.values()) == [False, True, True, False]
