"""A small phone with text at twice its size: no working page scrolls sideways."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.browser import sideways_scroll
from tests.e2e.login import log_in
from tests.e2e.table_device import a_device, kept, make_table
from tests.e2e.test_zoom import a_checked_table
from tests.factories_lists import FOUR, write_games
from tournaments.common.access_keys import player_path
from tournaments.models import Role
from tournaments.results.services import player_access

pytestmark = pytest.mark.django_db(transaction=True)

SMALL = (320, 640)
TWICE = {"standard": 32, "fixed": 26}  # pixels; usual are 16 and 13
HALF_AS_LARGE_AGAIN = {"standard": 24, "fixed": 20}


def with_large_text(
    page: Page, size: tuple[int, int] = SMALL, sizes: Mapping[str, int] = TWICE
) -> None:
    """Set the font size as in the settings of a browser; media queries in rem follow it."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": dict(sizes)})


def fits(page: Page) -> bool:
    assert page.evaluate("matchMedia('(max-width: 10rem)').matches")
    return sideways_scroll(page) == 0


def test_working_pages_do_not_scroll_sideways(page: Page, context: BrowserContext, live_server):
    spielliste = a_checked_table()
    tournament = spielliste.table.serie.tournament
    player_access.store_tokens(tournament)
    log_in(context, live_server, tournament, Role.SPIELLEITUNG)
    with_large_text(page)
    paths = [
        reverse(name, args=[tournament.slug, *numbers])
        for name, numbers in (
            ("setup:tournament", ()),
            ("desk:desk", ()),
            ("cash:book", ()),
            ("cash:count", ()),
            ("draw:serien", ()),
            ("hall:room", (1,)),
            ("hall:hand_in", (1,)),
            ("hall:table", (1, 1)),
            ("hall:grid", (1, 1)),
            ("hall:cards", (1,)),
            ("checking:list", (1, 1)),
            ("results:ranking", ()),
            ("printing:documents", ()),
            ("public:tournament", ()),
            ("results_public:overall", ()),
        )
    ]
    own = player_path(spielliste.table.seats.get(number=3).registration)

    wide = []
    for path in (*paths, own):
        page.goto(live_server.url + path)
        if not fits(page):
            wide.append(path)

    assert wide == []


def test_the_page_at_the_table_does_not_scroll_sideways(browser: Browser, live_server):
    with a_device(browser, {"width": SMALL[0], "height": SMALL[1]}) as device:
        with_large_text(device.page)
        kept(device, live_server, write_games(make_table(), FOUR[:5]))
        assert fits(device.page)
        device.choose(1)
        device.key("4")
        assert fits(device.page)


# Rows fully visible between the names above the list and the sheet below it.
ROW_IN_SIGHT = """(row) => {
  const { top, bottom } = row.getBoundingClientRect();
  const names = document.querySelector(".list-part thead th").getBoundingClientRect();
  const sheet = document.querySelector(".entry").getBoundingClientRect();
  return top >= names.bottom - 1 && bottom <= sheet.top + 1;
}"""


@pytest.mark.parametrize("sizes", [HALF_AS_LARGE_AGAIN, TWICE], ids=["150 %", "200 %"])
@pytest.mark.parametrize("height", [640, 800])
def test_the_list_stays_readable_during_entry_in_large_text(
    browser: Browser, live_server, sizes: Mapping[str, int], height: int
):
    with a_device(browser) as device:
        with_large_text(device.page, (360, height), sizes)
        kept(device, live_server, write_games(make_table(), FOUR[:5]))
        for key in ("", "4"):
            if key:
                device.choose(1)
                device.key(key)
            assert device.row(5).evaluate(ROW_IN_SIGHT)
            assert device.page.locator(".table-head").bounding_box()["height"] <= 56
            expect(device.page.locator(".entry :is(button, input)").last).to_be_in_viewport()
            assert sideways_scroll(device.page) == 0
            expect(device.pill()).to_have_text("gespeichert")
            assert device.pill().bounding_box()["width"] < 60  # its sign alone
        points = device.row(5).locator("td").nth(1)
        assert points.evaluate("(cell) => parseFloat(getComputedStyle(cell).fontSize)") >= 16
