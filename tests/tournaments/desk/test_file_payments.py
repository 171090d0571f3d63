"""A column „bezahlt“ of a club's file: counted by its way, then booked where that is wanted."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.clients import at, logged_in
from tests.factories import make_member, make_tournament
from tests.tournaments.desk.test_files import store, upload
from tests.worlds import world
from tournaments.desk.services import files
from tournaments.desk.services.file_payments import FilePayment, parse_payment
from tournaments.desk.services.file_plan import plan_of
from tournaments.models import Receipt, Registration, Role, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.once]

Method = Receipt.Method
HEADINGS = "Nachname;Vorname;Bezahlt"
CLUB = (
    "Kühn;Anna;bar",
    "Berg;Jan;nein",
    "Adler;Eva;",
    "Wolf;Uwe;ja",
    "Horn;Ina;20,00 € überwiesen",
)


def make_evening() -> Tournament:
    """Make a tournament with 15 € Startgeld, 2 € Kartengeld and 5 € Kaution, all unpaid."""
    return make_tournament(
        starts_at=timezone.now() + timedelta(days=7), kartengeld_cents=200, kaution_cents=500
    )


tournament = world(make_evening)


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("bar", FilePayment(Method.CASH, 1700)),
        ("Überweisung", FilePayment(Method.BANK, 1700)),
        ("auf Konto", FilePayment(Method.BANK, 1700)),
        ("mit Karte 12 €", FilePayment(Method.CARD, 1200)),
        ("15,00", FilePayment(None, 1500)),
        ("x", FilePayment(None, 1700)),
        ("1", FilePayment(None, 1700)),
        ("12.11.2026", FilePayment(None, 1700)),
        ("paid by transfer", FilePayment(Method.BANK, 1700)),
        ("nein", None),
        ("0", None),
        ("offen", None),
    ],
)
def test_a_cell_contains_way_and_sum_or_means_all_but_the_kaution(tournament, cell, expected):
    new = Registration(tournament=tournament, category=tournament.categories.get())

    assert parse_payment(cell, new, []) == expected


def test_payments_of_a_file_are_counted_by_way_before_booking(tournament):
    plan = plan_of(upload(tournament, *CLUB, headings=HEADINGS), tournament)

    # Kühn 17 €; Horn 20 €; Wolf 17 € by no way
    assert plan.payments == [(Method.CASH, 1, 1700), (Method.BANK, 1, 2000), (None, 1, 1700)]


def test_payments_of_a_file_are_booked_only_if_chosen(tournament):
    store(tournament, upload(tournament, *CLUB, headings=HEADINGS))

    assert not Receipt.objects.exists()


def test_each_person_gets_a_receipt_of_the_way_that_the_file_names(tournament):
    store(tournament, upload(tournament, *CLUB, headings=HEADINGS), paid_by=Method.BANK)

    receipts = Receipt.objects.order_by("number")
    assert [
        (receipt.number, receipt.payer, receipt.method, total(receipt)) for receipt in receipts
    ] == [
        (1, "Anna Kühn", "cash", 1700),
        (2, "Uwe Wolf", "bank", 1700),
        (3, "Ina Horn", "bank", 2000),
    ]
    by_name = {
        registration.person.last_name: registration.status
        for registration in tournament.registrations.all()
    }
    assert by_name == {
        **dict.fromkeys(("Kühn", "Wolf", "Horn"), "paid"),
        **dict.fromkeys(("Berg", "Adler"), "registered"),
    }


def total(receipt: Receipt) -> int:
    return sum(receipt.entries.values_list("amount_cents", flat=True))


def test_waiting_registrations_of_a_file_pay_nothing(tournament):
    tournament.places = 3
    tournament.save()

    names = ("Kühn;Anna", "Berg;Jan", "Adler;Eva", "Wolf;Uwe")
    lines = [f"{name};bar" for name in names]

    store(tournament, upload(tournament, *lines, headings=HEADINGS), paid_by=Method.CASH)

    assert Receipt.objects.count() == 3


def test_a_large_file_books_each_payment_once(tournament, monkeypatch):
    monkeypatch.setattr(files, "PART", 2)

    store(tournament, upload(tournament, *CLUB, headings=HEADINGS), paid_by=Method.CASH)

    assert Receipt.objects.count() == 3


def test_the_page_counts_confirms_and_reports_payments(tournament):
    client = logged_in(make_member(tournament, Role.KASSE))
    draft = upload(tournament, *CLUB, headings=HEADINGS)
    page = client.read(at("desk:import_preview", tournament.slug, draft.pk))
    assert "Laut Datei bezahlt" in page
    assert "1 × ohne Zahlungsweg" in " ".join(page.split())
    mark = plan_of(draft, tournament).fingerprint

    answer = client.post(
        at("desk:import_carry_out", tournament.slug, draft.pk),
        {"fingerprint": mark, "paid_by": "bank"},
        follow=True,
    )

    assert "54,00\u00a0€ davon als bezahlt gebucht" in answer.content.decode()
