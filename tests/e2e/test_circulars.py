"""Messages to those registered in a browser, and the question before many receipts."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.e2e.browser import check_look
from tests.e2e.login import log_in
from tests.factories import COMMAND, make_person
from tests.tournaments.desk.online.helpers import make_open_tournament, send_one, wanted
from tests.tournaments.notices.test_circulars import change
from tournaments.announcement.services import tournaments
from tournaments.desk.services.registrations import Payment, pay, register
from tournaments.models import Receipt, Role, Tournament

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from pytest_django.live_server_helper import LiveServer

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def tournament() -> Tournament:
    """Return a tournament with two paid players, one with an address, and a changed venue."""
    tournament = make_open_tournament(name="Herbstturnier", slug="herbst", venue="Altes Rathaus")
    send_one(tournament, wanted("Anna", "Kühn"), email="anna@verein.example")
    register(COMMAND, tournament.pk, person_id=make_person("Emil", "Ohne").pk)
    for registration in tournament.registrations.all():
        pay(COMMAND, registration.pk, payment=Payment(amount_cents=1_500))
    change(tournament, venue="Stadthalle", starts_at=tournament.starts_at + timedelta(days=7))
    return tournament


@pytest.fixture(autouse=True)
def site(page: Page, live_server: LiveServer, tournament: Tournament, settings: Any) -> LiveServer:
    settings.HAS_EMAIL, settings.PUBLIC_URL, settings.WORKS_HERE = True, live_server.url, False
    log_in(page.context, live_server, tournament, Role.SPIELLEITUNG)
    return live_server


def test_the_overview_sends_a_change_and_fits_every_device(page: Page, site: LiveServer):
    page.goto(site.url + reverse("setup:tournament", args=["herbst"]))
    check_look(page)

    page.get_by_role("link", name="Mitteilen").click()
    check_look(page)
    expect(page.get_by_label("Nachricht", exact=True)).to_have_value(
        re.compile("jetzt: Stadthalle")
    )
    page.get_by_role("button", name="Senden").click()
    page.get_by_role("dialog").get_by_role("button", name="Senden").click()

    expect(page.get_by_text("geht an 1 Adresse hinaus")).to_be_visible()
    expect(page.get_by_text("1 Person hat keine E-Mail bekommen.")).to_be_visible()
    check_look(page)


def test_a_dialog_confirms_the_sum_of_many_refunds(
    page: Page, site: LiveServer, tournament: Tournament
):
    tournaments.call_off(COMMAND, tournament.pk, reason="Sturm")
    booked = Receipt.objects.count()
    page.goto(site.url + reverse("cash:refunds", args=["herbst"]))
    everybody = page.get_by_role("button", name="2 Personen bar auszahlen")

    everybody.click()
    dialog = page.get_by_role("dialog", name="2 Belege über zusammen 30,00")
    dialog.get_by_role("button", name="Abbrechen").click()
    assert Receipt.objects.count() == booked
    everybody.click()
    dialog.get_by_role("button", name="Buchen").click()

    expect(page.get_by_text("2 Belege gebucht.")).to_be_visible()
    assert Receipt.objects.count() == booked + 2


def test_a_page_confirms_the_sum_without_scripts(
    browser: Any, page: Page, site: LiveServer, tournament: Tournament
):
    tournaments.call_off(COMMAND, tournament.pk, reason="Sturm")
    plain = browser.new_context(
        java_script_enabled=False, storage_state=page.context.storage_state(), locale="de-DE"
    ).new_page()
    plain.goto(site.url + reverse("cash:refunds", args=["herbst"]))

    plain.get_by_role("button", name="2 Personen bar auszahlen").click()
    expect(plain.get_by_role("heading", name="2 Belege über zusammen 30,00")).to_be_visible()
    plain.get_by_role("button", name="Buchen").click()

    expect(plain.get_by_text("2 Belege gebucht.")).to_be_visible()
