"""Signs of the hall, on the phone of a table and on a player's own page."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.browser import check_look
from tests.e2e.table_device import PHONE, TableDevice, a_device, kept, make_table, opened
from tests.factories import COMMAND, make_user
from tournaments.common.access_keys import player_path
from tournaments.common.actors import Actor
from tournaments.hall.services import serie_time
from tournaments.models import Call, Role, Spielliste
from tournaments.notices.services import words
from tournaments.results.services import player_access
from tournaments.table.services import calls

SIDEWAYS = {"width": 740, "height": 360}
pytestmark = pytest.mark.django_db(transaction=True)


def sign_on(page: Page) -> Locator:
    """Return the sign, which is a live region for screen readers."""
    return page.get_by_role("status").locator(".hall-sign")


def test_announcements_fill_the_table_page_until_read_and_reach_own_pages(
    browser: Browser, live_server
):
    spielliste = make_table()
    tournament = spielliste.table.serie.tournament
    player_access.store_tokens(tournament)
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


FELT = "navigator.vibrate = (pattern) => { window.felt = pattern; return true; };"


def test_an_announcement_fills_the_page_and_vibrates_until_tapped(browser: Browser, live_server):
    spielliste = make_table()
    serie = spielliste.table.serie
    with a_device(browser, reduced_motion="reduce") as device:
        device.page.add_init_script(FELT)
        kept(device, live_server, spielliste)
        a_table_that_called_is_answered(device, spielliste)
        device.choose(1)
        device.key("4")
        serie.time_limit_minutes = 1
        serie.started_at = timezone.now() - timedelta(minutes=3)
        serie.save()
        serie_time.give_extra(COMMAND, serie.pk, minutes=1, tables=[1])
        fills_the_page(device, "Die Zeit ist um")
        # The started entry is still there.
        expect(device.page.locator(".amount.is-current input")).to_have_value("4")


def a_table_that_called_is_answered(device: TableDevice, spielliste: Spielliste) -> None:
    device.tap(device.button("Schiedsrichter"))
    device.tap(device.button("Nachzählen"))
    expect(device.page.get_by_text("Der Schiedsrichter ist gerufen")).to_be_visible()
    expect(device.pill()).to_have_text("gespeichert")
    made = Call.objects.get(table=spielliste.table_id)
    calls.take(Actor.account(make_user(), frozenset({Role.SCHIEDSRICHTER})), made.pk)
    fills_the_page(device, "Der Schiedsrichter kommt")


def fills_the_page(device: TableDevice, title: str) -> None:
    page = device.page
    sign = sign_on(page)
    expect(sign).to_contain_text(title)
    assert sign.bounding_box() == {"x": 0, "y": 0, **PHONE}
    assert page.evaluate("window.felt") == [300, 150, 300]
    check_look(page, widths=[360], least=44)
    page.set_viewport_size(PHONE)
    sign.tap(position={"x": 20, "y": 20})
    expect(sign).to_have_count(0)


@pytest.mark.parametrize("height", [640, 800])
def test_a_sign_does_not_cover_an_open_question(browser: Browser, live_server, height: int):
    spielliste = make_table()
    words.say(COMMAND, spielliste.table.serie.tournament_id, words="Serie 1 hat begonnen. " * 8)
    with a_device(browser, {"width": 360, "height": height}, reduced_motion="reduce") as device:
        opened(device, live_server, spielliste)
        expect(sign_on(device.page)).to_be_visible()
        for choice in device.page.locator(".seat-option").all():
            choice.tap(trial=True)
        device.keep_the_list()
        expect(sign_on(device.page)).to_be_visible()
        for choice in device.page.locator(".entry button").all():
            choice.tap(trial=True)
        device.choose(1)
        for field in device.page.locator(".entry :is(button, input)").all():
            field.tap(trial=True)
        expect(device.button("Gelesen")).to_be_visible()
