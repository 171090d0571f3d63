"""First start, logging in and giving roles, in a browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.browser import check_look, check_looks
from tests.e2e.login import log_in
from tests.factories import COMMAND, make_tournament
from tournaments.accounts import services as accounts
from tournaments.models import Role, User

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "Herz ist heute Trumpf"


def test_the_setup_link_creates_an_account_that_can_log_in_again(page: Page, live_server):
    token = accounts.make_setup_link(actor=COMMAND)
    page.goto(f"{live_server.url}/konto/einrichten/{token}/")
    check_look(page)
    page.get_by_label("Ihr Name").fill("Karla Otto")
    page.get_by_label("Anmeldename").fill("karla")
    page.get_by_label("Kennwort", exact=True).fill(PASSWORD)
    page.get_by_label("Kennwort wiederholen").fill(PASSWORD)
    page.get_by_role("button", name="Konto anlegen").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Meine Turniere")
    assert User.objects.get().is_admin

    page.context.clear_cookies()
    page.goto(f"{live_server.url}/konto/anmelden/")
    logging_in_says_what_is_wrong_and_then_works(page)


def logging_in_says_what_is_wrong_and_then_works(page: Page) -> None:
    page.get_by_label("Anmeldename").fill("karla")
    page.get_by_label("Kennwort").fill("falsch")
    page.get_by_role("button", name="Anmelden").click()
    expect(page.get_by_role("alert").first).to_contain_text("passen nicht zusammen")
    check_look(page)
    page.get_by_label("Kennwort").fill(PASSWORD)
    page.get_by_role("button", name="Anmelden").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Meine Turniere")


def test_pages_of_accounts_look_right_everywhere(page: Page, context: BrowserContext, live_server):
    tournament = make_tournament()
    log_in(context, live_server, tournament, Role.VERANSTALTER)
    User.objects.update(is_admin=True)

    paths = ("", "kennwort/", "alle/", "einladung/gilt-nicht/")
    check_looks(page, [f"{live_server.url}/konto/{path}" for path in paths])

    # A page for another role says which role it takes.
    log_in(context, live_server, tournament, Role.SCHIEDSRICHTER)
    page.goto(f"{live_server.url}/turniere/{tournament.slug}/meldungen/")
    expect(page.locator("main")).to_contain_text("Anmeldung und Kasse")
    check_look(page)
