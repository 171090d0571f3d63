"""The till in a browser: counting adds up as one types, and every page fits every device."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from tests.e2e.browser import check_look, check_looks, unfold
from tests.e2e.login import log_in_as
from tests.factories import make_member, make_person, make_tournament
from tournaments.cash.bank.services import bank
from tournaments.cash.bank.services import files as bank_files
from tournaments.cash.queries import balances
from tournaments.cash.services import counts as till_counts
from tournaments.cash.services import till
from tournaments.cash.services.reversals import reverse_receipt
from tournaments.common.actors import Actor
from tournaments.desk.services.registrations import Payment, pay, register
from tournaments.models import BankTransaction, CashEntry, Receipt, Role, Tournament, User

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from pytest_django.live_server_helper import LiveServer

pytestmark = pytest.mark.django_db(transaction=True)
STATEMENT = (
    Path(__file__).parents[1] / "tournaments" / "cash" / "bank" / "files" / "camt.053.001.02.xml"
)
NO_BREAK = "\N{NO-BREAK SPACE}"


@pytest.fixture
def tournament() -> Tournament:
    return make_tournament(
        name="Herbstturnier",
        organiser="SC Altenburg",
        kaution_cents=2_000,
        starts_at=timezone.now() + timedelta(hours=2),
    )


@pytest.fixture
def helper(tournament: Tournament) -> User:
    return make_member(tournament, Role.KASSE, name="K. Hilfe")


@pytest.fixture
def site(page: Page, live_server: LiveServer, helper: User) -> str:
    log_in_as(helper, page.context, live_server)
    return live_server.url


def fill_the_book(tournament: Tournament, helper: User) -> None:
    """A book with one of everything: payments, Storno, Umbuchung, transfer, counts."""
    actor = Actor.account(helper)
    till_counts.open_till(actor, tournament.pk, pieces={1000: 10})
    names = (("Anna", "Kühn"), ("Bernd", "Voß"), ("Clara", "Sommer"), ("Dieter", "Groß"))
    anna, bernd, clara, dieter = (
        register(actor, tournament.pk, person_id=make_person(*name).pk) for name in names
    )
    for payer, cents in ((anna, 2_500), (bernd, 500), (clara, 1_500)):
        pay(actor, payer.pk, payment=Payment(amount_cents=cents))
    till.take_kaution(actor, anna.pk)
    till.move_credit(actor, anna.pk, to_id=bernd.pk, amount_cents=500)
    last = till.book_free(
        actor,
        tournament.pk,
        kind=CashEntry.Kind.OTHER,
        is_expense=True,
        amount_cents=1_250,
        text="Kaffee und Filter",
        payer="Getränkemarkt",
    )
    reverse_receipt(actor, last.pk, reason="gehört in die Vereinskasse")
    bank.take_in(actor, tournament.pk, statement=bank_files.read(STATEMENT.read_bytes()))
    first, second, third = BankTransaction.objects.order_by("pk")
    bank.book(actor, first.pk, registration_ids=[dieter.pk])
    bank.set_aside(actor, second.pk, reason="Mitgliedsbeitrag")
    BankTransaction.objects.filter(pk=third.pk).update(
        remitter="Familie Voß", purpose="Startgeld, der Rest am Tisch"
    )
    register(actor, tournament.pk, person_id=make_person("Uta", "Böhm").pk)
    BankTransaction.objects.create(
        tournament=tournament,
        fingerprint="uta",
        booked_on="2026-09-28",
        amount_cents=1_500,
        remitter="Uta Böhm",
        purpose="Startgeld",
    )
    till_counts.count_till(actor, tournament.pk, pieces={1000: 15}, note="eine Rolle fehlt")


def test_pages_of_the_till_fit_every_device_and_sums_link_to_receipts(
    page: Page, site: str, tournament: Tournament, helper: User
) -> None:
    fill_the_book(tournament, helper)
    places: list[tuple[str, list[int]]] = [
        ("book", []),
        ("receipt", [4]),
        ("receipt", [8]),  # a Storno
        ("count", []),
        ("report", []),
        ("transfers", []),
    ]

    check_looks(
        page,
        [site + reverse(f"cash:{name}", args=[tournament.slug, *keys]) for name, keys in places],
        prepare=unfold,
        strong=True,
    )
    page.goto(site + reverse("cash:report", args=[tournament.slug]))
    a_sum_of_the_report_links_to_its_receipts(page)
    page.goto(site + reverse("cash:receipt", args=[tournament.slug, 2]))
    a_receipt_on_paper_has_a_line_to_sign_and_no_buttons(page)


def a_sum_of_the_report_links_to_its_receipts(page: Page) -> None:
    # Startgeld in cash: Anna 15, Bernd 5, Clara 15.
    page.get_by_role("row", name="Startgeld").get_by_role("link", name="35,00").first.click()

    expect(page.get_by_text(f"35,00{NO_BREAK}€ aus 3 Belegen")).to_be_visible()
    expect(page.locator("table.book tbody tr")).to_have_count(3)


def a_receipt_on_paper_has_a_line_to_sign_and_no_buttons(page: Page) -> None:
    page.emulate_media(media="print")

    expect(page.get_by_text("Betrag dankend erhalten")).to_be_visible()
    expect(page.get_by_text("Quittung", exact=True)).to_be_visible()
    expect(page.get_by_role("button")).to_have_count(0)
    expect(page.locator("#main summary")).not_to_be_visible()


def test_an_empty_book_fits_every_device_and_a_count_adds_up_while_typing(
    page: Page, site: str, tournament: Tournament
) -> None:
    for name in ("book", "transfers", "report", "count"):
        page.goto(site + reverse(f"cash:{name}", args=[tournament.slug]))
        check_look(page, themes=("light",))

    counting_adds_up_and_enter_goes_on(page)
    assert balances.till_cents(tournament) == 117_250
    page.goto(site + reverse("cash:count", args=[tournament.slug]))
    a_difference_is_shown_before_it_is_booked(page)


def counting_adds_up_and_enter_goes_on(page: Page) -> None:
    page.get_by_label(re.compile("^50,00")).fill("2")
    page.keyboard.press("Enter")
    page.keyboard.type("3")  # 20 €
    page.keyboard.press("Enter")
    page.keyboard.type("1")  # 10 €
    page.get_by_label("Ohne Stückelung gezählt").fill("1.002,5")

    expect(page.locator("[data-counted]")).to_have_text(f"1.172,50{NO_BREAK}€")
    expect(page.locator("[data-of='2000']")).to_have_text(f"60,00{NO_BREAK}€")
    assert not Receipt.objects.exists()
    page.get_by_role("button", name="Kasse eröffnen").click()
    expect(page.get_by_text("Die Kasse ist eröffnet.")).to_be_visible()


def a_difference_is_shown_before_it_is_booked(page: Page) -> None:
    page.get_by_label(re.compile("^500,00")).fill("2")
    page.get_by_label(re.compile("^10,00")).fill("9")
    page.get_by_label(re.compile("^50,00")).fill("1")
    page.get_by_label(re.compile("^0,50")).fill("3")

    # 1.000 + 90 + 50 + 1,50 of 1.172,50
    expect(page.locator("[data-difference]")).to_have_text(f"−31,00{NO_BREAK}€")
    assert Receipt.objects.count() == 1
