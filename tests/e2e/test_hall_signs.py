"""What everybody in the hall is to see, on the phone of a table and on a player's own page."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.browser import check_look
from tests.e2e.table_device import PHONE, a_device, kept, make_table
from tests.factories import COMMAND
from tournaments.common.access_keys import player_path
from tournaments.notices.services import words
from tournaments.results.services import player_access

SIDEWAYS = {"width": 740, "height": 360}
pytestmark = pytest.mark.django_db(transaction=True)


def sign_on(page: Page) -> Locator:
    """The sign where it is said aloud as it appears."""
    return page.get_by_role("status").locator(".hall-sign")


def test_words_stand_large_at_the_table_until_they_are_read_and_on_own_pages(
    browser: Browser, live_server
):
    spielliste = make_table()
    tournament = spielliste.table.serie.tournament
    player_access.provide(tournament)
    own = player_path(spielliste.table.seats.get(number=1).registration)

    with a_device(browser, reduced_motion="reduce") as device:
        kept(device, live_server, spielliste)
        device.choose(1)
        key = device.page.locator('[data-key="7"]')
        before = key.bounding_box()
        words.say(COMMAND, tournament.pk, words="Kuchen im Foyer")
        sign = sign_on(device.page)
        expect(sign.get_by_text("Kuchen im Foyer")).to_be_visible()  # by itself
        assert key.bounding_box() == before
        assert sign.evaluate("(one) => getComputedStyle(one).animationName") == "none"
        check_look(device.page, widths=[360], strong=True, least=44)
        device.page.set_viewport_size(SIDEWAYS)
        device.button("Zurück").tap(trial=True)  # it covers nothing that is pressed
        device.page.set_viewport_size(PHONE)
        device.tap(device.button("Gelesen"))
        expect(sign).to_have_count(0)
        # One line that covers nothing opens it again.
        device.page.reload()
        device.tap(device.page.locator(".call-part").get_by_role("button"))
        expect(sign).to_be_visible()

    with a_device(browser) as device:
        device.page.goto(live_server.url + own)
        expect(sign_on(device.page).get_by_text("Kuchen im Foyer")).to_be_visible()
        check_look(device.page)
        device.tap(device.button("Gelesen"))
        expect(sign_on(device.page)).to_have_count(0)
