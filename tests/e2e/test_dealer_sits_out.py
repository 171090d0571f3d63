"""The dealer sits out: no name, field or cell of the dealer on the phone and in the grid."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from scoring.reading.ruleset_json import ruleset_to_dict
from scoring.rulesets import ruleset
from tests.e2e.browser import check_look
from tests.e2e.login import log_in
from tests.e2e.table_device import TableDevice, a_device, kept, make_table
from tests.e2e.test_hall import address
from tests.factories_lists import list_of
from tests.tournaments.hall.helpers import running
from tests.tournaments.lists.sitting_out import OWN, of_four
from tournaments.models import Game, Role

pytestmark = pytest.mark.django_db(transaction=True)


def lines() -> list[object]:
    return list(Game.objects.order_by("number").values_list("line", flat=True))


def test_the_phone_asks_only_for_playing_seats(browser: Browser, live_server):
    spielliste = make_table("wertpunkte-geber")

    with a_device(browser) as device:
        kept(device, live_server, spielliste)
        page = device.page
        expect(page.get_by_role("heading", name="Anna gibt und setzt aus")).to_be_visible()
        expect(page.locator(".who-option")).to_have_count(3)
        check_look(page, widths=[360])
        enter(device, finisher=2, points=[20, 30])
        device.expect_stored(1)
        expect(page.get_by_role("heading", name="Bernd gibt und setzt aus")).to_be_visible()
        enter(device, finisher=3, points=[30, 20])
        device.expect_stored(2)
        expect(device.row(2).locator("td").nth(1)).to_contain_text("–")
        check_look(page, widths=[360, 820])
        # A line that is changed asks for the same three.
        device.tap(device.button("Spiel 2 ändern"))
        expect(page.locator(".amount")).to_have_count(2)

    assert lines() == [of_four(1), of_four(2)]


def enter(device: TableDevice, *, finisher: int, points: list[int]) -> None:
    device.choose(finisher)
    expect(device.page.locator(".amount")).to_have_count(2)
    for hand in points:
        device.digits(hand)
    expect(device.page.locator(".is-asking, .signers")).to_be_visible()


def test_the_grid_skips_cells_of_the_dealer_who_sits_out(
    page: Page, context: BrowserContext, live_server
):
    serie = running(rule_set=ruleset_to_dict(OWN))
    log_in(context, live_server, serie.tournament, Role.SCHIEDSRICHTER)
    page.goto(address(live_server, serie, "tisch/1/eingeben/"))

    expect(page.locator("[name=c1_2]")).to_be_focused()
    for key in ("0", "2", "0", "Enter", "3", "0", "Enter"):  # place 1 deals
        page.keyboard.press(key)
    expect(page.locator("[name=c2_1]")).to_be_focused()
    for key in ("3", "0", "Enter", "0", "2", "0", "Enter"):  # place 2 deals
        page.keyboard.press(key)
    expect(page.locator("[data-stored]")).to_have_text("2")
    page.keyboard.press("ArrowUp")
    expect(page.locator("[name=c2_1]")).to_be_focused()
    page.keyboard.press("ArrowUp")  # no playing seat above it
    expect(page.locator("[name=c2_1]")).to_be_focused()
    check_look(page, widths=[360, 1440])

    assert lines() == [of_four(1), of_four(2)]
    assert list_of(serie).version == 2
    assert ruleset("wertpunkte-geber").dealer_sits_out == OWN.dealer_sits_out
